import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Lease } from '../../../src/ledger/contract/execution.js';
import type { Ledger } from '../../../src/ledger/contract/ledger.js';
import { openLedger } from '../../../src/ledger/open.js';
import { seededRandom } from '../../../src/sandbox/faults.js';
import { closeBatch, order, planRun, SUCCEEDED } from '../../support/ledger-samples.js';
import { type PostgresPlace, postgresPlace } from '../../support/postgres/shared-server.js';

let place: PostgresPlace;
let ledgers: Ledger[];

beforeEach(async () => {
  place = await postgresPlace();
  ledgers = [await openLedger(place.url)];
});

afterEach(async () => {
  for (const it of ledgers) await it.close();
  await place.remove();
});

async function another(): Promise<Ledger> {
  const ledger = await openLedger(place.url);
  ledgers.push(ledger);
  return ledger;
}

let nonces = 0;

function begin(ledger: Ledger, run: string, batch: number, lease?: Lease) {
  nonces += 1;
  const intent = {
    run,
    batch,
    attempt: 1,
    nonce: `n${nonces}`,
    startedAt: 1000,
    ...(lease ? { lease } : {}),
  };
  return ledger.execution.open(intent, { claim: true });
}

const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);

describe('keys that several processes want at once', () => {
  test.each([
    ['sandbox', 'sandbox', 11],
    ['sandbox', 'sandbox', 12],
    ['sandbox', 'sandbox http://localhost:1', 13],
    ['sandbox http://localhost:1', 'sandbox', 14],
  ])('are sent by one of them (scopes %s and %s, seed %i)', async (one, other, seed) => {
    const random = seededRandom(seed);
    const count = 30;
    const shuffled = () => [...keys(count)].sort(() => random() - 0.5);
    const runs = [
      { run: 'r1', scope: one, ledger: ledgers[0]! },
      { run: 'r2', scope: other, ledger: await another() },
      { run: 'r3', scope: one, ledger: await another() },
    ];
    const held = new Map<string, string[]>();
    for (const { run, scope, ledger } of runs) {
      const own = shuffled();
      held.set(run, own);
      // Several keys a request, in another order each time: those of one batch go or stay one by one.
      const items = own.map((key, index) => order(index + 2, { key }));
      await planRun(ledger, run, items, { scope, size: 3, operation: 'asset.lock' });
    }
    const sent: string[] = [];
    const tasks = runs.flatMap(({ run, ledger }) =>
      Array.from({ length: count / 3 }, (_, index) => async () => {
        const { withheld } = await begin(ledger, run, index + 1);
        const gone = new Set(withheld.map((it) => it.item));
        for (const item of [1, 2, 3].map((at) => index * 3 + at)) {
          if (!gone.has(item)) sent.push(held.get(run)![item - 1]!);
        }
      }),
    );
    tasks.sort(() => random() - 0.5);
    await Promise.all(
      tasks.map(async (task, index) => {
        await delay(Math.floor(index / 12));
        await task();
      }),
    );
    expect([...sent].sort()).toEqual([...keys(count)].sort());
    // No item holds a key of what was never begun.
    const dangling = `SELECT item FROM item_keys WHERE NOT EXISTS (SELECT 1 FROM batch_items
      JOIN attempts ON attempts.batch = batch_items.batch WHERE batch_items.item = item_keys.item)`;
    expect(await place.ask(dangling)).toEqual([]);
  });

  test('go to the item that was just put behind the one that lets go of them', async () => {
    const [ledger] = ledgers;
    await planRun(ledger!, 'r1', [order(2, { key: 'K' })]);
    await begin(ledger!, 'r1', 1);
    const settling = new pg.Client({ connectionString: place.url.replace(/\?.*/, '') });
    await settling.connect();
    try {
      await settling.query(`SET search_path TO ${place.schema}; BEGIN; UPDATE item_keys SET prior_item = 7`);
      const closed = closeBatch(ledger!, 'r1', 1, { 1: { status: 'rejected' } });
      await expect.poll(() => place.ask(`SELECT 1 FROM pg_locks WHERE NOT granted`)).not.toEqual([]);
      await settling.query('COMMIT');
      await closed;
    } finally {
      await settling.end();
    }
    const [key] = await place.ask<{ item: string; prior_item: string | null }>('SELECT * FROM item_keys');
    expect(key).toMatchObject({ item: '7', prior_item: null });
  });

  test('a batch that two processes begin at once is begun by one', async () => {
    const [first] = ledgers;
    const second = await another();
    const count = 100;
    await planRun(
      first!,
      'r1',
      keys(count).map((_, index) => order(index + 2)),
    );
    const came = await Promise.all(
      keys(count).map((_, index) =>
        Promise.allSettled([begin(first!, 'r1', index + 1), begin(second, 'r1', index + 1)]),
      ),
    );
    expect(came.map((it) => it.filter((one) => one.status === 'fulfilled').length)).toEqual(
      came.map(() => 1),
    );
  });
});

test('a process never has more attempts open than it sends at a time', async () => {
  const [ledger] = ledgers;
  const count = 200;
  const slots = 8;
  await planRun(
    ledger!,
    'r1',
    keys(count).map((key, index) => order(index + 2, { key })),
  );
  const client = new pg.Client({ connectionString: place.url.split('?')[0] });
  await client.connect();
  await client.query(`SET search_path TO ${place.schema}`);
  let over = false;
  const most = (async () => {
    let found = 0;
    while (!over) {
      const { rows } = await client.query('SELECT count(*)::int AS n FROM attempts WHERE ended_at IS NULL');
      found = Math.max(found, rows[0].n);
    }
    return found;
  })();
  let next = 0;
  const kept: Promise<unknown>[] = [];
  const slot = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const batch = next;
      await begin(ledger!, 'r1', batch);
      await delay(2);
      // As the carrier does: the next batch takes its place while this is on its way to the ledger.
      kept.push(closeBatch(ledger!, 'r1', batch, { [batch]: SUCCEEDED }));
    }
  };
  await Promise.all(Array.from({ length: slots }, slot));
  await Promise.all(kept);
  over = true;
  expect(await most).toBeLessThanOrEqual(slots);
  await client.end();
});

describe('a lease', () => {
  const lease = { chunk: 1, token: 5 };

  beforeEach(async () => {
    await planRun(ledgers[0]!, 'r1', [order(2, { key: 'k2' }), order(3), order(4)]);
    await place.ask(`INSERT INTO chunks (id, run, first_batch, last_batch, token, worker, expires_at)
      OVERRIDING SYSTEM VALUE
      SELECT 1, id, id * 4294967296 + 1, id * 4294967296 + 3, 5, 'w1', clock_timestamp() + interval '1 minute' FROM runs`);
  });

  const refusal = async (batch: number, held = lease) =>
    (await begin(ledgers[0]!, 'r1', batch, held)).refused;
  const nothing = async () => {
    expect(await place.ask('SELECT * FROM attempts')).toEqual([]);
    expect(await place.ask('SELECT * FROM item_keys')).toEqual([]);
  };

  test('lets its holder send, and none after it was taken over', async () => {
    expect(await refusal(1, { chunk: 1, token: 4 })).toBe('lease_lost');
    expect(await refusal(1, { chunk: 2, token: 5 })).toBe('lease_lost');
    await nothing();
    expect(await refusal(1)).toBeUndefined();
    expect(await place.ask('SELECT lease, token FROM attempts')).toEqual([{ lease: '1', token: '5' }]);
  });

  test('that has ended by the server’s clock lets nothing leave', async () => {
    await place.ask(`UPDATE chunks SET expires_at = clock_timestamp() - interval '1 millisecond'`);
    expect(await refusal(1)).toBe('lease_lost');
    await nothing();
  });

  test('that is just being taken over makes the intent wait, and then refuses it', async () => {
    const client = new pg.Client({ connectionString: place.url.split('?')[0] });
    await client.connect();
    await client.query(`SET search_path TO ${place.schema}; BEGIN; UPDATE chunks SET token = token + 1`);
    let answered = false;
    const asked = refusal(1).finally(() => {
      answered = true;
    });
    await delay(200);
    expect(answered).toBe(false);
    await client.query('COMMIT');
    await client.end();
    expect(await asked).toBe('lease_lost');
    await nothing();
  });

  test('of a run that was stopped lets nothing leave', async () => {
    await place.ask(`INSERT INTO queued_runs (run, lost_json, stop_json) SELECT id, NULL, '{}' FROM runs`);
    expect(await refusal(1)).toBe('stopped');
    await nothing();
  });

  test('doesn’t let a batch overtake the one before it of its subject', async () => {
    await place.ask(`INSERT INTO batch_order (batch, after_batch)
      SELECT id * 4294967296 + 2, id * 4294967296 + 1 FROM runs`);
    expect(await refusal(2)).toBe('must_wait');
    expect(await refusal(1)).toBeUndefined();
    expect(await refusal(2)).toBe('must_wait');
    await closeBatch(ledgers[0]!, 'r1', 1, { 1: SUCCEEDED });
    expect(await refusal(2)).toBeUndefined();
  });
});

test('a kept plan that another process begins to send is not pruned by one that had chosen it', async () => {
  const [ledger] = ledgers;
  await planRun(ledger!, 'r1', [order(2, { key: 'K' })], { kind: 'plan' });
  await ledger!.runs.patch('r1', { endedAt: 1000 });
  const client = new pg.Client({ connectionString: place.url.split('?')[0] });
  await client.connect();
  await client.query(`SET search_path TO ${place.schema}; BEGIN; UPDATE runs SET kind = 'run'`);
  const pruned = ledger!.runs.prune(2000);
  await expect.poll(() => place.ask('SELECT 1 FROM pg_locks WHERE NOT granted')).not.toEqual([]);
  await client.query('COMMIT');
  await client.end();
  expect(await pruned).toBe(0);
  expect(await begin(ledger!, 'r1', 1)).toEqual({ withheld: [] });
});
