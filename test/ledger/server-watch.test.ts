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

const begin = async (goOn = false) => {
  const ledger = await openLedger(place.url);
  try {
    return (await ledger.server?.beginSending(goOn))?.code;
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
])('where %s stood before, nothing is sent until somebody says go on', async (before, code) => {
  await begin();
  await place.ask(`UPDATE server_identity SET ${before}`);
  expect(await begin()).toBe(code);
  expect(await begin()).toBe(code);
  expect(await begin(true)).toBeUndefined();
  expect(await begin()).toBeUndefined();
});

test('a server that takes the place of another one while a run sends gets no further intent', async () => {
  const server = await startPostgres();
  const ledger = await openLedger(server.url);
  try {
    // An intent that was written and may not leave is kept beside the job.
    const jobFile = path.join(server.folder, 'job.yaml');
    await planRun(ledger, 'r1', [order(1), order(2), order(3)], { jobFile });
    expect(await ledger.server?.beginSending(false)).toBeUndefined();
    await openBatch(ledger, 'r1', 1);
    await server.stop();
    await writeFile(path.join(server.folder, 'data', 'standby.signal'), '');
    await server.start();
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query('SELECT pg_promote()');
    while ((await admin.query('SELECT pg_is_in_recovery() AS it')).rows[0].it) await delay(50);
    await admin.end();
    await expect(openBatch(ledger, 'r1', 2)).rejects.toMatchObject({
      kind: 'safety',
      detail: { code: 'ledger.server_promoted', params: { was: 1, is: 2 } },
    });
    expect(await ledger.server?.beginSending(true)).toBeUndefined();
    await openBatch(ledger, 'r1', 3);
  } finally {
    await ledger.close();
    await server.remove();
  }
});
