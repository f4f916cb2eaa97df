import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pruneInputs } from '../../src/ledger/inputs.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const LATER = Date.now() + 2 * 3_600_000;

it('pruning takes the kept inputs of pruned runs away, and only theirs', async () => {
  const state = path.join(fixture.folder, 'state');
  const job = await fixture.file('job.yaml', orderJob());
  const kept = () => readdir(path.join(state, 'inputs'));
  await fixture.file('orders.csv', orderRows(2));
  await fixture.run(job, { connection: platform.connection() });
  expect(await fixture.ledger.runs.prune(Date.now() + 1)).toBe(1);
  expect(await pruneInputs(fixture.ledger, Date.now())).toBe(0);
  await fixture.file('orders.csv', orderRows(3));
  const second = await fixture.run(job, { connection: platform.connection() });
  expect(await kept()).toHaveLength(2);
  expect(await pruneInputs(fixture.ledger, LATER)).toBe(1);
  const { inputSha256 } = (await fixture.ledger.runs.get(second.run))!;
  expect(await kept()).toEqual([inputSha256]);
});
