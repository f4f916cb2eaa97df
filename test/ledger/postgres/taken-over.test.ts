import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { message } from '../../../src/errors/message.js';
import type { Ledger } from '../../../src/ledger/contract/ledger.js';
import { openLedger } from '../../../src/ledger/open.js';
import { lockKey } from '../../../src/ledger/postgres/run-lock.js';
import { stepsLock } from '../../../src/ledger/rules/run-states.js';
import { type Bundle, bundleForNode } from '../../support/bundle.js';
import {
  carry,
  collect,
  columnsOf,
  order,
  planRun,
  runStart,
  SUCCEEDED,
  statuses,
} from '../../support/ledger-samples.js';
import { CutProxy } from '../../support/postgres/cut-proxy.js';
import { type PostgresPlace, postgresPlace } from '../../support/postgres/shared-server.js';
import { until } from '../../support/until.js';

const RUN = '20261126-080000-abcd';
const STEP = `${RUN}-2`;
const LOST = { status: 'unknown', message: message('run.died') } as const;
const VERDICT = { row: 2, status: 'invalid' } as const;
const ITEMS = columnsOf([order(2, { key: 'K2' }), order(3, { key: 'K3' })]);

let place: PostgresPlace;

beforeEach(async () => {
  place = await postgresPlace();
});
afterEach(() => place.remove());

/** All that the ledger has, but for what each session writes for itself. */
async function content(): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {};
  const tables = await place.ask<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
    [place.schema],
  );
  for (const { name } of tables) {
    if (name !== 'commits') found[name] = await place.ask(`SELECT * FROM ${name} AS it ORDER BY it::text`);
  }
  return found;
}

/** Ends the session that holds the run's lock, as a server or a firewall may. */
async function cutLockSession(): Promise<void> {
  const key = lockKey(['run', place.schema, 'new-buy', 'sandbox']);
  const ended = await place.ask(
    `SELECT pg_terminate_backend(pid) FROM pg_locks
     WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32) | objid::bigint = $1`,
    [key],
  );
  expect(ended).toHaveLength(1);
}

/** Takes a run over that another process was planning: plans it from the beginning, and sends all of it. */
async function takeOver(ledger: Ledger): Promise<void> {
  expect((await ledger.lock('new-buy', 'sandbox', RUN)).kind).toBe('taken');
  await ledger.plan.clear(RUN);
  await ledger.plan.addItems(RUN, ITEMS);
  await ledger.plan.formBatches(RUN, 1);
  await ledger.plan.finish(RUN, 2);
  for (const batch of [1, 2])
    await carry(ledger, RUN, batch, { [batch]: { ...SUCCEEDED, licenseOrderId: `LO-${batch}` } });
}

describe('a process whose run was taken over while it was cut off', () => {
  let proxy: CutProxy;
  let late: Ledger;
  let other: Ledger;

  beforeEach(async () => {
    proxy = await CutProxy.before(place.url);
    late = await openLedger(proxy.through(place.url));
    other = await openLedger(place.url);
  });
  afterEach(async () => {
    proxy.open();
    await late.close();
    await other.close();
    await proxy.stop();
  });

  async function cutOffAndTakenOver(): Promise<void> {
    proxy.close();
    await until(async () => (await other.holder('new-buy', 'sandbox')) === undefined);
    await takeOver(other);
    proxy.open();
  }

  const writes: Readonly<Record<string, (ledger: Ledger) => Promise<unknown>>> = {
    'a step run': ({ runs }) => runs.create(runStart(`${RUN}-3`, { parent: RUN, step: 3 })),
    'a state': ({ runs }) => runs.patch(RUN, { state: 'completed', exitCode: 0 }),
    'settings of a step': ({ runs }) => runs.patch(STEP, { settings: {} }),
    'a plan thrown away': ({ plan }) => plan.clear(STEP),
    items: ({ plan }) => plan.addItems(RUN, ITEMS),
    'items of a step': ({ plan }) => plan.addItems(STEP, ITEMS),
    verdicts: ({ plan }) => plan.addVerdicts(RUN, [VERDICT]),
    warnings: ({ plan }) => plan.addWarnings(RUN, [message('ledger.bad_address')]),
    'repeated keys': ({ plan }) => collect(plan.repeatedKeys(RUN)),
    contradictions: ({ plan }) => collect(plan.contradictions(RUN)),
    'rows taken off an item': ({ plan }) => plan.unlink(RUN, 1, [2]),
    'items withdrawn': ({ plan }) => plan.withdraw(RUN, [{ item: 1, verdicts: [VERDICT] }]),
    'items refused': ({ plan }) => plan.refuse(RUN, [{ item: 1, reason: LOST.message }]),
    'batches in order': ({ plan }) => plan.formBatches(RUN, 1),
    'batches by envelope': ({ plan }) => plan.formBatches(RUN, 2, 1),
    'the end of a plan': ({ plan }) => plan.finish(RUN, 7),
    lookups: ({ lookups }) =>
      lookups.add(RUN, [
        {
          key: 'k',
          operation: 'enterprise.query',
          request: {},
          answer: { kind: 'records', count: 0, json: '[]' },
          requests: 1,
          askedAt: 1,
        },
      ]),
    'what is undone': ({ reversals: undoings }) =>
      undoings.link(RUN, [{ row: 2, undone: { run: STEP, item: 1 } }]),
    'attempts of a dead process': ({ execution }) => execution.recover(RUN, false, LOST),
    'what a person found out': ({ resolutions }) => resolutions.record(RUN, []),
    'a kept plan': ({ approvals }) => approvals.seal(RUN, { planHash: 'h', needsApproval: true }),
    'the queue': ({ queue }) => queue!.enqueue(RUN, { lost: LOST }),
  };

  test('writes nothing more of it, of whatever kind', async () => {
    await late.queue!.ready();
    expect((await late.lock('new-buy', 'sandbox', RUN)).kind).toBe('taken');
    await late.runs.create(runStart(RUN));
    await late.runs.create(runStart(STEP, { parent: RUN, step: 2 }));
    await late.plan.addItems(RUN, ITEMS);
    await cutOffAndTakenOver();
    const before = await content();
    const came: Record<string, unknown> = {};
    for (const [name, write] of Object.entries(writes)) {
      came[name] = await write(late).then(
        () => 'written',
        (error: unknown) => (error as { code?: string }).code ?? String(error),
      );
    }
    expect(came).toEqual(Object.fromEntries(Object.keys(writes).map((it) => [it, 'run.lock_lost'])));
    expect(await content()).toEqual(before);
    expect(await statuses(other, RUN)).toBe('2 succeeded, 3 succeeded');
  });

  test('may take it again only once it has let go of it, and writes again from then on', async () => {
    const answer = await late.lock('new-buy', 'sandbox', RUN);
    await late.runs.create(runStart(RUN));
    await cutOffAndTakenOver();
    await other.close();
    await until(async () => (await late.holder('new-buy', 'sandbox')) === undefined);
    // What still writes by the lost lock must not do so by the new one.
    expect((await late.lock('new-buy', 'sandbox', RUN)).kind).toBe('held');
    if (answer.kind === 'taken') await answer.lock.release();
    expect((await late.lock('new-buy', 'sandbox', RUN)).kind).toBe('taken');
    await late.runs.patch(RUN, { output: 'there' });
    expect(await late.runs.get(RUN)).toMatchObject({ output: 'there' });
  });
});

describe('a lock', () => {
  let ledger: Ledger;

  beforeEach(async () => {
    ledger = await openLedger(place.url);
    expect((await ledger.lock('new-buy', 'sandbox', RUN)).kind).toBe('taken');
    await ledger.runs.create(runStart(RUN));
  });
  afterEach(() => ledger.close());

  test('is taken over after a transaction that writes by it, not in between', async () => {
    const client = new pg.Client({ connectionString: place.url.split('?')[0] });
    await client.connect();
    /** The session that waits for another one. */
    const waiting = async (pid: number): Promise<number | undefined> => {
      const sql = 'SELECT pid FROM pg_stat_activity WHERE $1::int = ANY (pg_blocking_pids(pid))';
      return (await place.ask<{ pid: number }>(sql, [pid]))[0]?.pid;
    };
    try {
      await client.query(
        `SET search_path TO ${place.schema}; BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE`,
      );
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      const added = ledger.plan.addItems(RUN, ITEMS);
      await until(async () => (await waiting(rows[0].pid)) !== undefined);
      const writer = (await waiting(rows[0].pid)) ?? 0;
      const order: string[] = [];
      const takenOver = place
        .ask('UPDATE run_locks SET token = token + 1')
        .then(() => order.push('taken over'));
      await until(async () => order.length > 0 || (await waiting(writer)) !== undefined);
      expect(order).toEqual([]);
      await client.query('COMMIT');
      await Promise.all([added.then(() => order.push('added')), takenOver]);
      expect(await place.ask('SELECT 1 FROM items')).toHaveLength(2);
      await expect(ledger.plan.finish(RUN, 2)).rejects.toMatchObject({ code: 'run.lock_lost' });
    } finally {
      await client.end();
    }
  });

  test('whose session was cut, and that no other process had, still lets its process write', async () => {
    await cutLockSession();
    await ledger.plan.addItems(RUN, ITEMS);
    await ledger.plan.formBatches(RUN, 1);
    await ledger.plan.finish(RUN, 2);
    expect(await ledger.runs.get(RUN)).toMatchObject({ state: 'planned', items: 2 });
  });

  test('under which a worker plans the next step ends when the run leaves the queue', async () => {
    const step = `${RUN}-1`;
    await planRun(ledger, step, [order(2)], { parent: RUN, step: 1 });
    await ledger.runs.create(runStart(STEP, { parent: RUN, step: 2 }));
    await ledger.queue!.enqueue(step, { lost: LOST });
    const [line] = await place.ask<{ n: string }>('SELECT n FROM queued_runs');
    const worker = await openLedger(place.url);
    expect((await worker.lock(stepsLock(RUN), 'sandbox', RUN)).kind).toBe('taken');
    await worker.plan.addItems(STEP, ITEMS);
    // Another worker took the end of the step over, as the run was stopped.
    await ledger.queue!.work.ended(step, Number(line!.n));
    await expect(worker.plan.addItems(STEP, ITEMS)).rejects.toMatchObject({ code: 'run.lock_lost' });
    await worker.close();
  });
});

describe('a planner that is suspended', () => {
  let bundle: Bundle;
  let child: ChildProcess;

  beforeAll(async () => {
    bundle = await bundleForNode(path.join(import.meta.dirname, '../child.ts'));
  });
  afterAll(() => bundle.remove());
  afterEach(() => {
    child.kill('SIGKILL');
  });

  test('while another process takes its run over and sends it, writes nothing when it wakes', async () => {
    const ledger = await openLedger(place.url);
    child = fork(bundle.file, ['plan', place.url, RUN], { stdio: 'inherit' });
    expect((await once(child, 'message'))[0]).toBe('planning');
    child.kill('SIGSTOP');
    // As after a restart of the server; a machine that sleeps loses it by itself.
    await cutLockSession();
    await until(async () => (await ledger.holder('new-buy', 'sandbox')) === undefined);
    await takeOver(ledger);
    const before = await content();
    const said = once(child, 'message');
    child.send('go on');
    child.kill('SIGCONT');
    expect((await said)[0]).toBe('run.lock_lost, run.lock_lost, run.lock_lost');
    expect(await content()).toEqual(before);
    expect(await statuses(ledger, RUN)).toBe('2 succeeded, 3 succeeded');
    await ledger.close();
  });
});
