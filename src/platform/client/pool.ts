import type { Pool } from 'undici';

/** Connections to one origin. */
export type ConnectionPool = Pick<Pool, 'dispatch' | 'destroy'>;

/** undici's pool by its own file: the index would load `fetch`, caches and mocks too. */
export async function openPool(origin: string, options: Pool.Options): Promise<ConnectionPool> {
  const { default: PoolClass } = await import('undici/lib/dispatcher/pool.js');
  return new PoolClass(origin, options);
}
