import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakePlatform, ordersDone } from '../../support/fake-platform.js';
import { Desk } from '../../support/job-runs.js';
import { POSTGRES } from '../../support/ledgers.js';
import { orderJob, orderRows } from '../../support/orders.js';

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

test('a process whose run another one has taken over sends no more of it and tells nothing of its end', async () => {
  await desk.file('orders.csv', orderRows(20));
  platform.answer = async (seen, count) => {
    // As when it couldn't be heard of for a while and somebody resumed the run elsewhere.
    if (count === 3) await desk.place.ask('UPDATE run_locks SET token = token + 1');
    return ordersDone(seen);
  };
  const jobFile = await desk.file('job.yaml', orderJob());
  const running = desk.run(jobFile, { connection: platform.connection(), set: ['run.concurrency=1'] });
  await expect(running).rejects.toMatchObject({ detail: { code: 'run.lock_lost' } });
  expect(platform.seen.length).toBeLessThan(6);
  const run = await desk.ledger.runs.last();
  expect(run).toMatchObject({ state: 'executing' });
  expect(run).not.toHaveProperty('exitCode');
});
