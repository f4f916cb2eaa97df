import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEnd } from '../../src/run/run-end.js';
import { Fixture } from '../support/job-runs.js';
import { readSheet } from '../support/read-sheet.js';

const BIND_HEADERS = [
  'channelCode',
  'channelCustomerId',
  'customerName',
  'branchName',
  'enterpriseName',
  'passwordMobile',
];
const BIND = `version: 1
name: customers
operation: enterprise.bind
connection: sandbox
run: { onInvalid: skip }
`;
const LOCKS = `version: 1
name: locks
operation: asset.lock
connection: sandbox
source: { file: locks.xlsx }
map: { assetNums: Lock, operatorIdentity: { value: ops } }
batch: { size: 1 }
run: { onInvalid: skip }
`;

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

type Filled = string | number | { readonly number: number; readonly format: string };

async function book(name: string, lines: readonly (readonly Filled[])[]): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Sheet1');
  for (const [at, line] of lines.entries()) {
    for (const [index, filled] of line.entries()) {
      const cell = sheet.getCell(at + 1, index + 1);
      if (typeof filled === 'object') {
        cell.value = filled.number;
        cell.numFmt = filled.format;
      } else cell.value = filled;
    }
  }
  return fixture.file(name, new Uint8Array(await workbook.xlsx.writeBuffer()));
}

async function bodies(end: RunEnd): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { body } of fixture.ledger.plan.bodies(end.run)) found.push(body);
  return found;
}

async function sentLocks(cells: readonly Filled[]): Promise<unknown[]> {
  await book('locks.xlsx', [['Lock'], ...cells.map((it) => [it])]);
  const end = await fixture.run(await fixture.file('locks.yaml', LOCKS), { dryRun: true });
  return bodies(end);
}

describe('identifiers as offices write them', () => {
  it('ids and phones with decimals and thousands separators by their format', async () => {
    const money = (number: number) => ({ number, format: '#,##0.00' });
    await book('customers.xlsx', [
      BIND_HEADERS,
      ['CH01', money(1003), '甲', '北京', '甲集团', money(13800000001)],
    ]);
    const job = await fixture.file('customers.yaml', `${BIND}source: { file: customers.xlsx }\n`);
    expect(await bodies(await fixture.run(job, { dryRun: true }))).toMatchObject([
      { channelCustomerId: '1003', passwordMobile: '13800000001' },
    ]);
  });

  it('a customer in another format, and in a text file, is a repeat', async () => {
    const line = (id: Filled) => ['CH01', id, '甲', '北京', '甲集团', '13800000001'];
    const job = await fixture.file('customers.yaml', `${BIND}source: { file: customers.xlsx }\n`);
    await book('customers.xlsx', [BIND_HEADERS, line(20270001)]);
    expect((await fixture.run(job)).counts).toEqual({ succeeded: 1 });
    for (const format of ['#,##0.00', '0.0', '"SO-"0', '$#,##0']) {
      await book('customers.xlsx', [BIND_HEADERS, line({ number: 20270001, format })]);
      expect((await fixture.run(job)).counts).toEqual({ skipped: 1 });
    }
    const input = await fixture.file('c.csv', `${BIND_HEADERS}\nCH01,'20270001,甲,北京,甲集团,13800000001\n`);
    expect((await fixture.run(job, { input })).counts).toEqual({ skipped: 1 });
  });

  it.each([
    ['0000-000000', 8100000001, '8100000001'],
    ['0000\\ 000000', 8100000002, '8100000002'],
    ['"LK"0000000000', 8100000003, '8100000003'],
    ['"LK"0', 8100000004, '8100000004'],
    ['####-######', 8100000005, '8100000005'],
    ['000-0000-0000', 8100000006, '08100000006'],
    ['0000000000;@', 8100000007, '8100000007'],
    ['0000000000"把"', 8100000008, '8100000008'],
    ['[Red]0000-000000', 8100000009, '8100000009'],
  ])('a lock with the format %s', async (format, number, sent) => {
    expect(await sentLocks([{ number, format }])).toEqual([sent]);
  });

  it('a range of asset numbers with the same letters is not sent', async () => {
    const ranges = ['LK000101-LK000105', 'A8300000001--A8300000003', 'G000001..G000002'];
    // Neither of these is a range: the letters differ, and the second number is smaller.
    const names = ['LK000101-GB000105', 'LK000105-LK000101'];
    expect(await sentLocks([...ranges, ...names])).toEqual(names);
  });

  it('an asset number that was cut off, mistyped or abbreviated is not sent', async () => {
    const ranges = ['8300000159-61', '8300000200--0205', '8300000210..13'];
    const signs = ['8300000142.', '-8300000143', '8300000144_', -8300000145];
    const letters = ['O300000171', '83OO000172', '830000017l', '83000001I3'];
    // Nothing of these is a range or a digit for certain.
    const names = ['8300000159-2', 'LK-8300000160', '83000-00216', 'LOO0000172', '83OO0001721'];
    expect(await sentLocks([...ranges, ...signs, ...letters, ...names])).toEqual(names);
  });

  it.each([
    ['a negative number', -1003, 'is a negative number'],
    ['a blank of an input method', 'C\u3000001', '(U+3000), which looks like another character'],
    ['a wide blank', 'C\u2003001', '(U+2003), which looks like another character'],
    ['a formula typed as text', '=A2', 'is a formula that was typed as text'],
  ])('%s is no customer', async (_, id, text) => {
    await book('customers.xlsx', [BIND_HEADERS, ['CH01', id, '甲', '北京', '甲集团', '13800000001']]);
    const job = await fixture.file('customers.yaml', `${BIND}source: { file: customers.xlsx }\n`);
    const end = await fixture.run(job, { dryRun: true });
    expect(end.counts).toEqual({ invalid: 1 });
    expect((await readSheet(end.output!))[0]!.message).toContain(text);
  });

  it('several locks by what does not separate them, ranges, words and remarks are not sent', async () => {
    const wrong = ['01/8300000102', '03|8300000104', '05+8300000106', '07&8300000108', '09和8300000110'];
    const ranges = ['11-8300000113', '14~8300000116', '17至8300000119', '26—8300000128', '29–8300000130'];
    const rest = ['31…', '32（旧）', '34?', '35*', ' 36 (old)'].concat('24\t8300000125');
    const cells = [...wrong, ...ranges, ...rest].map((it) => `83000001${it}`);
    expect(await sentLocks([...cells, '待定', '见附件', '无', '2把', '#8300000133', '8300000199'])).toEqual([
      '8300000199',
    ]);
  });

  it.each([
    ['.', '8300000120.8300000121.8300000122'],
    ['_', '8300000120_8300000121_8300000122'],
    ['-', '8300000121-8300000120'],
  ])(
    'whole asset numbers joined by "%s" are not sent, and the message names the cell',
    async (sign, text) => {
      await book('locks.xlsx', [['Lock'], [text], ['8300000124-A'], ['8300000123']]);
      const end = await fixture.run(await fixture.file('locks.yaml', LOCKS), { dryRun: true });
      expect(await bodies(end)).toEqual(['8300000124-A', '8300000123']);
      const [row] = await readSheet(end.output ?? '');
      expect(row?.message).toBe(
        `Sheet1!A2 assetNums: "${text}" is several asset numbers joined by "${sign}"; separate them by commas or line breaks`,
      );
      // A lock that is really named so can be sent as it is.
      const asIs = LOCKS.replace('assetNums: Lock', 'assetNums: { column: Lock, asIs: true }');
      expect((await fixture.run(await fixture.file('locks.yaml', asIs), { dryRun: true })).counts).toEqual({
        valid: 3,
      });
    },
  );

  it('two asset numbers joined by a point are not sent, as a number with decimal places', async () => {
    await book('locks.xlsx', [['Lock'], ['8300000120.8300000121'], ['8300000123']]);
    const end = await fixture.run(await fixture.file('locks.yaml', LOCKS), { dryRun: true });
    expect(await bodies(end)).toEqual(['8300000123']);
    expect((await readSheet(end.output ?? ''))[0]?.message).toContain('Sheet1!A2 assetNums: ');
  });

  it.each(['C–1', 'C‑2', 'C−3', 'C①', 'Ⅲ-1', 'C²', '٣٤', 'С-1', '«C-1»', '‹C-1›'])(
    'the look-alike or the quote in %s is not sent',
    async (id) => {
      const lines = [BIND_HEADERS, ['CH01', id, '甲', '北京', '甲集团', '13800000001']];
      await fixture.file(
        'c.csv',
        lines
          .map((it) => it.join(','))
          .join('\n')
          .concat('\n'),
      );
      const job = await fixture.file('customers.yaml', `${BIND}source: { file: c.csv }\n`);
      expect((await fixture.run(job, { dryRun: true })).counts).toEqual({ invalid: 1 });
    },
  );

  it('text markers of text files: an apostrophe is dropped before digits, others are errors', async () => {
    const good = "CH01,'001021,甲,北京,甲集团,'+8613800000001";
    const backquote = 'CH01,`001022,乙,北京,乙集团,13800000002';
    const formula = 'CH01,1023,"=HYPERLINK(""https://crm/2"";""乙"")",北京,乙集团,13800000002';
    await fixture.file('c.csv', `${[BIND_HEADERS.join(','), good, backquote, formula].join('\n')}\n`);
    const job = await fixture.file('customers.yaml', `${BIND}source: { file: c.csv }\n`);
    const end = await fixture.run(job, { dryRun: true });
    expect(end.counts).toEqual({ valid: 1, invalid: 2 });
    expect(await bodies(end)).toMatchObject([
      { channelCustomerId: '001021', passwordMobile: '+8613800000001' },
    ]);
  });

  it('a header of a text file that begins like a formula is a header', async () => {
    await fixture.file('c.csv', `${BIND_HEADERS},=SUM(A1)\nCH01,1003,甲,北京,甲集团,13800000001,1\n`);
    const job = await fixture.file('customers.yaml', `${BIND}source: { file: c.csv }\n`);
    expect((await fixture.run(job, { dryRun: true })).counts).toEqual({ valid: 1 });
  });

  it('asIs sends what the cell shows, but no digits grouped by commas and no invisible characters', async () => {
    const map =
      'map: { channelCode: C, channelCustomerId: { column: Id, asIs: true }, customerName: C, branchName: C, enterpriseName: C, passwordMobile: { value: "13800000001" } }';
    const job = await fixture.file('customers.yaml', `${BIND}source: { file: c.csv }\n${map}\n`);
    const ids = ['1003.0', '`1', '无', 'C–1', '"1,003"', '1\u200b2'];
    await fixture.file('c.csv', `C,Id\n${ids.map((it, index) => `K${index},${it}\n`).join('')}`);
    const end = await fixture.run(job, { dryRun: true });
    const found = (await bodies(end)).map((it) => (it as { channelCustomerId: string }).channelCustomerId);
    expect(found).toEqual(['1003.0', '`1', '无', 'C–1']);
    expect(end.counts).toEqual({ valid: 4, invalid: 2 });
    await book('c.xlsx', [
      ['C', 'Id'],
      ['K', { number: 1003, format: '0.00' }],
    ]);
    const input = `${fixture.folder}/c.xlsx`;
    expect(await bodies(await fixture.run(job, { dryRun: true, input }))).toMatchObject([
      { channelCustomerId: '1003.00' },
    ]);
  });
});
