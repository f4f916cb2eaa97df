import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSendingJob } from '../../../src/job/load.js';
import { ALL_OPERATIONS } from '../../../src/platform/operations/catalogue.js';
import { resumeRun, startRun } from '../../../src/run/start-run.js';
import { StopSignal } from '../../../src/util/stop-signal.js';
import { type Answer, FakePlatform, type Seen } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { readLines } from '../../support/read-sheet.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(answered).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const isQuery = ({ path }: Seen) => path.includes('/query');
const isBind = ({ path }: Seen) => path.includes('/bind');
const isUpdate = (seen: Seen) => !isQuery(seen) && !isBind(seen);
const done = (data: unknown): Answer => ({ body: { code: 0, message: 'success', data } });

function answered(seen: Seen): Answer {
  const number = String(seen.query.get('channelCustomerId') ?? seen.body.channelCustomerId ?? '');
  const known = {
    customerId: `ID-${number}`,
    channelCode: 'CH',
    channelCustomerId: number,
    enterpriseGlobalId: `ENT-${number}`,
    enterpriseName: `Group ${number}`,
    isDefault: true,
  };
  if (isQuery(seen)) return done([known]);
  return done(isBind(seen) ? known : true);
}

const job = (): string => `version: 1
name: names
source: { file: rows.csv }
steps:
  - name: customer
    operation: enterprise.bind
    map:
      channelCode: { value: CH }
      channelCustomerId: Customer
      customerName: Customer
      branchName: { value: Branch }
      enterpriseName: { template: "Enterprise {Customer}" }
      passwordMobile: { value: "13800000001" }
  - name: update
    operation: enterprise.update
    map:
      crmCustomerId: { from: customer.customerId }
      customerName: Customer
      branchName:
        lookup: enterprise.query
        with: { channelCode: { value: CH }, channelCustomerId: Customer, defaultCustomer: { value: Y } }
        take: enterpriseName
run: { retries: 0, concurrency: 1, stopAfterFailures: 2, patience: 1s }
`;

/** Whether there is anything to look up shows only when `other` has been skipped, for what `customer` returned. */
const LATE = job()
  .replace(
    '  - name: update\n',
    `  - name: other
    operation: enterprise.bind
    when: step["customer"]["customerId"] == "none"
    map:
      channelCode: { value: CH2 }
      channelCustomerId: Customer
      customerName: Customer
      branchName: { value: Branch }
      enterpriseName: { template: "Other {Customer}" }
      passwordMobile: { value: "13800000001" }
  - name: update
`,
  )
  .replace(
    'branchName:\n        lookup',
    'branchName:\n       from: other.enterpriseName\n       else:\n        lookup',
  );

const ROWS = 'Customer\nC1\nC2\nC3\nC4\n';

async function run(options: Parameters<Fixture['run']>[1] = {}, file = job()) {
  await fixture.file('rows.csv', ROWS);
  return fixture.run(await fixture.file('job.yaml', file), { connection: platform.connection(), ...options });
}

async function resume(id: string) {
  const connection = platform.connection();
  const whole = (await fixture.ledger.runs.get(id))!;
  return resumeRun(fixture.parts(), whole, (settings) => ({ ...settings, connection }));
}

const asked = () => platform.seen.filter(isQuery).map(({ query }) => query.get('channelCustomerId'));

describe('lookups in a step', () => {
  it('stopped while they are asked, no row counts as succeeded before its last step was sent', async () => {
    const stop = new StopSignal();
    platform.answer = (seen) => {
      if (isQuery(seen)) stop.stop({ kind: 'interrupted' });
      return answered(seen);
    };
    const { run: id, ...end } = await run({ parts: { stop } }, LATE);
    expect(platform.seen.filter(isUpdate)).toEqual([]);
    expect(await fixture.ledger.runs.counts(id)).toEqual({ not_sent: 4 });
    expect(end).toMatchObject({ status: 'interrupted', counts: { not_sent: 4 } });
    expect(await resume(id)).toMatchObject({ counts: { succeeded: 4 } });
  });

  it('are asked while all steps are checked, and not again when their step is planned with real results', async () => {
    const end = await run();
    expect(end).toMatchObject({ counts: { succeeded: 4 }, exitCode: 0 });
    expect(asked()).toEqual(['C1', 'C2', 'C3', 'C4']);
    const sent = platform.seen.filter(isUpdate).map(({ body }) => [body.crmCustomerId, body.branchName]);
    expect(sent).toContainEqual(['ID-C2', 'Group C2']);
    expect(await readLines(end.output!, 'Summary')).toContainEqual(['lookups', '4']);
  });

  it('a platform that does not respond while all is checked stops the run: exit 4, nothing sent, resumable', async () => {
    platform.answer = (seen) =>
      isQuery(seen) && seen.query.get('channelCustomerId') !== 'C1' ? 'reset' : answered(seen);
    const end = await run();
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, reason: { params: { run: end.run } } });
    expect(platform.seen.filter((it) => !isQuery(it))).toEqual([]);
    platform.answer = answered;
    platform.seen.length = 0;
    expect(await resume(end.run)).toMatchObject({ counts: { succeeded: 4 }, exitCode: 0 });
    expect(asked().toSorted()).toEqual(['C2', 'C3', 'C4']);
    expect(platform.seen.filter(isBind)).toHaveLength(4);
  });

  it.each([
    ['answers nobody', 'reset' as const, 'lookup.too_many_failures'],
    ['wants too long a pause', { status: 429, headers: { 'retry-after': '99999' }, body: {} }, 'lookup.'],
    ['refuses us', { status: 401, body: {} }, 'lookup.refused'],
  ])('a platform that %s when a later step is planned again: exit 4, resumable', async (_, answer, code) => {
    platform.answer = (seen) =>
      isQuery(seen) && seen.query.get('channelCustomerId') !== 'C1' ? answer : answered(seen);
    const end = await run({}, LATE);
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, counts: { not_sent: 4 } });
    expect(end.reason?.code).toContain(code);
    expect(end.reason?.params.run ?? end.run).toBe(end.run);
    expect(await fixture.ledger.runs.get(end.run)).toMatchObject({ state: 'stopped', exitCode: 4 });
    expect(platform.seen.filter(isBind)).toHaveLength(4);
    platform.answer = answered;
    platform.seen.length = 0;
    expect(await resume(end.run)).toMatchObject({ counts: { succeeded: 4 }, exitCode: 0 });
    expect(platform.seen.filter(isBind)).toEqual([]);
    expect(asked().toSorted()).toEqual(['C2', 'C3', 'C4']);
    const sent = platform.seen.filter(isUpdate).map(({ body }) => body.branchName);
    expect(sent).toEqual(['Group C1', 'Group C2', 'Group C3', 'Group C4']);
  });

  it('offline nothing is requested while steps are checked, and the fields that were left unchecked are named', async () => {
    await fixture.file('rows.csv', ROWS);
    const file = await fixture.file('job.yaml', job());
    const loaded = await loadSendingJob(file, { env: {}, operations: ALL_OPERATIONS, set: [] });
    const own = { ...loaded, output: { file: `${fixture.folder}/out.csv` } };
    const end = await startRun(fixture.parts(), own, platform.connection(), 'dry_run', { offline: true });
    expect(end.counts).toEqual({ valid: 4 });
    expect(platform.seen).toEqual([]);
    expect(end.warnings?.map(({ code }) => code)).toContain('lookup.offline');
  });
});
