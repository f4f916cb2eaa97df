import pg from 'pg';
import { expect, test } from 'vitest';
import { isBroken } from '../../../src/ledger/postgres/failures.js';
import { serverUrl } from '../../support/postgres/shared-server.js';

test('a pool that gives no connection in time is tried again: a worker must not end by it', async () => {
  const pool = new pg.Pool({ connectionString: await serverUrl(), max: 1 });
  const held = await pool.connect();
  pool.options.connectionTimeoutMillis = 50;
  try {
    const refusal = await pool.query('SELECT 1').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Error);
    expect(isBroken(refusal)).toBe(true);
    expect(isBroken(await held.query('SELECT nothing').catch((error: unknown) => error))).toBe(false);
  } finally {
    held.release();
    await pool.end();
  }
});
