import { describe, expect, test } from 'vitest';
import { orderRows } from '../support/orders.js';
import { CutProxy } from '../support/postgres/cut-proxy.js';
import { postgresPlace, serverUrl } from '../support/postgres/shared-server.js';
import { type Limit, tryLimit } from './limits.js';
import { tell } from './trial.js';
import { World } from './world.js';

/** A small share of `npm run test:workers`, which hold the promises themselves. */
/** So many that a run continues for a while after the last of what happens to it, also where that is noticed late. */
const ORDERS = 150;

// Each has a server of its own, and mostly waits.
describe.concurrent('workers that something happens to send every order once and report the outcome of it', () => {
  test('one is killed', async () => {
    const reported = await tell({ seed: 1, kind: 'kill', times: 1, orders: ORDERS });
    expect(reported.happened).toBe(1);
  });

  test('one is stopped for longer than its lease, and woken', async () => {
    const reported = await tell({ seed: 2, kind: 'stop', times: 1, orders: ORDERS });
    expect(reported.happened).toBe(1);
  });

  test('the database is started again', async () => {
    const reported = await tell({ seed: 3, kind: 'restart', times: 1, orders: ORDERS });
    expect(reported.happened).toBe(1);
  });
});

test('a worker without work also ends, when its ledger is away for longer than its patience', async () => {
  const proxy = await CutProxy.before(await serverUrl());
  const world = await World.make({
    server: proxy.through(await serverUrl()),
    orders: orderRows(2),
    leaseMs: 1_000,
    slots: 2,
    settings: 'ledgerPatience: 1s\n',
    platform: { environment: {}, stop: async () => {} },
  });
  try {
    const worker = world.startWorker();
    await expect.poll(() => world.listedWorkers()).toHaveLength(1);
    proxy.close();
    expect(await worker.ended).toMatchObject({ code: 5, stderr: expect.stringContaining('broke') });
  } finally {
    proxy.open();
    await world.remove();
    await proxy.stop();
  }
});

test('a worker ends when its ledger is copied to another one, and names that', async () => {
  const place = await postgresPlace();
  const world = await World.make({
    server: await serverUrl(),
    orders: orderRows(2),
    leaseMs: 1_000,
    slots: 2,
    platform: { environment: {}, stop: async () => {} },
  });
  try {
    const worker = world.startWorker();
    await expect.poll(() => world.listedWorkers()).toHaveLength(1);
    expect(await world.run(['ledger', 'copy', '--to', place.url])).toMatchObject({ code: 0 });
    const named = expect.stringContaining(`was copied to ${place.url}`);
    expect(await worker.ended).toMatchObject({ code: 2, stderr: named });
  } finally {
    await world.remove();
    await place.remove();
  }
});

test('wait ends where no active worker can take the run, and names the reason; it stays queued', async () => {
  const world = await World.make({
    server: await serverUrl(),
    orders: orderRows(2),
    leaseMs: 1_000,
    slots: 2,
    settings:
      'ledgerPatience: 1s\ndefaultConnection: sandbox\nconnections:\n  other: { baseUrl: "http://127.0.0.1:9", appKey: a, token: { env: WORLD_TOKEN } }\n',
    platform: { environment: { WORLD_TOKEN: 't' }, stop: async () => {} },
  });
  try {
    const run = await world.submit();
    const none = await world.wait(run);
    expect(none).toMatchObject({ code: 4, stderr: expect.stringContaining('no active worker') });
    world.startWorker(['--connections', 'other']);
    await expect.poll(() => world.listedWorkers()).toHaveLength(1);
    const other = await world.wait(run);
    expect(other).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('serves its connection sandbox'),
    });
    world.startWorker();
    await expect.poll(() => world.listedWorkers()).toHaveLength(2);
    expect(await world.wait(run)).toMatchObject({ code: 0 });
  } finally {
    await world.remove();
  }
});

describe('what all workers together keep to', () => {
  test.each(['in-flight', 'pause', 'unavailable', 'same-id', 'order'] satisfies Limit[])(
    '%s',
    async (limit) => {
      const server = await serverUrl();
      expect(await tryLimit(limit, { server, workers: 2, slots: 4 })).not.toBe('');
    },
  );
});
