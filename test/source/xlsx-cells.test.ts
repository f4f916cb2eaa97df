import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import type { Cell, Row } from '../../src/model/row.js';
import { openSource } from '../../src/source/open-source.js';
import { cellAddress } from '../../src/util/spreadsheet-text.js';
import { type WorkbookContent, workbook, worksheet } from '../fixtures/workbook.js';

const folder = mkdtempSync(path.join(tmpdir(), 'xlsx-cells-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function rowsOf(content: WorkbookContent): Promise<Row[]> {
  const file = path.join(folder, 'book.xlsx');
  writeFileSync(file, workbook(content));
  const source = await openSource(file);
  try {
    const rows: Row[] = [];
    for await (const chunk of source.rows(source.sheets[0]!)) rows.push(...chunk);
    return rows;
  } finally {
    await source.close();
  }
}

function addressOf(row: Row, cell: Cell): string {
  return cellAddress(cell.column, row.number);
}

/** The texts of all rows, by address. */
async function textsOf(content: WorkbookContent): Promise<Record<string, string>> {
  const rows = await rowsOf(content);
  const cells = rows.flatMap((row) => row.cells().map((it) => [addressOf(row, it), `${it.kind}:${it.text}`]));
  return Object.fromEntries(cells);
}

async function codeOf(content: WorkbookContent): Promise<string> {
  const error = await rowsOf(content).then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(ProductError);
  expect(error.kind).toBe('input');
  expect(error.message).toContain('book.xlsx');
  return error.detail.code;
}

const STRINGS = [
  '<si><t>plain</t></si>',
  '<si><t xml:space="preserve"> kept </t></si>',
  '<si><r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh sb="0" eb="1"><t>PHONETIC</t></rPh><phoneticPr/></si>',
  '<si/>',
  '<si><t>a &amp; b &lt;&#x4E2D;&#25991;&gt; &quot;&apos;</t></si>',
  '<si><t><![CDATA[<raw> & ]]>tail</t></si>',
  '<si><t>line_x000D_\r\nbreak _x005F_x0041_ _x0041_ _xZZZZ_</t></si>',
  '<si><t>日期 时间 😀</t></si>',
  '<si><!-- no text --><t>com<!-- x -->ment</t><?pi ?></si>',
  '<si><t>before</t><r><t> run</t></r></si>',
].join('\n');

describe('a cell is what Excel shows', () => {
  it('shared strings of every kind', async () => {
    const cells = Array.from({ length: 10 }, (_, i) => `<c t="s"><v>${i}</v></c>`).join('');
    expect(await textsOf({ sheet: `<row r="1">${cells}</row>`, strings: STRINGS })).toEqual({
      A1: 'text:plain',
      B1: 'text: kept ',
      C1: 'text:rich text',
      E1: 'text:a & b <中文> "\'',
      F1: 'text:<raw> & tail',
      G1: 'text:line\r\nbreak _x0041_ A _xZZZZ_',
      H1: 'text:日期 时间 😀',
      I1: 'text:comment',
      J1: 'text:before run',
    });
  });

  it('every cell type', async () => {
    const sheet = `<row r="3">
      <c r="A3"><v> 12 </v></c><c r="B3" t="n"><v>0012</v></c><c r="C3" t="b"><v>1</v></c><c r="D3" t="b"><v>false</v></c>
      <c r="E3" t="e"><v>#N/A</v></c><c r="F3" t="str"><f>A3&amp;""</f><v>x &amp; y</v></c><c r="G3" t="d"><v>2026-01-31T08:30:00</v></c>
      <c r="H3" t="inlineStr"><is><t>in</t><t>line</t></is></c><c r="I3" t="inlineStr"><is><r><t>r1</t></r><r><t>r2</t></r></is></c>
      <c r="J3"><f>1+1</f></c><c r="K3"><f>1+1</f><v></v></c><c r="L3" t="str"><f>""</f><v></v></c><c r="M3"/><c r="N3" s="9" t="s"><v/></c>
      <c r="O3"><f>2*3</f><v>6</v></c><c r="P3" t="n"><v>x</v></c><c r="Q3" t="b"><v>maybe</v></c><c r="R3" s=""><v>1</v></c>
      <c r="S3" t="d"><v>soon</v></c><c r="T3" t="str"><f>1</f></c></row>`;
    expect(await textsOf({ sheet })).toEqual({
      A3: 'number:12',
      B3: 'number:12',
      C3: 'boolean:TRUE',
      D3: 'boolean:FALSE',
      E3: 'error:#N/A',
      F3: 'text:x & y',
      G3: 'date:2026-01-31T08:30:00',
      H3: 'text:inline',
      I3: 'text:r1r2',
      J3: 'no_result:',
      K3: 'no_result:',
      O3: 'number:6',
      P3: 'text:x',
      Q3: 'text:maybe',
      R3: 'number:1',
      S3: 'text:soon',
      T3: 'no_result:',
    });
  });

  it('formats decide what a number is, and both date systems hold', async () => {
    const formats = ['yyyy-mm-dd', 'h:mm', '[h]:mm', '0000', '0.00', '"id" 0'];
    const sheet = `<row r="1"><c s="1"><v>46053.5</v></c><c s="2"><v>0.5</v></c><c s="3"><v>1.5</v></c><c s="4"><v>12</v></c>
      <c s="4"><v>12.5</v></c><c s="5"><v>0.30000000000000004</v></c><c s="1"><v>-3</v></c><c s="99"><v>7</v></c><c s="6"><v>8</v></c></row>`;
    const texts = await textsOf({ sheet, formats });
    expect(Object.values(texts)).toEqual([
      'date:2026-01-31T12:00:00',
      'time:12:00:00',
      'duration:36:00:00',
      'number:0012',
      'number:12.5',
      'number:0.3',
      'date:-3',
      'number:7',
      'number:8',
    ]);
    const [row] = await rowsOf({ sheet, formats, date1904: true });
    expect(row!.cell(1)).toEqual({
      column: 1,
      kind: 'date',
      text: '2030-02-01T12:00:00',
      raw: '46053.5',
      seen: '2030-02-01',
      format: 'yyyy-mm-dd',
      hidesTime: true,
    });
    expect(row!.cell(6)?.raw).toBe('0.30000000000000004');
    expect(row!.cell(8)).not.toHaveProperty('format');
  });

  it('a day of which its format shows the clock alone, or the weekday', async () => {
    const formats = ['h:mm', '[$-409]dddd', 'mm:ss'];
    const sheet = `<row r="1">${formats.map((_, at) => `<c s="${at + 1}"><v>46053</v></c>`).join('')}</row>`;
    const [row] = await rowsOf({ sheet, formats });
    expect(row!.cells().map((it) => [it.kind, it.text, it.seen])).toEqual([
      ['date', '2026-01-31', '00:00:00'],
      ['date', '2026-01-31', ''],
      ['date', '2026-01-31', '00:00:00'],
    ]);
  });

  it('a cell by its column, in rows with gaps, as the whole row shows it', async () => {
    const columns = ['A', 'C', 'D', 'H', 'Z', 'AA', 'XFD'];
    const sheet = `<row r="2">${columns.map((it) => `<c r="${it}2"><v>1</v></c>`).join('')}</row>`;
    const [row] = await rowsOf({ sheet });
    const all = new Map<number, Cell>(row!.cells().map((it) => [it.column, it]));
    expect([...all.values()].map((it) => addressOf(row!, it))).toEqual(columns.map((it) => `${it}2`));
    for (let column = -1; column < 40; column += 1) expect(row!.cell(column)).toEqual(all.get(column));
    expect(row!.cell(16_384)?.text).toBe('1');
  });
});

describe('rows keep their numbers', () => {
  it('without r are counted on, blank ones keep their numbers and are excluded, hidden ones are marked', async () => {
    const sheet = `<row><c><v>1</v></c><c r="D1"><v>2</v></c><c><v>3</v></c></row><row/><row r="5" hidden="1"><c r="B5" t="str"><v>x</v></c></row>
      <row hidden="true"><c><v>6</v></c></row><row r="9" spans="1:3" ht="12"><c r="A9" s="1"/></row><row><c r="C12"><v>12</v></c></row>`;
    const rows = await rowsOf({ sheet });
    expect(
      rows.map((row) => [
        row.number,
        row.hidden,
        row
          .cells()
          .map((it) => addressOf(row, it))
          .join(' '),
      ]),
    ).toEqual([
      [1, false, 'A1 D1 E1'],
      [5, true, 'B5'],
      [6, true, 'A6'],
      [12, false, 'C12'],
    ]);
    expect(rows[0]!.sheet).toBe('Data');
  });

  it('may have their cells in any order', async () => {
    const sheet =
      '<row r="1"><c r="C1"><v>3</v></c><c r="A1" t="str"><v>one</v></c><c r="B1" t="str"><v>twotwo</v></c></row>';
    const [row] = await rowsOf({ sheet });
    expect(row!.cells().map((it) => `${addressOf(row!, it)} ${it.text}`)).toEqual([
      'A1 one',
      'B1 twotwo',
      'C1 3',
    ]);
  });

  it('under other prefixes, in strict namespaces, next to alternatives', async () => {
    const sheet = `<?xml version="1.0"?><x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:mc="m"><x:cols><x:col/></x:cols>
      <mc:AlternateContent><mc:Choice Requires="a"/><mc:Fallback><x:sheetData><x:row r="1"><x:c r="A1"><x:v>99</x:v></x:c></x:row></x:sheetData></mc:Fallback></mc:AlternateContent>
      <x:sheetData><x:row r="2"><x:c r="A2" x:t="s"><x:v>7</x:v></x:c></x:row></x:sheetData><x:extLst><x:row r="8"><x:c><x:v>1</x:v></x:c></x:row></x:extLst></x:worksheet>`;
    expect(await textsOf({ sheet })).toEqual({ A2: 'number:7' });
  });

  it('that claim the whole sheet cost nothing', async () => {
    const rows =
      '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>';
    const sheet = `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>${rows}</sheetData></worksheet>`;
    expect(Object.keys(await textsOf({ sheet }))).toEqual(['A1', 'XFD1048576']);
  });

  it('in UTF-16, with and without a mark, and in a declared encoding', async () => {
    const xml = worksheet('<row r="1"><c t="str"><v>中文 😀</v></c></row>');
    const wide = Buffer.from(xml.replace('UTF-8', 'UTF-16'), 'utf16le');
    expect(await textsOf({ sheet: wide })).toEqual({ A1: 'text:中文 😀' });
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), wide]);
    expect(await textsOf({ sheet: marked })).toEqual({ A1: 'text:中文 😀' });
    expect(await textsOf({ sheet: Buffer.from(marked).swap16() })).toEqual({ A1: 'text:中文 😀' });
    expect(await textsOf({ sheet: Buffer.from(`\ufeff${xml}`) })).toEqual({ A1: 'text:中文 😀' });
    const latin = Buffer.from(
      worksheet('<row><c t="str"><v>caf\u00e9</v></c></row>').replace('UTF-8', 'ISO-8859-1'),
      'latin1',
    );
    expect(await textsOf({ sheet: latin })).toEqual({ A1: 'text:café' });
  });
});

describe('what would be lost or uncertain is refused', () => {
  const cell = '<c><v>1</v></c>';
  it.each<[string, WorkbookContent]>([
    ['source.xlsx_row_order', { sheet: `<row r="3">${cell}</row><row r="2">${cell}</row>` }],
    ['source.xlsx_row_order', { sheet: `<row r="3">${cell}</row><row r="3">${cell}</row>` }],
    ['source.xlsx_row_order', { sheet: `<row r="3">${cell}</row><row><c r="A2"><v>1</v></c></row>` }],
    ['source.xlsx_row_number', { sheet: `<row r="0">${cell}</row>` }],
    ['source.xlsx_row_number', { sheet: `<row r="1048577">${cell}</row>` }],
    ['source.xlsx_row_number', { sheet: `<row r="1e3">${cell}</row>` }],
    ['source.xlsx_row_number', { sheet: `<row r="1048576">${cell}</row><row>${cell}</row>` }],
    ['source.xlsx_cell_reference', { sheet: '<row r="3"><c r="A4"><v>1</v></c></row>' }],
    ['source.xlsx_cell_reference', { sheet: '<row r="3"><c r="XFE3"><v>1</v></c></row>' }],
    ['source.xlsx_cell_reference', { sheet: '<row r="3"><c r="3A"><v>1</v></c></row>' }],
    ['source.xlsx_cell_reference', { sheet: '<row><c/><c r="A7"><v>1</v></c></row>' }],
    ['source.xlsx_cell_reference', { sheet: '<row r="3"><c r="XFD3"/><c><v>1</v></c></row>' }],
    ['source.xlsx_cell_twice', { sheet: '<row r="3"><c r="A3"><v>1</v></c><c r="A3"><v>2</v></c></row>' }],
    ['source.xlsx_string_index', { sheet: '<row><c t="s"><v>2</v></c></row>', strings: '<si><t>a</t></si>' }],
    ['source.xlsx_string_index', { sheet: '<row><c r="A1" t="s"><v>0</v></c></row>' }],
    ['source.xlsx_part_broken', { sheet: '<row><c t="s"><v>x</v></c></row>', strings: '<si><t>a</t></si>' }],
    ['source.xlsx_part_broken', { sheet: '<worksheet><sheetData><row r="1"><c><v>1</v></c></row>' }],
    ['source.xlsx_part_broken', { sheet: '<row r="1"><c><v>1</c></v></row>' }],
    ['source.xlsx_part_broken', { sheet: '<worksheet/><worksheet/>' }],
    ['source.xlsx_part_broken', { sheet: Buffer.from('<chartsheet/>') }],
    ['source.xlsx_part_broken', { sheet: Buffer.from('') }],
    ['source.xlsx_part_broken', { sheet: '<worksheet>< /></worksheet>' }],
    ['source.xlsx_part_broken', { sheet: '<worksheet a=1></worksheet><!-- open' }],
    ['source.xlsx_part_broken', { sheet: `<worksheet>${'<a>'.repeat(300)}` }],
    ['source.xlsx_entity', { sheet: '<row><c t="str"><v>&nbsp;</v></c></row>' }],
    ['source.xlsx_entity', { sheet: '<row><c t="str"><v>&#xD800;</v></c></row>' }],
    ['source.xlsx_entity', { sheet: '<row><c t="str"><v>a & b</v></c></row>' }],
    ['source.xlsx_entity', { strings: '<si><t>&x;</t></si>' }],
    ['source.xlsx_dtd', { sheet: '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><worksheet/>' }],
    ['source.xlsx_dtd', { strings: Buffer.from('<!doctype sst SYSTEM "http://localhost:1/x"><sst/>') }],
    [
      'source.xlsx_encoding',
      { sheet: Buffer.from(worksheet('<row><c t="str"><v>\u00e9</v></c></row>'), 'latin1') },
    ],
    ['source.xlsx_encoding', { sheet: '<?xml version="1.0" encoding="EBCDIC-X"?><worksheet/>' }],
    ['source.xlsx_cell_too_long', { sheet: `<row><c t="str"><v>${'x'.repeat(32_768)}</v></c></row>` }],
    [
      'source.xlsx_cell_too_long',
      { sheet: `<row><c t="inlineStr"><is><t>${'x'.repeat(3_000_000)}</t></is></c></row>` },
    ],
    [
      'source.xlsx_cell_too_long',
      { sheet: '<row><c t="s"><v>0</v></c></row>', strings: `<si><t>${'中'.repeat(32_768)}</t></si>` },
    ],
  ])('%s %#', async (code, content) => expect(await codeOf({ strings: '', ...content })).toBe(code));

  it('but the longest text is read, and a too long one that no cell uses harms nothing', async () => {
    const longest = '中'.repeat(32_767);
    const strings = `<si><t>${longest}</t></si><si><t>${'x'.repeat(2_000_000)}</t></si><si><t>${'_x4E2D_'.repeat(32_767)}</t></si>`;
    const sheet = `<row><c t="s"><v>0</v></c><c t="str"><v>${longest}</v></c><c t="s"><v>2</v></c></row>`;
    const [row] = await rowsOf({ sheet, strings });
    expect(row!.cells().map((it) => it.text === longest)).toEqual([true, true, true]);
  });

  it('names sheet and cell', async () => {
    const error = await rowsOf({ sheet: '<row r="7"><c r="D7" t="s"><v>5</v></c></row>', strings: '' }).catch(
      (it) => it,
    );
    expect(error.message).toContain('Data!D7');
    expect(error.detail.params).toMatchObject({
      file: 'book.xlsx',
      sheet: 'Data',
      cell: 'D7',
      index: 5,
      count: 0,
    });
  });
});

describe('a number cell that is no number', () => {
  it.each([
    ['NaN', 'error'],
    ['nan', 'error'],
    ['INF', 'error'],
    ['-inf', 'error'],
    ['Infinity', 'error'],
    ['1.#INF', 'error'],
    ['-1.#IND', 'error'],
    ['abc', 'text'],
  ])('%s is %s', async (raw, kind) => {
    const sheet = `<row r="1"><c r="A1"><v>${raw}</v></c></row>`;
    expect(await textsOf({ sheet })).toEqual({ A1: `${kind}:${raw}` });
  });
});

describe('a date whose format does not show its time', () => {
  const formats = ['yyyy-mm-dd', 'yyyy-mm-dd hh:mm', 'yyyy-mm-dd hh:mm:ss', 'mmm yyyy', 'yyyy-mm-dd h AM/PM'];

  it.each<[string, string, string, boolean]>([
    ['a day and 43 s', '<c r="A1" s="1"><v>46752.000497685185</v></c>', '2027-12-31T00:00:43', true],
    ['a day and 1 ms', '<c r="A1" s="1"><v>46752.000000011641532</v></c>', '2027-12-31T00:00:00.001', true],
    ['1 ms before a day', '<c r="A1" s="1"><v>46751.9999999884</v></c>', '2027-12-30T23:59:59.999', true],
    ['noise below a day', '<c r="A1" s="1"><v>46751.99999999999</v></c>', '2027-12-31', false],
    ['noise above a day', '<c r="A1" s="1"><v>46752.00000000001</v></c>', '2027-12-31', false],
    ['a month', '<c r="A1" s="4"><v>46752.5</v></c>', '2027-12-31T12:00:00', true],
    ['a time that is shown', '<c r="A1" s="2"><v>46752.5</v></c>', '2027-12-31T12:00:00', false],
    ['an hour that is shown', '<c r="A1" s="5"><v>46752.5</v></c>', '2027-12-31T12:00:00', false],
    [
      '43 s that are shown as 00:00',
      '<c r="A1" s="2"><v>46752.000497685185</v></c>',
      '2027-12-31T00:00:43',
      true,
    ],
    ['43 s that are shown', '<c r="A1" s="3"><v>46752.000497685185</v></c>', '2027-12-31T00:00:43', false],
    ['t="d"', '<c r="A1" s="1" t="d"><v>2027-12-31T18:30:00</v></c>', '2027-12-31T18:30:00', true],
    ['t="d" without a format', '<c r="A1" t="d"><v>2027-12-31T18:30:00</v></c>', '2027-12-31T18:30:00', true],
    [
      't="d" whose time is shown',
      '<c r="A1" s="2" t="d"><v>2027-12-31T18:30:00</v></c>',
      '2027-12-31T18:30:00',
      false,
    ],
    ['t="d", a day', '<c r="A1" s="1" t="d"><v>2027-12-31</v></c>', '2027-12-31', false],
  ])('%s', async (_name, cell, text, hidesTime) => {
    const [row] = await rowsOf({ sheet: `<row r="1">${cell}</row>`, formats });
    expect(row!.cell(1)).toMatchObject({ kind: 'date', text });
    expect(row!.cell(1)!.hidesTime ?? false).toBe(hidesTime);
  });
});
