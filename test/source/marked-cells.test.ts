import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/model/row.js';
import { MarkedCells } from '../../src/source/marked-cells.js';
import { openSource } from '../../src/source/open-source.js';
import { packRow, unpackWholeRow } from '../../src/source/stored-row.js';
import { compound } from '../fixtures/compound.js';
import { workbook, worksheet } from '../fixtures/workbook.js';
import { zip } from '../fixtures/zip.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'marked-cells-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A column of formulas with these stored results, in a workbook that says, or does not say, that it must be calculated. */
interface Book {
  readonly results: readonly number[];
  readonly isPending?: boolean;
  /** The formulas are SUBTOTAL(9,B1:B1). */
  readonly isSubtotal?: boolean;
}

const SUBTOTAL_TOKENS = Buffer.from('1e090025000000000000000042025801', 'hex');

function xlsx({ results, isPending, isSubtotal }: Book): Buffer {
  const formula = isSubtotal ? 'SUBTOTAL(9,B1:B1)' : 'B1';
  const rows = results.map(
    (it, i) => `<row r="${i + 1}"><c r="A${i + 1}"><f>${formula}</f><v>${it}</v></c></row>`,
  );
  const calculation = isPending
    ? '<calcPr calcId="191029" fullCalcOnLoad="1"/>'
    : '<calcPr calcId="191029"/>';
  const sheets = `<sheet name="Data" sheetId="1" r:id="s1"/></sheets>${calculation}<sheets>`;
  return workbook({ sheet: rows.join(''), sheets });
}

function ods({ results, isSubtotal }: Book): Uint8Array {
  const names = ['office', 'table', 'text'].map(
    (it) => `xmlns:${it}="urn:oasis:names:tc:opendocument:xmlns:${it}:1.0"`,
  );
  const formula = isSubtotal ? 'of:=SUBTOTAL(9;[.B1:.B1])' : 'of:=[.B1]';
  const rows = results.map(
    (it) =>
      `<table:table-row><table:table-cell table:formula="${formula}" office:value-type="float" office:value="${it}"/></table:table-row>`,
  );
  const body = `<office:body><office:spreadsheet><table:table table:name="Data">${rows.join('')}</table:table></office:spreadsheet></office:body>`;
  return zip([
    { name: 'mimetype', data: 'application/vnd.oasis.opendocument.spreadsheet', method: 0 },
    {
      name: 'content.xml',
      data: `<office:document-content ${names.join(' ')}>${body}</office:document-content>`,
    },
  ]);
}

/** Numbers of one, two, four and eight bytes. */
function bytes(...values: readonly (readonly [1 | 2 | 4 | 8, number])[]): Buffer {
  return Buffer.concat(
    values.map(([length, value]) => {
      const one = Buffer.alloc(length);
      if (length === 8) one.writeDoubleLE(value);
      else one.writeUIntLE(value, 0, length);
      return one;
    }),
  );
}

const record = (type: number, data: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([bytes([2, type], [2, data.length]), data]);
const begins = (kind: number): Buffer => record(0x809, bytes([2, 0x600], [2, kind], [4, 0]));
const EMPTY_TEXT = bytes([4, 3], [2, 0], [2, 0xffff]);

interface XlsMarks {
  /** The calculation engine that the workbook names. */
  readonly engine?: number | undefined;
  readonly notCalculated?: boolean;
  readonly flags?: number;
  readonly saved?: (it: number) => Buffer;
}

function xlsOf(book: Book, marks: XlsMarks): Buffer {
  const { engine, notCalculated, flags = 0, saved = (it: number) => bytes([8, it]) } = marks;
  const calculated = engine === undefined ? [] : [record(0x1c1, bytes([4, 0x1c1], [4, engine]))];
  const head = Buffer.concat([begins(5), ...calculated]);
  const sheet = (at: number): Buffer =>
    record(0x85, Buffer.concat([bytes([4, at], [4, 0x1000000]), Buffer.from('A')]));
  const at = head.length + sheet(0).length + record(0x0a).length;
  const tokens = book.isSubtotal ? SUBTOTAL_TOKENS : Buffer.alloc(0);
  const cells = book.results.map((it, row) => {
    const formula = [bytes([2, flags], [4, 0], [2, tokens.length]), tokens];
    return record(6, Buffer.concat([bytes([2, row], [2, 0], [2, 0]), saved(it), ...formula]));
  });
  const uncalculated = notCalculated ? [record(0x5e, bytes([2, 0]))] : [];
  const parts = [head, sheet(at), record(0x0a), begins(0x10), ...uncalculated, ...cells, record(0x0a)];
  return compound({ Workbook: Buffer.concat(parts) });
}

const xls = (book: Book): Buffer => xlsOf(book, { engine: book.isPending ? 0 : 191_029 });

function xlsb({ results, isPending, isSubtotal }: Book): Uint8Array {
  const part = (...records: readonly (readonly [number, Buffer?])[]): Buffer =>
    Buffer.concat(
      records.map(([type, data = Buffer.alloc(0)]) => {
        const head = type < 128 ? [type] : [(type & 127) | 128, type >> 7];
        return Buffer.concat([Buffer.from([...head, data.length]), data]);
      }),
    );
  const text = (it: string): Buffer => Buffer.concat([bytes([4, it.length]), Buffer.from(it, 'utf16le')]);
  const calculation = Buffer.concat([
    bytes([4, 191_029], [4, 1], [4, 100], [8, 0.001], [4, 1]),
    bytes([2, isPending ? 1 : 0]),
  ]);
  const sheet = Buffer.concat([bytes([4, 0], [4, 1]), text('s1'), text('Data')]);
  const tokens = isSubtotal ? SUBTOTAL_TOKENS : Buffer.alloc(0);
  const cells = results.flatMap((it, i): (readonly [number, Buffer])[] => [
    [0, bytes([4, i], [4, 0], [4, 0])],
    [9, Buffer.concat([bytes([4, 0], [4, 0], [8, it], [2, 0], [4, tokens.length]), tokens])],
  ]);
  const relation = `<Relationship Id="s1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.bin"/>`;
  return zip([
    { name: '[Content_Types].xml', data: '<Types/>' },
    {
      name: 'xl/_rels/workbook.bin.rels',
      data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation}</Relationships>`,
    },
    { name: 'xl/workbook.bin', data: part([131], [156, sheet], [157, calculation], [132]) },
    { name: 'xl/worksheets/sheet1.bin', data: part([129], [145], ...cells, [146], [130]) },
  ]);
}

async function rowsOf(content: Uint8Array): Promise<readonly Row[]> {
  const file = path.join(folder, 'made.xlsx');
  writeFileSync(file, content);
  const source = await openSource(file);
  try {
    const found: Row[] = [];
    await source.merges?.(source.sheets[0]!);
    for await (const page of source.rows(source.sheets[0]!)) found.push(...page);
    return found;
  } finally {
    await source.close();
  }
}

/** Each cell with its marks: `number 5 pending`, `text abc part`. */
async function read(content: Uint8Array): Promise<readonly string[]> {
  return (await rowsOf(content)).flatMap((row) =>
    row.cells().map(({ kind, text, raw, formula, subtotal, struck }) => {
      return [kind, text || raw, formula, subtotal && 'subtotal', struck].filter(Boolean).join(' ');
    }),
  );
}

async function warningsOf(content: Uint8Array): Promise<readonly string[]> {
  const marked = new MarkedCells();
  for (const row of await rowsOf(content)) if (row.marked) marked.add(row, [1]);
  return marked
    .warnings('Data', [])
    .map(({ code, params }) => `${code} ${params.cell ?? params.cells ?? ''}`);
}

const FORMATS = { xlsx, xls, xlsb, ods } as const;
const MARKED = ['xlsx', 'xls', 'xlsb'] as const;

describe.each(MARKED)('.%s that must be calculated on opening', (format) => {
  const book = { results: [0, 7], isPending: true };

  it('has no result where 0 is stored', async () => {
    expect(await read(FORMATS[format](book))).toEqual(['no_result 0 pending', 'number 7 pending']);
  });

  it('gets one warning for its other results', async () => {
    const more = { results: [0, 7, 8], isPending: true };
    expect(await warningsOf(FORMATS[format](more))).toEqual(['source.formulas_pending A2']);
    expect(await warningsOf(FORMATS[format]({ results: [0], isPending: true }))).toEqual([]);
  });
});

describe.each(['xlsx', 'xls', 'xlsb', 'ods'] as const)('.%s without such a mark', (format) => {
  it('keeps a stored 0', async () => {
    expect(await read(FORMATS[format]({ results: [0, 7] }))).toEqual([
      'number 0 calculated',
      'number 7 calculated',
    ]);
  });

  it('gets a warning on each row of a column whose formulas are all 0', async () => {
    expect(await warningsOf(FORMATS[format]({ results: [0, 0] }))).toEqual([
      'source.formula_zero Data!A1',
      'source.formula_zero Data!A2',
    ]);
    expect(await warningsOf(FORMATS[format]({ results: [0, 7] }))).toEqual([]);
  });

  it('marks formulas with SUBTOTAL', async () => {
    const book = { results: [3], isSubtotal: true };
    expect(await read(FORMATS[format](book))).toEqual(['number 3 calculated subtotal']);
  });
});

describe('the marks of .xls', () => {
  const book = { results: [0] };

  it.each<[string, XlsMarks, string[]]>([
    ['no engine is named', {}, ['no_result 0 pending']],
    ['the engine 0', { engine: 0 }, ['no_result 0 pending']],
    ['the sheet was not calculated', { engine: 191_029, notCalculated: true }, ['no_result 0 pending']],
    ['the formula must be calculated on opening', { engine: 191_029, flags: 2 }, ['no_result 0 pending']],
    ['the formula is always calculated', { engine: 191_029, flags: 1 }, ['number 0 calculated']],
    ['an empty text', { saved: () => EMPTY_TEXT }, ['no_result pending']],
    ['an empty text that was calculated', { engine: 191_029, saved: () => EMPTY_TEXT }, []],
  ])('%s', async (_name, marks, wanted) => {
    expect(await read(xlsOf(book, marks))).toEqual(wanted);
  });
});

describe('what a workbook stores for formulas', () => {
  const sheets = (calculation: string): string =>
    `<sheet name="Data" sheetId="1" r:id="s1"/></sheets><calcPr ${calculation}/><sheets>`;
  const cell = (content: string, type = ''): string =>
    `<row r="1"><c r="A1"${type && ` t="${type}"`}>${content}</c></row>`;
  const pending = (sheet: string): Promise<readonly string[]> =>
    read(workbook({ sheet, sheets: sheets('fullCalcOnLoad="1"') }));

  it.each([
    ['0.0', cell('<f>A2</f><v>0.0</v>'), ['no_result 0 pending']],
    ['-0E0', cell('<f>A2</f><v>-0E0</v>'), ['no_result 0 pending']],
    ['0 as a text', cell('<f>A2</f><v>0</v>', 'str'), ['no_result 0 pending']],
    ['an empty text', cell('<f>A2</f><v></v>', 'str'), ['no_result pending']],
    ['nothing', cell('<f>A2</f>'), ['no_result pending']],
    ['FALSE', cell('<f>A2</f><v>0</v>', 'b'), ['boolean FALSE pending']],
    ['a text', cell('<f>A2</f><v>x</v>', 'str'), ['text x pending']],
    ['a 0 without a formula', cell('<v>0</v>'), ['number 0']],
    [
      'the other cells of an array formula',
      '<row r="1"><c r="A1"><f t="array" ref="A1:B2">C1</f><v>0</v></c><c r="B1"><v>0</v></c><c r="C1"><v>0</v></c></row><row r="2"><c r="A2"><v>0</v></c></row><row r="3"><c r="A3"><v>0</v></c></row>',
      ['no_result 0 pending', 'no_result 0 pending', 'number 0', 'no_result 0 pending', 'number 0'],
    ],
  ])('%s', async (_name, sheet, wanted) => {
    expect(await pending(sheet)).toEqual(wanted);
  });

  it('a calculation that was not completed is such a mark too', async () => {
    const sheet = cell('<f>A2</f><v>0</v>');
    expect(await read(workbook({ sheet, sheets: sheets('calcCompleted="0"') }))).toEqual([
      'no_result 0 pending',
    ]);
    expect(await read(workbook({ sheet, sheets: sheets('calcCompleted="1" fullCalcOnLoad="0"') }))).toEqual([
      'number 0 calculated',
    ]);
  });

  it('a sheet has such a mark, too', async () => {
    const sheet = worksheet(cell('<f>A2</f><v>0</v>')).replace(
      '</sheetData>',
      '$&<sheetCalcPr fullCalcOnLoad="1"/>',
    );
    expect(await read(workbook({ sheet }))).toEqual(['no_result 0 pending']);
  });

  it.each([
    ['SUBTOTAL', '<f>IF(1,SUBTOTAL(9,A2:A3),0)</f>'],
    ['AGGREGATE', '<f>_xlfn.AGGREGATE(9,4,A2:A3)</f>'],
    ['a shared one', '<f t="shared" ref="A1:A2" si="0">SUBTOTAL(9,B2:B3)</f>'],
  ])('%s is a subtotal', async (_name, formula) => {
    expect(await read(workbook({ sheet: cell(`${formula}<v>5</v>`) }))).toEqual([
      'number 5 calculated subtotal',
    ]);
  });

  it('a cell that shares the formula of a subtotal is one, other names are none', async () => {
    const sheet =
      '<row r="1"><c r="A1"><f t="shared" ref="A1:B1" si="0">SUBTOTAL(9,A2:A3)</f><v>5</v></c><c r="B1"><f t="shared" si="0"/><v>6</v></c><c r="C1"><f>MYSUBTOTAL(A1)+SUBTOTALS</f><v>7</v></c></row>';
    expect(await read(workbook({ sheet }))).toEqual([
      'number 5 calculated subtotal',
      'number 6 calculated subtotal',
      'number 7 calculated',
    ]);
  });
});

describe('struck-out cells', () => {
  const styles =
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts><font/><font><b/><strike/></font><font><strike val="0"/></font></fonts><cellXfs><xf/><xf fontId="1"/><xf fontId="2"/></cellXfs></styleSheet>';
  const strings =
    '<si><t>plain</t></si><si><r><t>a </t></r><r><rPr><strike/></rPr><t>b</t></r></si><si><r><rPr><strike val="0"/></rPr><t>c</t></r></si><si><r><t>d</t></r><r><rPr><strike/></rPr><t xml:space="preserve"> </t></r></si>';
  const inline = (runs: string): string => `<c r="A1" t="inlineStr"><is>${runs}</is></c>`;

  it.each([
    ['a style', '<c r="A1" s="1"><v>5</v></c>', 'number 5 whole'],
    ['a style that says no', '<c r="A1" s="2"><v>5</v></c>', 'number 5'],
    ['a shared text', '<c r="A1" t="s"><v>0</v></c>', 'text plain'],
    ['a shared text in a struck cell', '<c r="A1" s="1" t="s"><v>0</v></c>', 'text plain whole'],
    ['a run of a shared text', '<c r="A1" t="s"><v>1</v></c>', 'text a b part'],
    ['a run that says no', '<c r="A1" t="s"><v>2</v></c>', 'text c'],
    ['a blank run', '<c r="A1" t="s"><v>3</v></c>', 'text d '],
    ['a run of an inline text', inline('<r><t>a</t></r><r><rPr><strike/></rPr><t>b</t></r>'), 'text ab part'],
    ['no run of an inline text', inline('<r><rPr><b/></rPr><t>a</t></r><r><t>b</t></r>'), 'text ab'],
  ])('%s', async (_name, cell, wanted) => {
    const entries = [{ name: 'xl/styles.xml', data: styles }];
    const made = workbook({ sheet: `<row r="1">${cell}</row>`, strings, entries });
    expect(await read(made)).toEqual([wanted]);
    expect(await warningsOf(made)).toEqual(/(?:whole|part)$/.test(wanted) ? ['source.struck_out A1'] : []);
  });

  it('are named one by one, and counted beyond that', () => {
    const marked = new MarkedCells();
    const cell = { column: 1, kind: 'text', text: 'x', raw: 'x', struck: 'whole' } as const;
    for (let number = 2; number < 32; number += 1) {
      const row = {
        sheet: 'Data',
        number,
        hidden: false,
        marked: true,
        cell: () => cell,
        cells: () => [cell],
      };
      marked.add(row, [1]);
    }
    const [warning] = marked.warnings('Data', []);
    expect(warning!.params).toMatchObject({
      count: 30,
      cells: expect.stringMatching(/^A2, A3, .*, A21, … \(\+10\)$/),
    });
  });
});

it('marks stay with rows that are stored', async () => {
  const rows = await rowsOf(xlsx({ results: [3], isSubtotal: true, isPending: true }));
  const again = unpackWholeRow(packRow(rows[0]!));
  expect(again.cells()).toEqual(rows[0]!.cells());
  expect(again.marked).toBe(true);
});
