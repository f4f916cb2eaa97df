import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import type { ChunkLease } from '../../src/ledger/contract/queue.js';
import { openLedger } from '../../src/ledger/open.js';
import { chunkStarts } from '../../src/ledger/postgres/enqueue.js';
import type { QueueStore } from '../../src/ledger/postgres/queue.js';
import { order, planRun, runStart, SUCCEEDED } from '../support/ledger-samples.js';
import { type PostgresPlace, postgresPlace } from '../support/postgres/shared-server.js';

const LOST = { status: 'unknown', message: message('run.died') } as const;
const LEASE_MS = 60_000;

let place: PostgresPlace;
let ledger: Ledger;
let queue: QueueStore;

beforeEach(async () => {
  place = await postgresPlace();
  ledger = await openLedger(place.url);
  queue = ledger.queue!;
});

afterEach(async () => {
  await ledger.close();
  await place.remove();
});

/** A planned run of so many batches, without what they contain. */
async function planned(id: string, batches: number, job = 'job'): Promise<void> {
  await ledger.runs.create(runStart(id, { job }));
  await ledger.runs.patch(id, { state: 'planned' });
  await place.ask(
    `INSERT INTO batches (id, envelope) SELECT runs.id * 4294967296 + n, 1 FROM runs, generate_series(1, $2::int) AS n
     WHERE runs.name = $1`,
    [id, batches],
  );
}

async function done(run: string, first: number, last: number): Promise<void> {
  await place.ask(
    `UPDATE batches SET done = 1 FROM runs WHERE runs.name = $1
     AND batches.id BETWEEN runs.id * 4294967296 + $2::int AND runs.id * 4294967296 + $3::int`,
    [run, first, last],
  );
}

async function jobs(): Promise<readonly { readonly chunk: number; readonly task: string }[]> {
  return place.ask(
    `SELECT (payload->>'chunk')::int AS chunk, identifier AS task FROM "${place.schema}_queue"._private_jobs AS jobs
     JOIN "${place.schema}_queue"._private_tasks AS tasks ON tasks.id = jobs.task_id ORDER BY run_at`,
  );
}

async function taken(chunk: number, worker = 'w1'): Promise<ChunkLease> {
  const answer = await queue.work.take(chunk, worker, LEASE_MS);
  if (answer.kind !== 'taken') throw new Error(answer.kind);
  return answer.lease;
}

async function expire(): Promise<void> {
  await place.ask(`UPDATE chunks SET expires_at = now() - interval '1 second' WHERE worker IS NOT NULL`);
}

describe('the queue', () => {
  test('a run is queued with its chunks and a job for each, in order', async () => {
    await planned('r1', 130);
    const { batches, chunks } = await queue.enqueue('r1', { lost: LOST });
    expect(batches).toBe(130);
    expect(chunks).toBe(chunkStarts(130).length);
    expect((await ledger.runs.get('r1'))?.state).toBe('queued');
    const waiting = await jobs();
    expect(waiting.map((it) => it.chunk)).toEqual(Array.from({ length: chunks }, (_, at) => at + 1));
    expect(await taken(1)).toMatchObject({ run: 'r1', first: 1, last: 3, token: 1 });
    expect((await ledger.runs.get('r1'))?.state).toBe('executing');
    expect(await queue.runsInQueue('job', 'sandbox')).toEqual(['r1']);
  });

  test('what is queued twice, or has nothing to send, is left as it is', async () => {
    await planned('r1', 2);
    await queue.enqueue('r1', { lost: LOST });
    await expect(queue.enqueue('r1', { lost: LOST })).rejects.toThrow();
    await planned('r2', 2, 'other');
    await done('r2', 1, 2);
    expect(await queue.enqueue('r2', { lost: LOST })).toEqual({ batches: 0, chunks: 0 });
    expect((await ledger.runs.get('r2'))?.state).toBe('planned');
  });

  test('a job that is handed out twice meets the lease', async () => {
    await planned('r1', 2);
    await queue.enqueue('r1', { lost: LOST });
    await taken(1);
    expect(await queue.work.take(1, 'w2', LEASE_MS)).toEqual({ kind: 'held' });
    expect(await queue.work.take(99, 'w2', LEASE_MS)).toEqual({ kind: 'over' });
  });

  test('a lease is prolonged by its holder only, and not once it has ended', async () => {
    await planned('r1', 2);
    await queue.enqueue('r1', { lost: LOST });
    const lease = await taken(1);
    const news = { name: 'w1', host: 'h', process: 1, slots: 2, connections: ['sandbox'] };
    expect(await queue.work.beat(news, [lease], LEASE_MS)).toEqual([]);
    expect(await queue.work.beat({ ...news, name: 'w2' }, [lease], LEASE_MS)).toEqual([lease]);
    await expire();
    expect(await queue.work.beat(news, [lease], LEASE_MS)).toEqual([lease]);
    expect(await queue.workers()).toMatchObject([
      { name: 'w1', slots: 2, connections: ['sandbox'], runs: ['r1'] },
      { name: 'w2', runs: [] },
    ]);
  });

  test('the last chunk that is given back ends the run, whichever worker has it', async () => {
    await planned('r1', 2);
    await queue.enqueue('r1', { lost: LOST });
    const [one, two] = [await taken(1), await taken(2, 'w2')];
    await done('r1', 1, 2);
    expect(await queue.work.giveBack(one)).toEqual({ done: true, over: false });
    expect(await queue.work.beginEnd('r1', 'w1', LEASE_MS)).toBeUndefined();
    expect(await queue.work.giveBack(two)).toEqual({ done: true, over: true });
    expect(await queue.work.giveBack(two)).toEqual({ done: false, over: false });
    const end = await queue.work.beginEnd('r1', 'w2', LEASE_MS);
    expect(end).toBeDefined();
    expect(await queue.work.beginEnd('r1', 'w1', LEASE_MS)).toBeUndefined();
    await queue.work.ended('r1', end!.turn);
    expect(await queue.runsInQueue('job', 'sandbox')).toEqual([]);
    expect(await queue.work.anyLeft(['sandbox'])).toBe(false);
  });

  test('what is left of a chunk is handed out again', async () => {
    await planned('r1', 1);
    await queue.enqueue('r1', { lost: LOST });
    await place.ask(`DELETE FROM "${place.schema}_queue"._private_jobs`);
    expect(await queue.work.giveBack(await taken(1))).toEqual({ done: false, over: false });
    expect(await jobs()).toHaveLength(1);
  });

  test('what was left open of a chunk that was given back is resolved by the worker that takes it next', async () => {
    await planRun(ledger, 'r1', [order(2, { key: 'K' })], { job: 'job' });
    await queue.enqueue('r1', { lost: LOST });
    const lease = await taken(1);
    const intent = { run: 'r1', batch: 1, attempt: 1, nonce: 'n1', startedAt: 1, lease };
    await ledger.execution.open(intent, { claim: true });
    // Its reply is in a file on the worker's machine.
    await queue.work.giveBack(lease);
    const answer = await queue.work.take(1, 'w2', LEASE_MS);
    expect(answer).toMatchObject({ kind: 'taken', lost: 1 });
    expect(await ledger.execution.itemCounts('r1')).toEqual({ unknown: 1 });
    expect(await queue.work.giveBack({ ...lease, token: 2 })).toEqual({ done: true, over: true });
    await ledger.execution.close({
      ...intent,
      endedAt: 2,
      event: 'reply',
      sent: true,
      outcomes: [{ item: 1, outcome: SUCCEEDED }],
    });
    expect(await ledger.execution.itemCounts('r1')).toEqual({ succeeded: 1 });
  });

  test('a stopped run is over once no worker holds any of it', async () => {
    await planned('r1', 2);
    await queue.enqueue('r1', { lost: LOST });
    const lease = await taken(1);
    expect(await queue.stop('r1', { kind: 'interrupted', by: 'me' })).toBe(true);
    expect(await queue.stop('r1', { kind: 'interrupted', by: 'another' })).toBe(true);
    expect(await queue.work.take(2, 'w2', LEASE_MS)).toEqual({ kind: 'over' });
    expect(await queue.work.news(['r1'])).toMatchObject([{ run: 'r1', stop: { by: 'me' } }]);
    expect(await queue.work.beginEnd('r1', 'w1', LEASE_MS)).toBeUndefined();
    expect(await queue.work.giveBack(lease)).toEqual({ done: false, over: true });
    const end = await queue.work.beginEnd('r1', 'w1', LEASE_MS);
    expect(end).toMatchObject({ stop: { kind: 'interrupted' } });
    await queue.work.ended('r1', end!.turn);
    expect(await jobs()).toEqual([]);
    expect(await queue.stop('r1', { kind: 'interrupted', by: 'me' })).toBe(false);
    // One that was held up with the end of before takes nothing of what was queued since.
    await queue.enqueue('r1', { lost: LOST });
    await queue.work.ended('r1', end!.turn);
    expect(await queue.runsInQueue('job', 'sandbox')).toEqual(['r1']);
    expect(await jobs()).toHaveLength(2);
    // Nor does it stop that, or count failures of before among its own.
    expect(await queue.stop('r1', { kind: 'interrupted', by: 'late' }, lease.turn)).toBe(false);
    await queue.work.tally('r1', (it) => ({ tally: { ...it, failures: 9 } }), lease.turn);
    const [news] = await queue.work.news(['r1']);
    expect(news).toMatchObject({ run: 'r1', tally: { failures: 0 } });
    expect(news?.stop).toBeUndefined();
    expect(news?.turn).not.toBe(lease.turn);
  });

  test('runs of one job are processed one after the other, of another one next to them', async () => {
    await planned('r1', 1);
    await planned('r2', 1);
    await planned('r3', 1, 'other');
    for (const run of ['r1', 'r2', 'r3']) await queue.enqueue(run, { lost: LOST });
    expect(await queue.runsInQueue('job', 'sandbox')).toEqual(['r1', 'r2']);
    expect((await jobs()).map((it) => it.chunk)).toEqual([1, 3]);
    const lease = await taken(1);
    await done('r1', 1, 1);
    await queue.work.giveBack(lease);
    const end = await queue.work.beginEnd('r1', 'w1', LEASE_MS);
    await queue.work.ended('r1', end!.turn);
    expect((await jobs()).map((it) => it.chunk)).toEqual([3, 2]);
  });

  test('failures in a row are counted over all workers; each worker gets them when it begins, and a stop', async () => {
    await planned('r1', 1);
    await queue.enqueue('r1', { lost: LOST });
    const heard: unknown[] = [];
    const end = await queue.changed((what) => heard.push(what));
    const more = (by: number) =>
      queue.work.tally('r1', (it) => ({ tally: { ...it, failures: it.failures + by, streak: 'x' } }));
    await Promise.all([more(1), more(2), more(3)]);
    expect(await queue.work.tally('r1', (tally) => ({ tally }))).toEqual({
      failures: 6,
      streak: 'x',
      streakLength: 0,
    });
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    expect(heard[0]).toEqual({ run: 'r1' });
    heard.length = 0;
    const stop = { kind: 'safety', reason: message('run.stopped_between') } as const;
    await queue.work.tally('r1', (tally) => ({ tally, stop }));
    await expect.poll(() => heard).toEqual([{ run: 'r1' }]);
    expect(await queue.work.news(['r1'])).toMatchObject([{ stop, tally: { failures: 6 } }]);
    await end();
  });

  test('what no job stands for is queued again', async () => {
    await planned('r1', 2);
    await queue.enqueue('r1', { lost: LOST });
    await place.ask(`DELETE FROM "${place.schema}_queue"._private_jobs`);
    expect(await queue.work.sweep(LEASE_MS)).toEqual({ takenOver: [], queuedAgain: 2, over: [] });
    expect(await queue.work.sweep(LEASE_MS)).toMatchObject({ queuedAgain: 0 });
  });

  test("the engine's locks of dead workers are released, those of living ones are not", async () => {
    await planned('r1', 2);
    await queue.enqueue('r1', { lost: LOST });
    await taken(2);
    await place.ask(`UPDATE "${place.schema}_queue"._private_jobs
      SET locked_by = CASE WHEN payload->>'chunk' = '1' THEN 'dead' ELSE 'alive' END, locked_at = now() - interval '2 minutes'`);
    const news = { name: 'w1', host: 'h', process: 1, slots: 2, connections: [], pool: 'alive' };
    await queue.work.beat(news, [], LEASE_MS);
    await queue.work.sweep(LEASE_MS);
    const locked = await place.ask<{ locked_by: string | null }>(
      `SELECT locked_by FROM "${place.schema}_queue"._private_jobs ORDER BY payload->>'chunk'`,
    );
    expect(locked.map((it) => it.locked_by)).toEqual([null, 'alive']);
  });

  test('a job that was handed out long ago, and whose chunk no worker took, got lost on the way', async () => {
    await planned('r1', 1);
    await queue.enqueue('r1', { lost: LOST });
    const news = { name: 'w1', host: 'h', process: 1, slots: 2, connections: [], pool: 'alive' };
    await queue.work.beat(news, [], LEASE_MS);
    const hand = (ago: number) =>
      place.ask(`UPDATE "${place.schema}_queue"._private_jobs
        SET locked_by = 'alive', locked_at = now() - interval '${ago} seconds' WHERE key IS NOT NULL`);
    await hand(1);
    expect(await queue.work.sweep(LEASE_MS)).toMatchObject({ queuedAgain: 0 });
    await hand(120);
    expect(await queue.work.sweep(LEASE_MS)).toMatchObject({ queuedAgain: 1 });
  });

  test('the engine hands out what is queued, of the connections that are asked for', async () => {
    await planned('r1', 3);
    await queue.enqueue('r1', { lost: LOST });
    const executed: number[] = [];
    const execute = async (chunk: number): Promise<void> => {
      executed.push(chunk);
    };
    const how = { concurrency: 2, hungry: async () => {}, execute, leaving: new AbortController().signal };
    const other = await queue.work.serve({ ...how, scopes: ['another'] });
    await other.stop();
    expect(executed).toEqual([]);
    const served = await queue.work.serve({ ...how, scopes: ['sandbox sandbox'] });
    expect(served.pool).toMatch(/^pool-/);
    await expect.poll(() => [...executed].sort()).toEqual([1, 2, 3]);
    await served.stop();
  });
});

describe('limits over all workers', () => {
  test('starts of requests are reserved evenly, whichever worker asks', async () => {
    const rates = [{ key: 'a', perSecond: 10 }];
    const reserved = await Promise.all([1, 2, 3, 4, 5].map(() => queue.limits.reserveStarts(rates, 4)));
    const began = Math.min(...reserved.flat());
    const starts = reserved.flat().sort((one, other) => one - other);
    expect(starts).toHaveLength(20);
    expect(began).toBeLessThanOrEqual(1);
    // Each counts from its own moment on, so that a busy server brings them nearer.
    expect(starts.at(-1)! - starts[0]!).toBeGreaterThan(1000);
    const both = await queue.limits.reserveStarts(
      [
        { key: 'b', perSecond: 1000 },
        { key: 'c', perSecond: 10 },
      ],
      3,
    );
    expect(both[2]! - both[0]!).toBeCloseTo(200, 0);
  });

  test('what may be in progress is shared among those who want it, and never more in all', async () => {
    const hold = (worker: string, usable: number, inFlight = 0) =>
      queue.limits.holdSlots('a', worker, { most: 10, usable, inFlight }, LEASE_MS);
    expect(await hold('w1', 8)).toBe(8);
    expect(await hold('w2', 8)).toBe(2);
    expect(await hold('w1', 8, 8)).toBe(8);
    expect(await hold('w1', 8, 4)).toBe(5);
    expect(await hold('w2', 8, 2)).toBe(5);
    expect(await hold('w1', 0, 0)).toBe(0);
    expect(await hold('w2', 8, 5)).toBe(8);
  });

  test('a pause applies to all; one request probes, and lifts it', async () => {
    await queue.limits.pause({ origin: 'http://a', httpStatus: 429, retryAfterMs: 900_000, leftMs: 900_000 });
    await queue.limits.pause({ origin: 'http://a', httpStatus: 503, leftMs: 5_000 });
    const [pause] = await queue.limits.pauses(['http://a', 'http://b']);
    expect(pause).toMatchObject({
      origin: 'http://a',
      httpStatus: 429,
      retryAfterMs: 900_000,
      probing: false,
    });
    expect(pause!.leftMs).toBeGreaterThan(500_000);
    expect(await queue.limits.probe('http://a', 'w1', 1000)).toBe(false);
    await place.ask('UPDATE connection_limits SET paused_until = now()');
    const probes = await Promise.all(
      ['w1', 'w2', 'w3'].map((it) => queue.limits.probe('http://a', it, 5000)),
    );
    expect(probes.filter((it) => it)).toHaveLength(1);
    await queue.limits.lift('http://a');
    expect(await queue.limits.pauses(['http://a'])).toEqual([]);
  });
});
