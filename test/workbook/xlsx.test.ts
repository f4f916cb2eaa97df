import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cell, Row } from '../../src/model/row.js';
import { openSource } from '../../src/source/open-source.js';
import { openJoined, openTable } from '../../src/source/table.js';
import { writeResult } from '../../src/workbook/write.js';
import { type CellParts, COLUMNS, line, pages, row, table, text } from '../support/result-table.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'result-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function readBack(file: string, sheet?: string): Promise<{ names: string[]; rows: Row[] }> {
  const source = await openSource(file);
  try {
    const found = sheet === undefined ? source.sheets[0]! : source.sheets.find((it) => it.name === sheet)!;
    const rows: Row[] = [];
    for await (const page of source.rows(found)) rows.push(...page);
    return { names: source.sheets.map((it) => it.name), rows };
  } finally {
    await source.close();
  }
}

const CELLS: readonly (readonly [string, CellParts])[] = [
  ['leading zeros', text('007')],
  ['formula text', text('=1+1')],
  ['phone', text('+8613800000001')],
  ['date-like text', text('2026/1/2')],
  ['true-like text', text('TRUE')],
  ['long digits', text('12345678901234567890')],
  ['Chinese', text('深圳市华信科技有限公司')],
  ['emoji', text('😀👍🏽')],
  ['markup', text('<a href="x">&amp; \'y\'</a>')],
  ['line breaks', text('a\nb\r\nc\rd')],
  ['tab and control', text('a\tb\u0001c\u001fd\u007f')],
  ['noncharacters', text('a\uffffb')],
  ['looks escaped', text('_x0041_ and _x000D_')],
  ['looks escaped before what is escaped', text('_x0041\r\n中 _x005F_x0041_')],
  ['spaces', text('  two  spaces  ')],
  ['only spaces', text('   ')],
  ['whole number', { kind: 'number', text: '12', raw: '12' }],
  ['negative', { kind: 'number', text: '-3.5', raw: '-3.5' }],
  ['padded', { kind: 'number', text: '0012', raw: '12', format: '0000' }],
  ['money', { kind: 'number', text: '1234.5', raw: '1234.5', format: '"¥"#,##0.00' }],
  ['double noise', { kind: 'number', text: '4.6', raw: '4.5999999999999996' }],
  ['date', { kind: 'date', text: '2026-01-31', raw: '46053', format: 'yyyy/mm/dd' }],
  [
    'date and time',
    { kind: 'date', text: '2026-01-31T08:30:00', raw: '46053.354166666664', format: 'yyyy-mm-dd hh:mm' },
  ],
  ['day before the false leap day', { kind: 'date', text: '1900-02-28', raw: '59', format: 'yyyy-mm-dd' }],
  ['1904 date', { kind: 'date', text: '2026-01-31', raw: '44591', format: 'yyyy-mm-dd' }],
  ['ISO date', { kind: 'date', text: '2026-01-31T08:30:00', raw: '2026-01-31T08:30:00' }],
  ['time', { kind: 'time', text: '08:30:00', raw: '0.35416666666666669', format: 'h:mm:ss' }],
  ['duration', { kind: 'duration', text: '30:15:00', raw: '1.2604166666666667', format: '[h]:mm:ss' }],
  ['boolean', { kind: 'boolean', text: 'TRUE', raw: '1' }],
  ['false', { kind: 'boolean', text: 'FALSE', raw: '0' }],
  ['error', { kind: 'error', text: '#N/A', raw: '#N/A' }],
];

describe('cells of the source stay what they are in a result workbook', () => {
  it('are read again as they were', async () => {
    const names = CELLS.map(([name]) => name);
    const source = row(
      2,
      CELLS.map(([, parts]) => parts),
    );
    const file = path.join(folder, 'out.xlsx');
    expect(await writeResult(file, table(names, [line(source)]))).toBe(file);
    const { rows } = await readBack(file);
    const again = rows[1]!;
    const seen = names.map((name, index) => {
      const cell = again.cell(COLUMNS.length + index + 1);
      return [name, cell?.kind, cell?.text];
    });
    expect(seen).toEqual(CELLS.map(([name, parts]) => [name, parts.kind, parts.text]));
  });

  it('keep number formats, and serials to the last digit', async () => {
    const file = path.join(folder, 'out.xlsx');
    const source = row(
      2,
      CELLS.map(([, parts]) => parts),
    );
    await writeResult(
      file,
      table(
        CELLS.map(([name]) => name),
        [line(source)],
      ),
    );
    const { rows } = await readBack(file);
    const cell = (name: string): Cell =>
      rows[1]!.cell(COLUMNS.length + 1 + CELLS.findIndex(([it]) => it === name))!;
    expect(cell('padded')).toMatchObject({ raw: '12', format: '0000' });
    expect(cell('money').format).toBe('"¥"#,##0.00');
    expect(Number(cell('date and time').raw)).toBe(46053.354166666664);
    expect(Number(cell('1904 date').raw)).toBe(46053);
    expect(cell('leading zeros').raw).toBe('007');
  });

  it('that lack a result stay an error; what no number can hold stays whole as text', async () => {
    const file = path.join(folder, 'out.xlsx');
    const source = row(2, [
      { kind: 'no_result', text: '' },
      { kind: 'number', text: '12345678901234567891', raw: '12345678901234567891' },
      { kind: 'error', text: '#SPILL!' },
      { kind: 'date', text: '1582-10-15', raw: '1582-10-15' },
    ]);
    await writeResult(file, table(['a', 'b', 'c', 'd'], [line(source)]));
    const { rows } = await readBack(file);
    expect(rows[1]!.cell(8)).toMatchObject({ kind: 'error', text: '#N/A' });
    expect(rows[1]!.cell(9)).toMatchObject({ kind: 'text', text: '12345678901234567891' });
    expect(rows[1]!.cell(10)?.kind).toBe('error');
    expect(rows[1]!.cell(11)).toMatchObject({ kind: 'text', text: '1582-10-15' });
  });
});

describe('a result workbook is valid input for its job', () => {
  it('is known as one, its own columns set aside and clashing source columns kept', async () => {
    const file = path.join(folder, 'out.xlsx');
    const names = ['Order No', 'status', '__proto__', 'run'];
    const lines = [2, 3, 5].map((number) =>
      line(row(number, [text(`SO-${number}`), text('Approved'), text('p'), text('mine')])),
    );
    await writeResult(file, table(names, lines));
    const source = await openSource(file);
    const opened = await openTable(source, { sheet: 'Orders', headerRow: 7, resultColumns: [] });
    expect(opened).toMatchObject({ fromResult: true, headerRow: 1, sheet: { name: 'Results' } });
    expect(opened.headers.map((it) => it.text)).toEqual(names);
    expect(opened.resultColumns.map((it) => it.text)).toEqual(COLUMNS);
    const status = opened.headers.find((it) => it.text === 'status')!;
    const read: Row[] = [];
    for await (const page of opened.rows()) read.push(...page);
    expect(read.map((it) => [it.number, it.cell(status.column)?.text])).toEqual([
      [2, 'Approved'],
      [3, 'Approved'],
      [4, 'Approved'],
    ]);
    await source.close();
  });

  it('keeps result values: text as text, numbers as numbers, too long messages cut', async () => {
    const file = path.join(folder, 'out.xlsx');
    const long = `${'x'.repeat(32_765)}😀 and more`;
    await writeResult(
      file,
      table(['a'], [line(row(2, [text('v')]), { values: [2, 'failed', '00123', '=500', long, 3, 'run-1'] })]),
    );
    const { rows } = await readBack(file);
    const cells = rows[1]!;
    expect(cells.cell(1)).toMatchObject({ kind: 'number', text: '2' });
    expect(cells.cell(3)).toMatchObject({ kind: 'text', text: '00123' });
    expect(cells.cell(4)).toMatchObject({ kind: 'text', text: '=500' });
    const cut = cells.cell(5)!.text;
    expect(cut.endsWith('x…')).toBe(true);
    expect(cut.length).toBeLessThanOrEqual(32_767);
  });

  it('keeps names of sheets, headers and formats that look escaped', async () => {
    const file = path.join(folder, 'out.xlsx');
    const carried = [row(1, [text('_x0041_')], '_x0042_')];
    const cell = { kind: 'number', text: '7', raw: '7', format: '"_x0043_"0' } as const;
    await writeResult(
      file,
      table(['_x0041_'], [line(row(2, [cell]))], {
        copied: [{ name: '_x0042_', rows: () => pages(carried), marks: () => new Map() }],
      }),
    );
    const { names, rows } = await readBack(file);
    expect(names).toContain('_x0042_');
    expect(rows.map((it) => it.cell(COLUMNS.length + 1))).toMatchObject([
      { text: '_x0041_' },
      { format: '"_x0043_"0' },
    ]);
    expect((await readBack(file, '_x0042_')).rows[0]!.cell(1)?.text).toBe('_x0041_');
  });

  it('has records, processed sheets at their own rows, and a summary under free names', async () => {
    const file = path.join(folder, 'out.xlsx');
    const carried = [
      row(1, [text('Order No'), text('Product')], 'Summary'),
      row(40_000, [text('SO-1'), text('007')], 'Summary'),
    ];
    await writeResult(
      file,
      table(['Order No'], [line(row(2, [text('SO-1')]))], {
        records: {
          columns: ['row', 'assetNumber'],
          lines: pages([
            [2, '8000000001'],
            [2, undefined],
          ]),
        },
        copied: [
          {
            name: 'Summary',
            rows: () => pages(carried),
            marks: () => new Map([[40_000, new Map([[3, 'Summary!C40000 nodes: the cell is empty']])]]),
          },
          { name: 'Results', rows: () => pages([row(1, [text('X')])]), marks: () => new Map() },
        ],
        sandbox: true,
      }),
    );
    const { names } = await readBack(file);
    expect(names).toEqual(['Results', 'Records', 'Summary', 'Results (2)', 'Summary (2)']);
    const records = await readBack(file, 'Records');
    expect(records.rows.map((it) => it.cells().map((cell) => cell.text))).toEqual([
      ['row', 'assetNumber'],
      ['2', '8000000001'],
      ['2'],
    ]);
    expect(records.rows[1]!.cell(2)?.kind).toBe('text');
    const copied = await readBack(file, 'Summary');
    expect(copied.rows.map((it) => [it.number, it.cell(2)?.text])).toEqual([
      [1, 'Product'],
      [40_000, '007'],
    ]);
    const summary = await readBack(file, 'Summary (2)');
    expect(summary.rows.map((it) => it.cell(1)?.text)).toEqual([
      'SANDBOX',
      '1 row: 1 succeeded',
      'job',
      'rows',
    ]);
    const source = await openSource(file);
    const main = await openTable(source, { headerRow: 1, resultColumns: [] });
    expect((await openJoined(source, main, 'summary')).headers.map((it) => it.text)).toEqual([
      'Order No',
      'Product',
    ]);
    expect((await openJoined(source, main, 'Results')).sheet.name).toBe('Results (2)');
    await source.close();
  });

  it('has all its rows in order where they are many', async () => {
    const file = path.join(folder, 'out.xlsx');
    const names = Array.from({ length: 30 }, (_, index) => `c${index}`);
    const value = (number: number, index: number): string =>
      `${number} 行 & ${index} ${'x'.repeat(number % 40)}`;
    const lines = Array.from({ length: 1500 }, (_, at) =>
      line(
        row(
          at + 2,
          names.map((_, index) => (index === at % 30 ? undefined : text(value(at + 2, index)))),
        ),
      ),
    );
    await writeResult(file, table(names, lines, { lines: pages(lines, 100) }));
    const { rows } = await readBack(file);
    expect(rows).toHaveLength(lines.length + 1);
    rows.slice(1).forEach((found, at) => {
      expect(found.number).toBe(at + 2);
      const cells = found.cells().slice(COLUMNS.length - 1);
      const wanted = names.flatMap((_, index) => (index === at % 30 ? [] : [value(at + 2, index)]));
      expect(cells.map((it) => it.text)).toEqual(wanted);
    });
  });

  it('without any line is whole', async () => {
    const file = path.join(folder, 'out.xlsx');
    await writeResult(file, table(['a'], []));
    const { rows } = await readBack(file);
    expect(rows.map((it) => it.cells().map((cell) => cell.text))).toEqual([[...COLUMNS, 'a']]);
  });

  it('is not written when the lines fail, and the old file stays', async () => {
    const file = path.join(folder, 'out.xlsx');
    await writeResult(file, table(['a'], [line(row(2, [text('old')]))]));
    async function* failing() {
      yield Array.from({ length: 300 }, (_, index) => line(row(index + 2, [text('new')])));
      throw new Error('the ledger disagrees');
    }
    await expect(writeResult(file, table(['a'], [], { lines: failing() }))).rejects.toThrow('disagrees');
    const { rows } = await readBack(file);
    expect(rows[1]!.cell(8)?.text).toBe('old');
  });
});
