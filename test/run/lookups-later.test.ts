import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '../../src/ledger/contract/runs.js';
import { readPlanFiles } from '../../src/run/plan/plan-refusal.js';
import { retryRun } from '../../src/run/retry.js';
import { applyPlan } from '../../src/run/start-run.js';
import { type Answer, FakePlatform, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { LEDGER_MAKERS, SQLITE } from '../support/ledgers.js';
import { OnboardingPlatform, onboarding, onboardingRows } from '../support/onboarding.js';

const LOOKUP = `
    lookup: enterprise.query
    with: { channelCode: { value: CH }, channelCustomerId: Customer, defaultCustomer: { value: Y } }
    take: customerId`;

const UPDATE = `version: 1
name: names
operation: enterprise.update
source: { file: rows.csv }
map:
  crmCustomerId:${LOOKUP}
  customerName: Customer
  branchName: { value: Branch }
run: { retries: 0, concurrency: 1 }
`;

/** Nothing is bound: its orders name customers that are looked up. */
const STEPS = onboarding()
  .replace(/ {2}- name: customer[\s\S]*? {2}- name: numbers/, '  - name: numbers')
  .replace('{ from: customer.customerId, else: Customer ID }', LOOKUP.replaceAll('\n', '\n      '));

const isQuery = ({ path }: Seen) => path.includes('/query');
const done = (data: unknown): Answer => ({ body: { code: 0, message: 'success', data } });

describe.each(LEDGER_MAKERS)('what a run looked up, later on ($name)', (maker) => {
  let fixture: Fixture;
  let platform: FakePlatform;
  /** What the platform calls each customer; it may change from one run to the next. */
  let prefix: string;
  let refused: string;
  let others: OnboardingPlatform;

  beforeEach(async () => {
    fixture = await Fixture.open(maker);
    prefix = 'CU';
    refused = '';
    others = new OnboardingPlatform();
    platform = await new FakePlatform(answered).start();
  });

  afterEach(async () => {
    await platform.stop();
    await fixture.close();
  });

  function answered(seen: Seen): Answer {
    const number = seen.query.get('channelCustomerId');
    if (isQuery(seen))
      return done([
        {
          channelCode: seen.query.get('channelCode'),
          channelCustomerId: number,
          customerId: `${prefix}-${number}`,
          enterpriseGlobalId: `E-${number}`,
        },
      ]);
    if (seen.body.customerName === refused) return 'reset';
    return 'crmCustomerId' in seen.body ? done(true) : others.answer(seen);
  }

  const connection = () => platform.connection();
  const asked = () => platform.seen.filter(isQuery).map(({ query }) => query.get('channelCustomerId'));
  const sent = () => platform.seen.filter((it) => !isQuery(it)).map(({ body }) => body);

  async function run(job: string, options: Parameters<Fixture['run']>[1] = {}): Promise<Run> {
    await fixture.file('rows.csv', onboardingRows(['SO-1,C1,,1,5', 'SO-2,C2,,1,5', 'SO-3,C1,,1,5']));
    const end = await fixture.run(await fixture.file('job.yaml', job), {
      connection: connection(),
      ...options,
    });
    return (await fixture.ledger.runs.get(end.run))!;
  }

  it('a retry asks again, and only for the rows that it sends', async () => {
    refused = 'C2';
    const first = await run(UPDATE);
    expect(asked()).toEqual(['C1', 'C2']);
    platform.seen.length = 0;
    prefix = 'NEW';
    refused = '';
    const end = await retryRun(fixture.parts(), first, {
      include: new Set(),
      connection: connection(),
      change: (it) => it,
    });
    expect(end).toMatchObject({ counts: { succeeded: 1 } });
    expect(asked()).toEqual(['C2']);
    expect(sent().map((it) => it.crmCustomerId)).toEqual(['NEW-C2']);
  });

  // The rest is the same on both: contract/ runs the ledger's statements on each.
  if (maker !== SQLITE) return;

  it.each([
    ['one operation', UPDATE, ['CU-C1', 'CU-C2']],
    ['steps', STEPS, ['CU-C1', 'CU-C1', 'CU-C2']],
  ])('apply asks nothing again, and sends what was found then: %s', async (_, job, ids) => {
    const plan = await run(job, { plan: true });
    expect(asked()).toEqual(['C1', 'C2']);
    expect(sent()).toEqual([]);
    platform.seen.length = 0;
    prefix = 'NEW';
    const conditions = await readPlanFiles(plan, connection(), Number.POSITIVE_INFINITY);
    const end = await applyPlan(fixture.parts({ confirm: true }), plan, conditions, (it) => it);
    expect(end).toMatchObject({ exitCode: 0, counts: { succeeded: 3 } });
    expect(asked()).toEqual([]);
    const named = sent().flatMap(({ crmCustomerId, orderList }) => {
      const orders = orderList as { customerId: string }[] | undefined;
      return orders?.map((it) => it.customerId) ?? (crmCustomerId === undefined ? [] : [crmCustomerId]);
    });
    expect(named.sort()).toEqual(ids);
  });
});
