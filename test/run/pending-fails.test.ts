import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ExecutionStore } from '../../src/ledger/contract/execution.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(async (seen) => {
    await delay(500);
    return ordersDone(seen);
  }).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

it('what is on its way is waited for where the next batches can’t be read', async () => {
  await fixture.file('orders.csv', orderRows(40));
  const { execution } = fixture.ledger;
  const read = execution.pending.bind(execution);
  let pages = 0;
  const failing: ExecutionStore['pending'] = async (...which) => {
    pages += 1;
    if (pages > 1) throw new Error('unreadable');
    return read(...which);
  };
  Object.assign(execution, { pending: failing });
  const jobFile = await fixture.file('job.yaml', orderJob());
  const running = fixture.run(jobFile, { connection: platform.connection(), set: ['run.concurrency=4'] });
  await expect(running).rejects.toThrow('unreadable');
  const run = (await fixture.ledger.runs.last())!;
  const counts = await fixture.ledger.execution.itemCounts(run.id);
  expect(platform.seen.length).toBeGreaterThan(0);
  expect(counts).toEqual({ succeeded: platform.seen.length, pending: 40 - platform.seen.length });
});
