import type { Pool } from 'undici';
import { packagePart } from '../../util/package-part.js';

/** Connections to one origin. */
export type ConnectionPool = Pick<Pool, 'dispatch' | 'destroy'>;

/** undici's pool, without its `fetch`, caches and mocks. */
export async function openPool(origin: string, options: Pool.Options): Promise<ConnectionPool> {
  const PoolClass = await packagePart(
    'undici/lib/dispatcher/pool.js',
    async () => (await import('undici')).Pool,
  );
  return new PoolClass(origin, options);
}
