import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEnd } from '../../src/run/run-end.js';
import { resolveRow } from '../../src/run/settle/resolve-run.js';
import { systemClock } from '../../src/util/clock.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Desk } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

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

const SINGLE_JOBS = {
  'enterprise.bind': `
  channelCode: { value: CH }
  channelCustomerId: Id
  customerName: Name
  branchName: { value: B }
  enterpriseName: Name
  passwordMobile: { value: "13800000001" }
`,
  'enterprise.create': `
  crmCustomerId: Id
  customerName: Name
  branchName: { value: B }
`,
  'activity.participate': `
  identity: Id
  activityLabel: { value: ACT }
  source: { value: example.com }
  branch: { value: B }
`,
};

const REPLIES: Readonly<Record<keyof typeof SINGLE_JOBS, (seen: Seen) => Answer>> = {
  'enterprise.bind': ({ body }) =>
    done({ ...body, customerId: `C-${body.channelCustomerId}`, ...ENTERPRISE }),
  'enterprise.create': () => done({ ...ENTERPRISE, defaultType: true, members: MEMBERS }),
  'activity.participate': () => ({
    body: {
      resultCode: '0000',
      resultMessage: 'ok',
      detail: { products: [{ activityId: 'AC1', productUri: 'P' }] },
    },
  }),
};

const ENTERPRISE = { enterpriseGlobalId: 'E77', isDefault: true };
const MEMBERS = ['M1', 'M2'].map((it) => ({ memberGlobalId: it, memberIdentity: `${it}@example.com` }));
const done = (data: unknown): Answer => ({ body: { code: 0, message: 'success', data } });

async function run(
  job: string,
  input: { readonly rows?: string; readonly file?: string },
  set: readonly string[] = [],
  extension: '.xlsx' | '.csv' = '.xlsx',
): Promise<RunEnd> {
  const file = input.file ?? (await desk.file('rows.csv', input.rows ?? ''));
  return desk.run(await desk.file('job.yaml', job), {
    connection: platform.connection(),
    input: file,
    extension,
    set: ['run.retries=0', ...set],
  });
}

const results = (end: RunEnd) => readSheet(end.output ?? '');
const single = (operation: keyof typeof SINGLE_JOBS): string =>
  `version: 1\nname: single\noperation: ${operation}\nsource: { file: rows.csv }\nmap:${SINGLE_JOBS[operation]}`;

describe('a skipped row shows what the earlier run got', () => {
  it.each(['.xlsx', '.csv'] as const)(
    'the ids of an order, along a chain of %s results',
    async (extension) => {
      const first = await run(orderJob(), { rows: orderRows(2) }, [], extension);
      const [one] = await results(first);
      expect(one?.licenseOrderId).not.toBe('');
      let last = first;
      for (const _ of ['second', 'third']) {
        last = await run(orderJob(), { file: last.output ?? '' }, [], extension);
        const [line] = await results(last);
        expect(line).toMatchObject({
          status: 'skipped',
          code: '',
          licenseOrderId: one?.licenseOrderId,
          customerId: one?.customerId,
        });
        // Of the run that got it through, not of the one in between.
        expect(line?.message).toContain(first.run);
      }
    },
  );

  it('an id that a person told', async () => {
    platform.answer = () => 'reset';
    const first = await run(orderJob(), { rows: orderRows(1) });
    const parts = { ledger: desk.ledger, stateFolder: desk.folder, clock: systemClock, who: 'wang' };
    const stored = await desk.ledger.runs.get(first.run);
    await resolveRow(parts, stored!, { row: 2, as: 'succeeded', licenseOrderId: 'LO-77' });
    const [line] = await results(await run(orderJob(), { file: first.output ?? '' }));
    expect(line).toMatchObject({ status: 'skipped', licenseOrderId: 'LO-77', code: '' });
  });

  it('once the earlier run is pruned, too', async () => {
    const first = await run(orderJob(), { rows: orderRows(1) });
    const [before] = await results(first);
    await desk.ledger.runs.prune(Date.now() + 1);
    const [line] = await results(await run(orderJob(), { rows: orderRows(1) }));
    expect(line).toMatchObject({
      status: 'skipped',
      licenseOrderId: before?.licenseOrderId,
      customerId: before?.customerId,
    });
  });

  it('not the ids of one whose content has changed since', async () => {
    await run(orderJob(), { rows: orderRows(1) });
    const changed = orderRows(1).replace('Customer 1', 'Customer One');
    const [line] = await results(await run(orderJob(), { rows: changed }));
    expect(line).toMatchObject({ status: 'invalid', licenseOrderId: '' });
  });

  it.each(['enterprise.bind', 'enterprise.create', 'activity.participate'] as const)(
    'all columns and records of %s',
    async (operation) => {
      platform.answer = REPLIES[operation];
      const first = await run(single(operation), { rows: 'Id,Name\n007,一\n008,二\n' });
      expect(first.counts).toEqual({ succeeded: 2 });
      const rows = 'Id,Name\n009,三\n007,一\n010,四\n008,二\n';
      const second = await run(single(operation), { rows });
      expect(second.counts).toEqual({ succeeded: 2, skipped: 2 });
      const got = (line: Record<string, string> | undefined) => {
        const {
          row: _,
          status: __,
          code: ___,
          message: ____,
          attempts: _____,
          run: ______,
          ...rest
        } = line ?? {};
        return rest;
      };
      const before = await results(first);
      const after = await results(second);
      expect([after[1], after[3]].map(got)).toEqual(before.map(got));
      if (operation === 'enterprise.bind') return;
      const records = await readSheet(second.output ?? '', 'Records');
      const each = operation === 'enterprise.create' ? 2 : 1;
      expect(records.map((it) => it.row)).toEqual(['2', '3', '4', '5'].flatMap((it) => Array(each).fill(it)));
    },
  );
});
