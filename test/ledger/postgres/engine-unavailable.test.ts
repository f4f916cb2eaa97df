import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ledger } from '../../../src/ledger/contract/ledger.js';
import { openLedger } from '../../../src/ledger/open.js';
import { CutProxy } from '../../support/postgres/cut-proxy.js';
import { type PostgresPlace, postgresPlace } from '../../support/postgres/shared-server.js';

let place: PostgresPlace;
let proxy: CutProxy;
let ledger: Ledger;

beforeEach(async () => {
  place = await postgresPlace();
  proxy = await CutProxy.before(place.url);
  ledger = await openLedger(proxy.through(place.url));
});

afterEach(async () => {
  proxy.open();
  await ledger.close();
  await proxy.stop();
  await place.remove();
});

const serve = (leaving: AbortSignal) => {
  const how = {
    scopes: ['sandbox'],
    concurrency: 2,
    hungry: async () => {},
    execute: async () => {},
    leaving,
  };
  return ledger.queue!.work.serve(how);
};

test('an engine that begins while its database is away ends when its worker leaves', async () => {
  await ledger.queue!.ready();
  proxy.close();
  const leaving = new AbortController();
  let ended = false;
  const served = serve(leaving.signal).finally(() => {
    ended = true;
  });
  served.catch(() => {});
  await delay(1_000);
  expect(ended).toBe(false);
  leaving.abort();
  await expect(served).rejects.toThrow();
});

test('an engine that begins while its database is away continues when that is back', async () => {
  await ledger.queue!.ready();
  proxy.close();
  const served = serve(new AbortController().signal);
  await delay(700);
  proxy.open();
  const engine = await served;
  expect(engine.pool).toMatch(/^pool-/);
  await engine.stop();
});
