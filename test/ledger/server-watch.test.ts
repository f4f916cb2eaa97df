import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
import { openBatch, order, planRun } from '../support/ledger-samples.js';
import { startPostgres } from '../support/postgres/server.mjs';
import { type PostgresPlace, postgresPlace } from '../support/postgres/shared-server.js';

let place: PostgresPlace;

beforeEach(async () => {
  place = await postgresPlace();
});

afterEach(async () => {
  await place.remove();
});

const sandbox = { env: process.env, sandbox: true };
const here = { env: process.env, sandbox: false };

const begin = async (accept = false) => {
  const ledger = await openLedger(place.url);
  try {
    if (accept) await ledger.guard.accept(process.env, 'os:li@here');
    return (await ledger.guard.beginSending(sandbox))?.code;
  } finally {
    await ledger.close();
  }
};

test('the first to send writes down which server it is; the same one may always send', async () => {
  expect(await place.ask(`SELECT 1 FROM pg_namespace WHERE nspname = '${place.schema}'`)).toEqual([]);
  expect(await begin()).toBeUndefined();
  const [kept] = await place.ask<{ system_identifier: string; timeline: string }>(
    'SELECT * FROM server_identity',
  );
  expect(kept?.system_identifier).toMatch(/^\d{15,}$/);
  expect(Number(kept?.timeline)).toBe(1);
  expect(await begin()).toBeUndefined();
});

test.each([
  ["system_identifier = '123'", 'ledger.server_other'],
  ['timeline = 7', 'ledger.server_promoted'],
  ["objects = '1 2 3 4 5'", 'ledger.server_objects'],
])('where %s was recorded, nothing is sent until it is accepted', async (before, code) => {
  await begin();
  await place.ask(`UPDATE server_identity SET ${before}`);
  expect(await begin()).toBe(code);
  expect(await begin()).toBe(code);
  expect(await begin(true)).toBeUndefined();
  expect(await begin()).toBeUndefined();
});

test('VACUUM FULL and TRUNCATE change no object id', async () => {
  await begin();
  await place.ask('VACUUM FULL runs');
  await place.ask('TRUNCATE commits');
  expect(await begin()).toBeUndefined();
});

const promote = async (server: Awaited<ReturnType<typeof startPostgres>>): Promise<void> => {
  await server.stop();
  await writeFile(path.join(server.folder, 'data', 'standby.signal'), '');
  await server.start();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query('SELECT pg_promote()');
  while ((await admin.query('SELECT pg_is_in_recovery() AS it')).rows[0].it) await delay(50);
  await admin.end();
};

test('a promoted server is accepted while a run sends if it has all that was sent, otherwise nothing more is sent', async () => {
  const server = await startPostgres();
  const ledger = await openLedger(server.url);
  try {
    // An intent that was written and may not leave is kept next to the job.
    const jobFile = path.join(server.folder, 'job.yaml');
    const orders = [order(1), order(2), order(3), order(4)];
    await planRun(ledger, 'r1', orders, { jobFile });
    expect(await ledger.guard.beginSending(here)).toBeUndefined();
    await openBatch(ledger, 'r1', 1);
    await promote(server);
    await openBatch(ledger, 'r1', 2);
    await promote(server);
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    // The last commit had not reached the standby.
    await admin.query(
      'DELETE FROM license_sync.attempts WHERE batch = (SELECT max(batch) FROM license_sync.attempts)',
    );
    await admin.end();
    await expect(openBatch(ledger, 'r1', 3)).rejects.toMatchObject({
      kind: 'safety',
      detail: { code: 'ledger.server_promoted', params: { was: 2, is: 3 } },
    });
    expect((await ledger.guard.accept(process.env, 'os:li@here'))?.code).toBe('ledger.server_promoted');
    expect(await ledger.guard.beginSending(here)).toBeUndefined();
    await openBatch(ledger, 'r1', 4);
  } finally {
    await ledger.close();
    await server.remove();
  }
});
