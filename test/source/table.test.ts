import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Row } from '../../src/model/row.js';
import { openSource } from '../../src/source/open-source.js';
import { openJoined, openTable, type Table } from '../../src/source/table.js';
import { memoryWorkbook as workbook } from '../support/memory-workbook.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'table-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function csvTable(content: string, headerRow = 1, resultColumns: string[] = []): Promise<Table> {
  const file = path.join(folder, 'in.csv');
  await writeFile(file, content);
  return openTable(await openSource(file, { headerRow }), { headerRow, resultColumns });
}

async function rowsOf(table: Table): Promise<(readonly (string | number)[])[]> {
  const rows: (readonly (string | number)[])[] = [];
  for await (const page of table.rows()) {
    expect(page.length).toBeGreaterThan(0);
    for (const it of page) rows.push([it.number, ...it.cells().map((cell) => cell.text)]);
  }
  return rows;
}

const RESULT = ['row', 'status', 'licenseOrderId', 'code', 'message', 'attempts', 'run'];

describe('a text file is read as one table', () => {
  it('has the headers of its header row and the rows after it, whatever stands before', async () => {
    const table = await csvTable('Report\nof,today,x,y,z\n\n Order No ,Qty,,ＱＴＹ\n1,2,3,4\n5,6,,\n', 4);
    expect(table).toMatchObject({ headerRow: 4, fromResult: false, resultColumns: [] });
    expect(table.headers).toEqual([
      { column: 1, text: ' Order No ', folded: 'order no' },
      { column: 2, text: 'Qty', folded: 'qty' },
      { column: 4, text: 'ＱＴＹ', folded: 'qty' },
    ]);
    expect(await rowsOf(table)).toEqual([
      [5, '1', '2', '3', '4'],
      [6, '5', '6'],
    ]);
  });

  it('has errors of rows with more fields than the header, or filled where it is empty', async () => {
    const table = await csvTable('a,b,,c\n1,2,,3\n\n1,2\n1,2,,3,,x\n1,2,note,3\n1,2,,3,,\n1,2, ,3, ,\n  \n');
    const found: Record<number, unknown> = {};
    for await (const page of table.rows()) {
      for (const { number, faults } of page) {
        if (faults) found[number] = faults.map((it) => [it.column, it.message.code, it.message.params]);
      }
    }
    expect(found).toEqual({
      5: [[6, 'source.csv_row_long', { found: 6, expected: 4, header: 1 }]],
      6: [[3, 'source.csv_no_header', { header: 1 }]],
    });
  });

  it.each([
    ['a line end', 'a,b,c\n1,2,3\n1,2\n', [3], []],
    ['a line end of CR', 'a,b,c\r1,2,3\r1\r', [3], []],
    ['no line end', 'a,b,c\n1\n1,2', [2], [3]],
    ['no line end, in quotes', 'a,b,c\n1\n"1","2"', [2], [3]],
    ['no line end, but all fields', 'a,b,c\n1\n1,2,', [2], []],
    ['no line end, after an end mark', 'a,b,c\n1,2\x1a', [], [2]],
    ['a line end before an end mark', 'a,b,c\r\n1,2\r\n\x1a', [2], []],
    ['blanks only and no line end', 'a,b,c\n1,2\n  ', [2], []],
  ])(
    'marks short lines; the last one is an error if the file ends in it: %s',
    async (_, content, short, cut) => {
      const rows: Row[] = [];
      for await (const page of (await csvTable(content)).rows()) rows.push(...page);
      expect(rows.filter((it) => it.isShort).map((it) => it.number)).toEqual(short);
      const invalid = rows.filter((it) => it.faults);
      expect(invalid.map((it) => it.number)).toEqual(cut);
      for (const { faults } of invalid)
        expect(faults!.map((it) => it.message.code)).toEqual(['source.csv_row_cut_off']);
    },
  );

  it('takes empty fields beyond the header, and lacking ones under an empty header', async () => {
    expect(await rowsOf(await csvTable('a,b\n1,2,,,\n'))).toEqual([[2, '1', '2']]);
    expect(await rowsOf(await csvTable('a,b,,\n1,2\n3,4,,\n'))).toEqual([
      [2, '1', '2'],
      [3, '3', '4'],
    ]);
  });

  it('whose header line is invalid is refused', async () => {
    await expect(csvTable('a,"b"x\n1,2\n')).rejects.toMatchObject({
      detail: { code: 'source.csv_header_fault', params: { row: 1 } },
      others: [{ code: 'source.csv_text_after_quote' }],
    });
    expect(await rowsOf(await csvTable('Title 5" long\na,b\n1,2\n', 2))).toEqual([[3, '1', '2']]);
  });

  it('without a header is refused, naming the row where it should be', async () => {
    await expect(csvTable('a,b\n\n1,2\n', 2)).rejects.toMatchObject({
      detail: { code: 'source.header_missing_elsewhere', params: { row: 2, sheet: 'in', found: 1 } },
    });
    await expect(csvTable('1,2\n\n3,4\n', 2)).rejects.toMatchObject({
      detail: { code: 'source.header_missing', params: { row: 2, sheet: 'in' } },
    });
    await expect(csvTable('')).rejects.toMatchObject({ detail: { code: 'source.sheet_empty' } });
    await expect(csvTable(' , \n1,2\n')).rejects.toMatchObject({ detail: { code: 'source.header_missing' } });
  });

  it('of a result of ours loses its result columns and the marks against formulas', async () => {
    const columns = [...RESULT.slice(0, 5), 'customerId', ...RESULT.slice(5)];
    const table = await csvTable(`${columns},'=x,run\n2,succeeded,,,,,1,r,'=1,mine\n`, 1, ['customerId']);
    expect(table.fromResult).toBe(true);
    expect(table.headers.map((it) => [it.column, it.text])).toEqual([
      [9, '=x'],
      [10, 'run'],
    ]);
    expect((await rowsOf(table))[0]!.slice(-2)).toEqual(['=1', 'mine']);
  });

  it('may have a header that begins like a formula, while a field that does is a formula without a result', async () => {
    const table = await csvTable('No,=SUM(A1)\n1,=A2\n');
    expect(table.headers.map((it) => it.text)).toEqual(['No', '=SUM(A1)']);
    for await (const [row] of table.rows())
      expect(row?.cell(2)).toMatchObject({ kind: 'no_result', raw: '=A2' });
  });

  it('that only looks like a result is an ordinary one', async () => {
    const other = await csvTable(`${RESULT.slice(0, 5)},unheard,attempts,run,x\n${'1,'.repeat(8)}'=1\n`);
    expect(other.fromResult).toBe(false);
    expect((await rowsOf(other))[0]!.at(-1)).toBe("'=1");
    expect((await csvTable('status,row\n1,2\n')).headers).toHaveLength(2);
  });
});

describe('the sheet of a workbook is the one that the job names', () => {
  const book = workbook({ Cover: [['x']], Orders: [['a'], ['1']], 'My Items': [['b'], ['2']] }, ['Cover']);

  it('is the first visible one, or the one named or numbered', async () => {
    const name = async (sheet?: string | number) =>
      (await openTable(book, { ...(sheet === undefined ? {} : { sheet }), headerRow: 1, resultColumns: [] }))
        .sheet.name;
    expect(await name()).toBe('Orders');
    expect(await name('Cover')).toBe('Cover');
    expect(await name(3)).toBe('My Items');
    expect(await name(' my  ITEMS')).toBe('My Items');
  });

  it('that is not there is an error with the nearest name', async () => {
    const missing = openTable(book, { sheet: 'Order', headerRow: 1, resultColumns: [] });
    await expect(missing).rejects.toMatchObject({
      kind: 'input',
      detail: {
        code: 'source.sheet_missing_near',
        params: { near: 'Orders', all: 'Cover, Orders, My Items' },
      },
    });
    const table = await openTable(book, { headerRow: 1, resultColumns: [] });
    await expect(openJoined(book, table, '完全不同')).rejects.toMatchObject({
      detail: { code: 'source.sheet_missing' },
    });
    await expect(openTable(book, { sheet: 9, headerRow: 1, resultColumns: [] })).rejects.toMatchObject({
      detail: { code: 'source.sheet_position' },
    });
    expect((await openJoined(book, table, 'my items')).headers[0]!.text).toBe('b');
  });

  it('gives way to Results where that begins as a result of ours, and only then', async () => {
    const result = workbook({
      Orders: [['a'], ['1']],
      Results: [
        [...RESULT, 'a'],
        ['2', 'valid', '', '', '', '1', 'r', 'v'],
      ],
    });
    const opened = await openTable(result, { sheet: 'Orders', headerRow: 3, resultColumns: [] });
    expect(opened).toMatchObject({ sheet: { name: 'Results' }, fromResult: true, headerRow: 1 });
    expect(await rowsOf(opened)).toEqual([[2, '2', 'valid', '1', 'r', 'v']]);
    const other = workbook({ Orders: [['a'], ['1']], Results: [['team', 'goals']] });
    expect((await openTable(other, { headerRow: 1, resultColumns: [] })).sheet.name).toBe('Orders');
  });
});
