import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportResult } from '../../src/run/report/export-result.js';
import { resolveRows } from '../../src/run/resolve/resolve-run.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { systemClock } from '../../src/util/clock.js';
import { loadWorkbook } from '../../src/util/exceljs-private.js';
import { workbook } from '../fixtures/workbook.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

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
  'enterprise.create': ({ body }) =>
    done({ enterpriseGlobalId: `E-${body.crmCustomerId}`, defaultType: true, members: MEMBERS }),
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
  const file = input.file ?? (await fixture.file('rows.csv', input.rows ?? ''));
  return fixture.run(await fixture.file('job.yaml', job), {
    connection: platform.connection(),
    input: file,
    extension,
    set: ['run.retries=0', ...set],
  });
}

const results = (end: RunEnd) => readSheet(end.output ?? '');
const single = (operation: keyof typeof SINGLE_JOBS): string =>
  `version: 1\nname: single\noperation: ${operation}\nsource: { file: rows.csv }\nmap:${SINGLE_JOBS[operation]}`;

describe('the rows that need a person', () => {
  it.each(['.xlsx', '.csv'] as const)('are exported alone, and can be run (%s)', async (extension) => {
    platform.answer = (seen) =>
      seen.body.channelOrderId === 'SO-2'
        ? { body: { code: '13004', message: 'no', cause: '' } }
        : ordersDone(seen);
    const first = await run(orderJob(), { rows: orderRows(4) }, [], extension);
    const record = (await fixture.ledger.runs.get(first.run))!;
    const file = path.join(fixture.folder, `attention${extension}`);
    await exportResult(fixture.parts(), record, file, true);
    expect((await readSheet(file)).map((it) => it.status)).toEqual(['rejected']);
    platform.answer = ordersDone;
    const again = await run(orderJob(), { file }, [], extension);
    expect(again).toMatchObject({ rows: 1, counts: { succeeded: 1 } });
    expect(platform.seen.map((it) => it.body.channelOrderId)).toEqual([
      'SO-1',
      'SO-2',
      'SO-3',
      'SO-4',
      'SO-2',
    ]);
  });
});

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

  it('an id that a person reported', async () => {
    platform.answer = () => 'reset';
    const first = await run(orderJob(), { rows: orderRows(1) });
    const parts = { ledger: fixture.ledger, stateFolder: fixture.folder, clock: systemClock, who: 'wang' };
    const stored = await fixture.ledger.runs.get(first.run);
    await resolveRows(parts, stored!, [{ row: 2, as: 'succeeded', licenseOrderId: 'LO-77' }]);
    const [line] = await results(await run(orderJob(), { file: first.output ?? '' }));
    expect(line).toMatchObject({ status: 'skipped', licenseOrderId: 'LO-77', code: '' });
  });

  it('once the earlier run is pruned, too', async () => {
    const first = await run(orderJob(), { rows: orderRows(1) });
    const [before] = await results(first);
    await fixture.ledger.runs.prune(Date.now() + 1);
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

describe('a cell that only a workbook shows to be invalid', () => {
  const cell = (at: string, text: string, style: number, value: string): string =>
    `<row r="${at}"><c r="A${at}" s="${style}"><v>${value}</v></c><c r="B${at}" t="inlineStr"><is><t>${text}</t></is></c></row>`;
  const header =
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Id</t></is></c><c r="B1" t="inlineStr"><is><t>Name</t></is></c></row>';
  const rows = [
    cell('2', 'a rounded number', 0, '123456789012345680'),
    cell('3', 'a date', 1, '46085'),
    cell('4', 'a time of day', 2, '0.5'),
    cell('5', 'hidden decimals', 3, '1234.5'),
    cell('6', 'sound', 0, '17'),
  ];

  it('stays invalid in a result of text, until it is corrected', async () => {
    const input = await fixture.file(
      'rows.xlsx',
      workbook({ sheet: header + rows.join(''), formats: ['yyyy-mm-dd', 'hh:mm', '0'] }),
    );
    platform.answer = REPLIES['enterprise.create'];
    const job = single('enterprise.create');
    const skip = ['run.onInvalid=skip'];
    const first = await run(job, { file: input }, skip, '.csv');
    expect(first).toMatchObject({ counts: { invalid: 4, succeeded: 1 } });
    const again = await run(job, { file: first.output! }, skip, '.csv');
    expect(again).toMatchObject({ counts: { invalid: 4, skipped: 1 }, requests: 0 });

    const text = (await readFile(again.output!, 'utf8')).replace(
      '#N/A,hidden decimals',
      '1234.5,hidden decimals',
    );
    const corrected = await run(job, { file: await fixture.file('corrected.csv', text) }, skip);

    expect(corrected).toMatchObject({ counts: { invalid: 3, skipped: 1, succeeded: 1 } });
    expect(platform.seen.map(({ body }) => body.crmCustomerId)).toEqual(['17', '1234.5']);
  });

  it.each(['.xlsx', '.csv'] as const)(
    'is the same again as it was shown, in a %s result',
    async (extension) => {
      const shown = [
        '<row r="2"><c r="A2"><v>17</v></c><c r="B2" s="1"><v>1.1</v></c></row>',
        '<row r="3"><c r="A3"><v>18</v></c><c r="B3" s="2"><v>3</v></c></row>',
      ];
      const content = { sheet: header + shown.join(''), formats: ['0.00', '#,##0.0'] };
      const input = await fixture.file('rows.xlsx', workbook(content));
      platform.answer = REPLIES['enterprise.create'];
      const first = await run(single('enterprise.create'), { file: input }, [], extension);
      expect(platform.seen.map(({ body }) => body.customerName).sort()).toEqual(['1.10', '3.0']);
      const again = await run(single('enterprise.create'), { file: first.output! }, [], extension);
      expect(again).toMatchObject({ counts: { skipped: 2 }, requests: 0 });
    },
  );
});

describe('a number whose format shows more than its digits', () => {
  const formats = ['"LK"0000', '0000-0000', '#,##0.00'];
  const cell = (at: string, style: number, value: string): string =>
    `<c r="${at}"${style === 0 ? '' : ` s="${style}"`}><v>${value}</v></c>`;
  const text = (at: string, value: string): string =>
    `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = [7001, 7002, 7003, 7004].map((value, index) => {
    const row = index + 2;
    const name = row === 5 ? '' : text(`B${row}`, `name ${row}`);
    return `<row r="${row}">${cell(`A${row}`, (index % 3) + 1, String(value))}${name}${cell(`C${row}`, 1, '12')}${cell(`D${row}`, 3, '5')}</row>`;
  });
  const header = `<row r="1">${text('A1', 'Id')}${text('B1', 'Name')}${text('C1', 'Branch')}${text('D1', 'Amount')}</row>`;
  const job = single('enterprise.create')
    .replace('branchName: { value: B }', 'branchName: Branch')
    .replace('file: rows.csv', `file: rows.csv, where: 'row["Amount"] == "5"'`);
  const completed = async (file: string): Promise<string> =>
    fixture.file('completed.csv', (await readFile(file, 'utf8')).replace(/,,(?=[^,]*,[^,]*\r\n$)/, ',Late,'));
  const ids = () => platform.seen.map(({ body }) => body.crmCustomerId).sort();

  it.each([
    ['a column', ['7001', '00007002', '7003', '7004'], (it: string) => it],
    [
      'a template',
      ['C-7001', 'C-00007002', 'C-7003', 'C-7004'],
      (it: string) => it.replace('crmCustomerId: Id', 'crmCustomerId: { template: "C-{Id}" }'),
    ],
    [
      'an expression, which takes the text',
      ['LK7001', '0000-7002', '7003', 'LK7004'],
      (it: string) => it.replace('crmCustomerId: Id', 'crmCustomerId: { expr: \'row["Id"]\' }'),
    ],
  ])('is the same identifier in a .csv result, in %s', async (_, expected, changed) => {
    const input = await fixture.file('rows.xlsx', workbook({ sheet: header + rows.join(''), formats }));
    platform.answer = REPLIES['enterprise.create'];
    const skip = ['run.onInvalid=skip'];
    const first = await run(changed(job), { file: input }, skip, '.csv');
    expect(first).toMatchObject({ counts: { succeeded: 3, invalid: 1 } });
    const again = await run(changed(job), { file: await completed(first.output!) }, [], '.csv');
    expect(again).toMatchObject({ counts: { succeeded: 1, skipped: 3 } });
    expect(ids()).toEqual([...expected].sort());
    // The condition reads the text, too; a field that is no identifier keeps what was shown.
    expect(new Set(platform.seen.map(({ body }) => body.branchName))).toEqual(new Set(['LK0012']));
  });
});

describe('a row that was skipped as hidden stays skipped when the result is run', () => {
  const text = (at: string, value: string): string =>
    `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const line = (row: number, id: string, name: string, hidden = ''): string =>
    `<row r="${row}"${hidden}>${text(`A${row}`, id)}${text(`B${row}`, name)}</row>`;
  const hidden = ' hidden="1"';
  const book = (...lines: readonly string[]) =>
    workbook({ sheet: [line(1, 'Id', 'Name'), ...lines].join('') });
  const job = single('enterprise.create');
  const skip = 'source.hiddenRows=skip';

  /** As spreadsheet programs do when a filter is cleared. */
  async function showAll(file: string): Promise<void> {
    const book = new (await loadWorkbook())();
    await book.xlsx.readFile(file);
    book.getWorksheet('Results')?.eachRow((row) => {
      row.hidden = false;
    });
    await book.xlsx.writeFile(file);
  }

  it.each([
    ['.csv', 'en'],
    ['.csv', 'zh'],
    ['.xlsx', 'en'],
    ['.xlsx', 'zh'],
  ] as const)('a %s in which no row is hidden, in %s', async (extension, language) => {
    const file = await fixture.file('rows.xlsx', book(line(2, '17', 'one'), line(3, '18', 'two', hidden)));
    const options = {
      connection: platform.connection(),
      extension,
      parts: { language },
      set: [skip, 'safety.duplicates=send'],
    };
    const jobFile = await fixture.file('job.yaml', job);
    platform.answer = REPLIES['enterprise.create'];
    const check = await fixture.run(jobFile, { ...options, input: file, dryRun: true });
    expect(check.counts).toEqual({ valid: 1, skipped: 1 });
    let input = check.output!;
    // A chain of results keeps it, too.
    for (const _ of ['first', 'second']) {
      if (extension === '.xlsx') await showAll(input);
      const end = await fixture.run(jobFile, { ...options, input });
      expect(end.counts).toEqual({ succeeded: 1, skipped: 1 });
      expect((end.warnings ?? []).map((it) => it.code)).toContain('run.hidden_rows');
      input = end.output!;
    }
    expect(platform.seen.map(({ body }) => body.crmCustomerId)).toEqual(['17', '17']);

    // The job decides about hidden rows, here as everywhere.
    const included = await fixture.run(jobFile, { ...options, input, set: ['source.hiddenRows=include'] });
    expect(included.counts).toEqual({ skipped: 1, succeeded: 1 });
    expect(platform.seen.at(-1)?.body.crmCustomerId).toBe('18');
    const refused = fixture.run(jobFile, { ...options, input, set: ['source.hiddenRows=refuse'] });
    await expect(refused).rejects.toMatchObject({ detail: { code: 'run.hidden_refused' } });
  });

  it('also if `where` excluded it, and if its key is the label of a total', async () => {
    const lines = [
      line(2, '17', 'one'),
      line(3, '18', 'two', hidden),
      line(4, '17 Total', '1', hidden),
      line(5, 'Grand Total', '1', hidden),
    ];
    platform.answer = REPLIES['enterprise.create'];
    const first = await run(
      job,
      { file: await fixture.file('rows.xlsx', book(...lines)) },
      [skip, `source.where=row["Name"] != "two"`],
      '.csv',
    );
    expect(first.counts).toEqual({ succeeded: 1, skipped: 3 });
    const again = await run(job, { file: first.output! }, [skip], '.csv');
    expect(again).toMatchObject({ counts: { skipped: 4 }, requests: 0 });
  });

  it('in a result of steps', async () => {
    const steps = `version: 1
name: steps
source: { file: rows.csv, hiddenRows: skip }
steps:
  - { name: one, operation: enterprise.create, map: { crmCustomerId: Id, customerName: Name, branchName: { value: B } } }
  - { name: two, operation: activity.participate, map: { identity: Id, activityLabel: { value: A }, source: { value: example.com }, branch: { value: B } } }
`;
    const file = await fixture.file('rows.xlsx', book(line(2, '17', 'one'), line(3, '18', 'two', hidden)));
    const jobFile = await fixture.file('job.yaml', steps);
    const connection = platform.connection();
    const check = await fixture.run(jobFile, { connection, input: file, dryRun: true, extension: '.csv' });
    expect(check.counts).toEqual({ valid: 1, skipped: 1 });
    platform.answer = (seen) =>
      REPLIES['identity' in seen.body ? 'activity.participate' : 'enterprise.create'](seen);
    const end = await fixture.run(jobFile, { connection, input: check.output!, extension: '.csv' });
    expect(end.counts).toEqual({ succeeded: 1, skipped: 1 });
    expect(platform.seen).toHaveLength(2);
  });
});

describe('an apostrophe of a .csv that marks a text', () => {
  it.each(['.xlsx', '.csv'] as const)('marks it in a %s result, along a chain of them', async (extension) => {
    platform.answer = REPLIES['enterprise.create'];
    const job = single('enterprise.create');
    let input = { rows: "Id,Name\n'0017,'24 Ltd\n'+18,two\n" } as Parameters<typeof run>[1];
    for (const counts of [{ succeeded: 2 }, { skipped: 2 }, { skipped: 2 }]) {
      const end = await run(job, input, [], extension);
      expect(end.counts).toEqual(counts);
      const lines = await results(end);
      expect(lines.map((it) => it.Name)).toEqual(["'24 Ltd", 'two']);
      input = { file: end.output! };
    }
    const sent = platform.seen.map(({ body }) => [body.crmCustomerId, body.customerName]);
    expect(sent.sort()).toEqual([
      ['+18', 'two'],
      ['0017', "'24 Ltd"],
    ]);
  });
});
