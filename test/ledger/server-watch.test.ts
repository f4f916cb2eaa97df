import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
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
