import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadJob } from '../../src/job/load.js';
import type { WorkStore } from '../../src/ledger/contract/queue.js';
import { CATALOGUE_SHAPES } from '../../src/platform/operations/index.js';
import { startRun } from '../../src/run/run-job.js';
import { endCarriedRun } from '../../src/workers/conclude.js';
import type { SharedLedger } from '../../src/workers/contract.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Desk } from '../support/job-runs.js';
import { SUCCEEDED } from '../support/ledger-samples.js';
import { POSTGRES } from '../support/ledgers.js';
import { orderJob, orderRows } from '../support/orders.js';

const LEASE_MS = 60_000;

let desk: Desk;
let platform: FakePlatform;

beforeEach(async () => {
  desk = await Desk.open(POSTGRES);
  platform = await new FakePlatform(ordersDone).start();
});

afterEach(async () => {
  await platform.stop();
  await desk.close();
});

/** A queued run of one order, carried by one worker that ends it. */
async function carried(): Promise<string> {
  await desk.file('orders.csv', orderRows(1));
  const job = await loadJob(await desk.file('job.yaml', orderJob()), {
    env: {},
    operations: CATALOGUE_SHAPES,
  });
  const { run } = await startRun(desk.parts(), job, platform.connection(), 'run', { queue: true });
  const { execution, queue } = desk.ledger;
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

test('a run whose worker died while it ended it is ended by the next one', async () => {
  const run = await carried();
  const parts = desk.parts();
  const ledger = Object.assign(desk.ledger, { queue: desk.ledger.queue! }) as SharedLedger;
  const { work } = ledger.queue;
  const dying: Pick<WorkStore, 'beginEnd' | 'ended'> = {
    beginEnd: (...who) => work.beginEnd(...who),
    ended: () => Promise.reject(new Error('died')),
  };
  const queue = Object.assign(Object.create(ledger.queue), { work: dying });
  const once = { ...parts, ledger: Object.assign(Object.create(ledger), { queue }) };
  await expect(endCarriedRun(once, run, 'w1', 1)).rejects.toThrow('died');
  expect(await ledger.queue.carrying('orders', 'fake')).toEqual([run]);
  const before = await ledger.runs.get(run);
  const end = await endCarriedRun({ ...parts, ledger }, run, 'w2', LEASE_MS);
  expect(end).toMatchObject({ status: 'completed', exitCode: 0, counts: { succeeded: 1 } });
  expect(await ledger.runs.get(run)).toEqual(before);
  expect(await ledger.queue.carrying('orders', 'fake')).toEqual([]);
});
