import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pruneInputs } from '../../src/ledger/inputs.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Desk } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';

let desk: Desk;
let platform: FakePlatform;

beforeEach(async () => {
  desk = await Desk.open();
  platform = await new FakePlatform(ordersDone).start();
});

afterEach(async () => {
  await platform.stop();
  await desk.close();
});

const LATER = Date.now() + 2 * 3_600_000;

it('pruning takes the kept inputs of pruned runs away, and only theirs', async () => {
  const state = path.join(desk.folder, 'state');
  const job = await desk.file('job.yaml', orderJob());
  const kept = () => readdir(path.join(state, 'inputs'));
  await desk.file('orders.csv', orderRows(2));
  await desk.run(job, { connection: platform.connection() });
  expect(await desk.ledger.runs.prune(Date.now() + 1)).toBe(1);
  expect(await pruneInputs(desk.ledger, Date.now())).toBe(0);
  await desk.file('orders.csv', orderRows(3));
  const second = await desk.run(job, { connection: platform.connection() });
  expect(await kept()).toHaveLength(2);
  expect(await pruneInputs(desk.ledger, LATER)).toBe(1);
  const { inputSha256 } = (await desk.ledger.runs.get(second.run))!;
  expect(await kept()).toEqual([inputSha256]);
});
