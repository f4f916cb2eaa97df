import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Correction } from '../../../src/model/row.js';
import { SILENT } from '../../../src/run/observer.js';
import { exportCorrectedInput } from '../../../src/run/report/export-result.js';
import {
  ASSET,
  CUSTOMER,
  correction,
  NODES,
  ORDER,
  randomCorrection,
  randomSheet,
  seeded,
  sheetOf,
} from '../../support/corrected-sheets.js';
import { Fixture } from '../../support/job-runs.js';
import { orderJob } from '../../support/orders.js';
import { readLines } from '../../support/read-sheet.js';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(() => fixture.close());

const SEEDS = Number(process.env.CORRECTION_SEEDS ?? 12);

async function jobFor(source = '', extra = ''): Promise<string> {
  const text = orderJob({ extra: `connection: sandbox\n${extra}` });
  return fixture.file('job.yaml', text.replace('orders.csv }', `orders.csv${source} }`));
}

/** Each row's status, and what would be sent of it. */
async function outcome(job: string, input: string, corrections?: readonly Correction[]) {
  const end = await fixture.run(job, { dryRun: true, input, ...(corrections ? { corrections } : {}) });
  const rows: Record<number, unknown> = {};
  for await (const page of fixture.ledger.report.rows(end.run, 'valid')) {
    for (const { row, status } of page) {
      const items = (await fixture.ledger.report.row(end.run, row))?.items ?? [];
      rows[row] = [status, ...items.map((it) => JSON.stringify(it.body))];
    }
  }
  return { end, rows };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: { readonly detail: { readonly code: string } }) => error.detail.code,
  );
}

const LINES = [
  ['SO-1', 'Customer 1', 'A1', 'many', ''],
  ['SO-2', 'Customer 2', 'A2', '5', ''],
  ['', '', '', '', ''],
  ['SO-4', 'Customer 4', 'A4', '5', ''],
  ['Total', '', '', '15', ''],
];

describe('a run whose cells were corrected', () => {
  it('reads them so, and says on each row what was corrected, from what, by whom', async () => {
    const input = await fixture.file('in.xlsx', sheetOf(LINES));
    const job = await jobFor();
    const { end, rows } = await outcome(job, input, [
      correction(2, NODES, '7'),
      correction(3, CUSTOMER, '=1+1'),
    ]);
    expect(rows[2]).toEqual(['valid', expect.stringContaining('"limitConcurrent":7')]);
    expect(rows[3]).toEqual(['valid', expect.stringContaining('"customerName":"=1+1"')]);
    const [header = [], first = [], second = []] = await readLines(end.output!, 'Results');
    const message = header.indexOf('message');
    expect(first[message]).toBe('D2 corrected from "many" by wang');
    expect(second[message]).toBe('B3 corrected from "Customer 2" by wang');
    expect(first[header.indexOf('Nodes')]).toBe('7');
  });

  it('makes a row of one that was empty, data of one that was none, and none of what was emptied', async () => {
    const input = await fixture.file('in.xlsx', sheetOf(LINES));
    const job = await jobFor();
    const { rows } = await outcome(job, input, [
      correction(2, NODES, '1'),
      correction(4, ORDER, 'SO-3'),
      correction(4, CUSTOMER, 'Customer 3'),
      correction(4, ASSET, 'A3'),
      correction(4, NODES, '3'),
      correction(6, ORDER, 'SO-6'),
      correction(6, CUSTOMER, 'Customer 6'),
      correction(6, ASSET, 'A6'),
      ...[ORDER, CUSTOMER, ASSET, NODES].map((column) => correction(5, column, '')),
    ]);
    expect(Object.entries(rows).map(([row, reported]) => `${row} ${(reported as string[])[0]}`)).toEqual([
      '2 valid',
      '3 valid',
      '4 valid',
      '5 skipped',
      '6 valid',
    ]);
  });

  it('skips an excluded row, whose cells still fill those below; also when its result is run', async () => {
    const lines = [
      ['SO-1', 'C1', 'A1', '5', ''],
      ['SO-2', 'C2', 'A2', '7', ''],
      ['SO-3', '', 'A3', '5', ''],
    ];
    const input = await fixture.file('in.xlsx', sheetOf(lines));
    const job = await jobFor(', fillDown: [Customer]', 'output: { file: out.xlsx }\n');
    const corrections = [{ row: 3, column: 0, header: '', text: 'exclude' }];
    const { rows } = await outcome(job, input, corrections);
    expect(rows).toMatchObject({ 3: ['skipped'], 4: ['valid', expect.stringContaining('"C2"')] });
    const { output } = await fixture.run(job, { input, corrections });
    const again = await fixture.run(job, { input: output! });
    expect(await fixture.ledger.runs.counts(again.run)).toEqual({ skipped: 3 });
  });

  it.each([
    ['a header', [correction(1, NODES, '7')], 'corrections.header'],
    ['a cell beyond the headers', [{ row: 2, column: 9, header: '', text: '7' }], 'corrections.beyond'],
    ['a row past the end', [correction(7, NODES, '7')], 'corrections.past_end'],
    ['another header', [{ row: 2, column: NODES, header: 'Seats', text: '7' }], 'corrections.other_header'],
    ['control characters', [correction(2, NODES, '\u0001')], 'corrections.unwritable'],
  ] as const)('is refused for %s', async (_, corrections, code) => {
    const input = await fixture.file('in.xlsx', sheetOf(LINES));
    expect(await codeOf(fixture.run(await jobFor(), { dryRun: true, input, corrections }))).toBe(code);
  });

  it('sends a cell by itself that a merged range hides, and leaves the others of the range alone', async () => {
    const lines = [
      ['SO-1', 'C', 'A1', '5', ''],
      ['', 'C', 'A2', '5', ''],
      ['', 'C', 'A3', '5', ''],
    ];
    const input = await fixture.file('in.xlsx', sheetOf(lines, { merged: ['A2:A4'] }));
    const filled = await outcome(await jobFor(', merged: fill'), input, [correction(3, ORDER, 'SO-9')]);
    expect(filled.rows[3]).toEqual(['valid', expect.stringContaining('A2')]);
    expect(filled.rows[2]).toEqual(filled.rows[4]);
    const refused = await outcome(await jobFor(), input, [correction(3, ORDER, 'SO-9')]);
    expect([2, 3, 4].map((row) => (refused.rows[row] as string[])[0])).toEqual(['valid', 'valid', 'invalid']);
  });

  it('is retried with its corrections, and its rows are explained with them', async () => {
    const input = await fixture.file('in.csv', 'Order,Customer,Asset,Nodes\nSO-1,C,A1,many\n');
    const job = await jobFor();
    const { end, rows } = await outcome(job, input, [{ ...correction(2, NODES, '7') }]);
    expect(rows[2]).toEqual(['valid', expect.stringContaining('"limitConcurrent":7')]);
    const { explainRow } = await import('../../../src/run/report/explain.js');
    const run = (await fixture.ledger.runs.get(end.run))!;
    const { source } = await explainRow(fixture.ledger, run, 2);
    expect(source).toMatchObject({ kind: 'cells', corrected: [{ before: 'many', text: '7', who: 'wang' }] });
  });
});

describe('the corrected copy of an input', () => {
  async function copyOf(run: string, name: string): Promise<string> {
    const services = { ledger: fixture.ledger, language: 'en' as const, observer: SILENT };
    const file = path.join(fixture.folder, name);
    return exportCorrectedInput(services, (await fixture.ledger.runs.get(run))!, file);
  }

  it.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
    'gives the same job the same items, seed %i',
    async (seed) => {
      const random = seeded(seed);
      const sheet = randomSheet(random);
      const input = await fixture.file('in.xlsx', sheetOf(sheet.lines, sheet));
      const job = await jobFor(sheet.source, 'run: { onInvalid: skip }\n');
      const last = sheet.lines.findLastIndex((it) => it.some((text) => text !== '')) + 2;
      const corrections = Array.from({ length: 1 + random(6) }, (_, nth) =>
        randomCorrection(random, sheet, nth),
      ).filter((it) => it.row <= last);
      if (corrections.length === 0) return;
      const { end, rows } = await outcome(job, input, corrections);
      const excluded = corrections.filter(({ column }) => column === 0).map(({ row }) => row);
      for (const row of excluded) if (row in rows) expect(rows[row]).toEqual(['skipped']);
      const copying = copyOf(end.run, 'copy.xlsx');
      const isShared = sheet.source.includes('fillDown') || sheet.merged.length > 0;
      if (excluded.length > 0 && isShared && (await codeOf(copying)) !== 'none') {
        expect(await codeOf(copying)).toMatch(/^corrections\.(excluded_shared|still_merged)$/);
        return;
      }
      // They are empty in the copy.
      for (const row of excluded) delete rows[row];
      // Half of a merged range can't be written so that the other half stays the fault that it is.
      if (sheet.merged.length > 0 && sheet.source === '' && (await codeOf(copying)) !== 'none') {
        expect(await codeOf(copying)).toBe('corrections.still_merged');
        return;
      }
      const copy = await copying;
      expect((await outcome(job, copy)).rows, JSON.stringify({ corrections, sheet })).toEqual(rows);
    },
  );

  it('keeps leading zeros and dates, marks the corrected cells and says who did it and when', async () => {
    const input = path.resolve('jobs/data/new-orders.xlsx');
    const job = path.resolve('jobs/new-buy.yaml');
    const before = await outcome(job, input);
    const [headers = []] = await readLines(input, '');
    const header = 'Address';
    const column = headers.indexOf(header) + 1;
    expect(column).toBeGreaterThan(0);
    const { end, rows } = await outcome(job, input, [{ row: 2, column, header, text: '007 Street' }]);
    expect(rows).not.toEqual(before.rows);
    const copy = await copyOf(end.run, 'copy.xlsx');
    expect((await outcome(job, copy)).rows).toEqual(rows);
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(copy);
    const cell = book.worksheets[0]!.getCell(2, column);
    expect(cell.fill).toMatchObject({ fgColor: { argb: 'FFFFEB9C' } });
    expect(JSON.stringify(cell.note)).toMatch(
      /corrected from .* by wang, 2026-0[56]-\d\d [\d:]+ Asia\/Shanghai/,
    );
    expect(book.worksheets[0]!.getCell(3, column).fill).toBeUndefined();
  });

  it('of a .csv is a .csv, harmless where a spreadsheet would see a formula, invalid where a line was', async () => {
    const csv =
      'Order;Customer;Asset;Nodes\r\n' +
      'SO-1;001;A1;many\r\n\r\nSO-2;"a;b";A2;5\r\nSO-3;C;A3\r\nSO-4;C"x"y;A4;5\r\n;"C""q" z;A5;1\r\n';
    const input = await fixture.file('in.csv', csv);
    const job = await jobFor('', 'run: { onInvalid: skip }\n');
    const { end, rows } = await outcome(job, input, [
      correction(2, NODES, '7'),
      correction(4, CUSTOMER, '=1+1'),
      correction(5, NODES, '9'),
    ]);
    const copy = await copyOf(end.run, 'copy.csv');
    const text = await readFile(copy, 'utf8');
    expect(text).toContain('SO-1;001;A1;7');
    expect(text).toContain('"=""=1+1"""');
    expect((await outcome(job, copy)).rows).toEqual(rows);
    expect(await codeOf(copyOf(end.run, 'copy.xlsx'))).toBe('corrections.extension');
  });

  it('is none of a run without corrections', async () => {
    const input = await fixture.file('in.xlsx', sheetOf(LINES));
    const { end } = await outcome(await jobFor(), input);
    expect(await codeOf(copyOf(end.run, 'copy.xlsx'))).toBe('corrections.none');
  });
});
