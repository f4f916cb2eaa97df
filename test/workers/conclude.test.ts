import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { message, render } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import { loadJob } from '../../src/job/load.js';
import type { WorkStore } from '../../src/ledger/postgres/work.js';
import { TurnPassed } from '../../src/ledger/rules/run-states.js';
import { scopeOf } from '../../src/ledger/rules/scopes.js';
import { ALL_OPERATIONS } from '../../src/platform/operations/catalogue.js';
import { waitForRun } from '../../src/run/follow-run.js';
import type { SettingsChange } from '../../src/run/settings.js';
import { resumeRun, startRun } from '../../src/run/start-run.js';
import { endExecutedRun } from '../../src/workers/conclude.js';
import type { SharedLedger } from '../../src/workers/services.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { SUCCEEDED } from '../support/ledger-samples.js';
import { POSTGRES } from '../support/ledgers.js';
import { orderJob, orderRows } from '../support/orders.js';

const LEASE_MS = 60_000;

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open(POSTGRES);
  platform = await new FakePlatform(ordersDone).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const loaded = async () =>
  loadJob(await fixture.file('job.yaml', orderJob()), { env: {}, operations: ALL_OPERATIONS });

/** A queued run of one order. */
async function queued(): Promise<string> {
  await fixture.file('orders.csv', orderRows(1));
  const parts = fixture.parts();
  return (await startRun(parts, await loaded(), platform.connection(), 'run', { queue: true })).run;
}

async function startAgain(id: string): Promise<void> {
  const run = await fixture.ledger.runs.get(id);
  const connection = platform.connection();
  await resumeRun(fixture.parts({ confirm: true }), run!, (it) => ({ ...it, connection }), { queue: true });
}

/** One processed by one worker that ends it. */
async function carried(): Promise<string> {
  const run = await queued();
  const { execution, queue } = fixture.ledger;
  const answer = await queue!.work.take(1, 'w1', LEASE_MS);
  if (answer.kind !== 'taken') throw new Error(answer.kind);
  const { lease } = answer;
  const intent = { run, batch: 1, attempt: 1, nonce: 'n1', startedAt: 1, lease };
  await execution.open(intent, { claim: true });
  const outcomes = [{ item: 1, outcome: SUCCEEDED }];
  await execution.close({ ...intent, endedAt: 2, event: 'reply', httpStatus: 200, sent: true, outcomes });
  expect(await queue!.work.giveBack(lease)).toEqual({ done: true, over: true });
  return run;
}

test('what ended it names the command by which workers resume it', async () => {
  const run = await queued();
  const ledger = Object.assign(fixture.ledger, { queue: fixture.ledger.queue! }) as SharedLedger;
  await ledger.queue.stop(run, { kind: 'interrupted', by: 'me' });
  const end = await endExecutedRun({ ...fixture.parts(), ledger }, run, { by: 'me', leaseMs: LEASE_MS });
  expect(render(end!.reason!, 'en')).toBe(`interrupted; continue with: license-sync resume ${run} --queue`);
  await startAgain(run);
  const reason = message('run.patience_over', { run, why: 'The platform is away' });
  await ledger.queue.stop(run, { kind: 'safety', reason });
  const second = await endExecutedRun({ ...fixture.parts(), ledger }, run, { by: 'me', leaseMs: LEASE_MS });
  expect(render(second!.reason!, 'en')).toContain(`license-sync resume ${run} --queue`);
});

test('a result that cannot be written where it is waited for can be had by waiting again', async () => {
  const run = await carried();
  const ledger = Object.assign(fixture.ledger, { queue: fixture.ledger.queue! }) as SharedLedger;
  await endExecutedRun({ ...fixture.parts(), ledger }, run, { by: 'w2', leaseMs: LEASE_MS });
  const to =
    (name: string): SettingsChange =>
    (settings) => ({
      ...settings,
      job: { ...settings.job, output: { file: path.join(fixture.folder, name) } },
    });
  const failed = await waitForRun(fixture.parts(), run, to('orders.csv/r.csv'));
  expect(failed).toMatchObject({ exitCode: 5, counts: { succeeded: 1 } });
  expect(render(failed.reason!, 'en')).toContain(`license-sync wait ${run} --output FILE.xlsx`);
  expect(await waitForRun(fixture.parts(), run, to('r.csv'))).toMatchObject({ exitCode: 0 });
});

test('nothing is planned for a queue that may not be made', async () => {
  const refusal = new ProductError('usage', message('run.interrupted', { run: 'r' }));
  const queue = Object.assign(Object.create(fixture.ledger.queue!), { ready: () => Promise.reject(refusal) });
  const ledger = Object.assign(Object.create(fixture.ledger), { queue });
  await fixture.file('orders.csv', orderRows(1));
  const job = await loaded();
  const begun = startRun(fixture.parts({ ledger }), job, platform.connection(), 'run', { queue: true });
  await expect(begun).rejects.toBe(refusal);
  expect(await fixture.ledger.runs.list(10)).toEqual([]);
});

test('a run whose worker died while it ended it is ended by the next one', async () => {
  const run = await carried();
  const parts = fixture.parts();
  const ledger = Object.assign(fixture.ledger, { queue: fixture.ledger.queue! }) as SharedLedger;
  const { work } = ledger.queue;
  const dying: Pick<WorkStore, 'beginEnd' | 'ended'> = {
    beginEnd: (...who) => work.beginEnd(...who),
    ended: () => Promise.reject(new Error('died')),
  };
  const queue = Object.assign(Object.create(ledger.queue), { work: dying });
  const once = { ...parts, ledger: Object.assign(Object.create(ledger), { queue }) };
  await expect(endExecutedRun(once, run, { by: 'w1', leaseMs: 1 })).rejects.toThrow('died');
  expect(await ledger.queue.runsInQueue('orders', scopeOf(platform.connection()))).toEqual([run]);
  const before = await ledger.runs.get(run);
  const end = await endExecutedRun({ ...parts, ledger }, run, { by: 'w2', leaseMs: LEASE_MS });
  expect(end).toMatchObject({ status: 'completed', exitCode: 0, counts: { succeeded: 1 } });
  expect(await ledger.runs.get(run)).toEqual(before);
  expect(await ledger.queue.runsInQueue('orders', scopeOf(platform.connection()))).toEqual([]);
});

test('a worker that was suspended while another one ended the run, and it was taken up again, changes nothing of it', async () => {
  const run = await carried();
  const ledger = Object.assign(fixture.ledger, { queue: fixture.ledger.queue! }) as SharedLedger;
  const { work } = ledger.queue;
  const standing: Pick<WorkStore, 'beginEnd' | 'ended'> = {
    beginEnd: async (...who) => {
      const begun = (await work.beginEnd(...who))!;
      await work.ended(run, begun.turn);
      await ledger.runs.patch(run, { state: 'executing' });
      return { ...begun, stop: { kind: 'interrupted', by: 'me' } };
    },
    ended: (...which) => work.ended(...which),
  };
  const queue = Object.assign(Object.create(ledger.queue), { work: standing });
  const late = { ...fixture.parts(), ledger: Object.assign(Object.create(ledger), { queue }) };
  expect(await endExecutedRun(late, run, { by: 'w1', leaseMs: LEASE_MS })).toBeUndefined();
  expect(await ledger.runs.get(run)).toMatchObject({ state: 'executing' });
  await expect(ledger.execution.recover(run, false, { status: 'unknown' }, 1)).rejects.toThrow(TurnPassed);
});
