import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSendingJob } from '../../src/job/load.js';
import { ALL_OPERATIONS } from '../../src/platform/operations/catalogue.js';
import { readPlanFiles } from '../../src/run/plan/plan-refusal.js';
import { revertRun } from '../../src/run/revert/revert.js';
import { applyPlan, startRun } from '../../src/run/start-run.js';
import type { SharedLedger } from '../../src/workers/services.js';
import { executeQueuedRuns } from '../../src/workers/worker.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { POSTGRES } from '../support/ledgers.js';
import { OnboardingPlatform, onboarding, onboardingRows, stepOf } from '../support/onboarding.js';
import { orderJob, orderRows } from '../support/orders.js';

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

const run = (id: string) => fixture.ledger.runs.get(id);

/** Two workers that process all that is queued, then end. */
async function carryAll(): Promise<void> {
  const how = {
    slots: 2,
    connections: new Map([['fake', platform.connection()]]),
    once: true,
    leaseMs: 2000,
  };
  const ledger = fixture.ledger as SharedLedger;
  const worker = (name: string) => executeQueuedRuns({ ...fixture.parts(), ledger }, { name, ...how });
  await Promise.all([worker('w1'), worker('w2')]);
}

async function submitted(file: string): Promise<string> {
  const job = await loadSendingJob(file, { env: {}, operations: ALL_OPERATIONS });
  const own = { ...job, output: { file: `${fixture.folder}/out-{run}.csv` } };
  const end = await startRun(fixture.parts(), own, platform.connection(), 'run', { queue: true });
  expect(end.status).toBe('queued');
  return end.run;
}

async function reversal(of: string): Promise<string> {
  const end = await revertRun(fixture.parts(), (await run(of))!, {
    connection: platform.connection(),
    change: (it) => it,
  });
  return end.run;
}

async function queued(id: string): Promise<void> {
  const plan = (await run(id))!;
  const conditions = await readPlanFiles(plan, platform.connection(), Number.POSITIVE_INFINITY);
  const end = await applyPlan(fixture.parts({ confirm: true }), plan, conditions, (it) => it, {
    queue: true,
  });
  expect(end.status).toBe('queued');
}

const orderTypes = () =>
  platform.seen.flatMap(({ body }) => (body.orderList as { orderType?: string }[]).map((it) => it.orderType));

describe('workers process a plan that reverts a run', () => {
  test('once: what another such plan has undone by then is skipped', async () => {
    await fixture.file('orders.csv', orderRows(6));
    const bought = await submitted(await fixture.file('job.yaml', orderJob()));
    await carryAll();
    expect(await run(bought)).toMatchObject({ state: 'completed', exitCode: 0 });
    const [one, two] = [await reversal(bought), await reversal(bought)];
    platform.seen.length = 0;
    await queued(one);
    await carryAll();
    expect(orderTypes()).toHaveLength(6);
    expect(await fixture.ledger.runs.counts(one)).toEqual({ succeeded: 6 });
    await queued(two);
    await carryAll();
    expect(platform.seen).toHaveLength(6);
    expect(await fixture.ledger.runs.counts(two)).toEqual({ skipped: 6 });
    expect((await fixture.ledger.reversals.orders(bought)).size).toBe(6);
  });

  test('also of a run of steps: its orders are undone, each by its own numbers', async () => {
    const done = new OnboardingPlatform();
    platform.answer = (seen) => done.answer(seen);
    await fixture.file('rows.csv', onboardingRows(['SO-1,C1,,2,5', 'SO-2,C2,,1,5']));
    const bought = await submitted(await fixture.file('job.yaml', onboarding()));
    await carryAll();
    expect(await fixture.ledger.runs.counts(bought)).toEqual({ succeeded: 2 });
    const numbersOf = () =>
      platform.seen
        .filter((it) => stepOf(it).step === 'order')
        .flatMap(({ body }) =>
          (body.orderList as { assets: { assetNos: string[] }[] }[]).map((it) =>
            it.assets
              .flatMap((asset) => asset.assetNos)
              .sort()
              .join(),
          ),
        )
        .sort();
    const given = numbersOf();
    expect(given.map((it) => it.split(',').length).sort()).toEqual([1, 2]);
    platform.seen.length = 0;
    await queued(await reversal(bought));
    await carryAll();
    expect(numbersOf()).toEqual(given);
    expect(orderTypes()).toHaveLength(2);
  });
});

describe('a shared part of maps that was changed after its job was submitted', () => {
  const settings = (branch: string, more = '') =>
    `version: 1\nmaps:\n  customer-fields:\n    customerName: Customer\n    branchName: { value: ${branch} }\n${more}`;
  const job = `version: 1
name: names
operation: enterprise.update
source: { file: rows.csv }
map:
  use: customer-fields
  crmCustomerId: Customer
`;

  test.each([
    ['has other values', settings('After')],
    ['is gone', 'version: 1\n'],
    ['is broken', 'version: 1\nmaps: { customer-fields: { use: customer-fields } }\n'],
  ])('%s: workers send what was submitted', async (_, changed) => {
    platform.answer = () => ({ body: { code: 0, message: 'success', data: true } });
    await fixture.file('rows.csv', 'Customer\nC1\nC2\n');
    await fixture.file('license-sync.yaml', settings('Before'));
    const id = await submitted(await fixture.file('job.yaml', job));
    await fixture.file('license-sync.yaml', changed);
    await carryAll();
    expect(await fixture.ledger.runs.counts(id)).toEqual({ succeeded: 2 });
    expect(
      platform.seen
        .map(({ body }) => body)
        .sort((a, b) => (String(a.crmCustomerId) < String(b.crmCustomerId) ? -1 : 1)),
    ).toEqual(['C1', 'C2'].map((it) => ({ crmCustomerId: it, customerName: it, branchName: 'Before' })));
  });
});
