import { describe, expect, it } from 'vitest';
import type { Cell } from '../../src/model/row.js';
import { NumberFormat } from '../../src/source/xlsx/number-format.js';
import type { SheetContext } from '../../src/source/xlsx/row-blocks.js';
import { scanSheet } from '../../src/source/xlsx/scan-part.js';
import { readSharedStrings, SharedStrings } from '../../src/source/xlsx/shared-strings.js';
import { rowsOf } from '../../src/source/xlsx/xlsx-row.js';
import { cellAddress } from '../../src/util/spreadsheet-text.js';
import { worksheet } from '../fixtures/workbook.js';

const PLACE = { file: 'book.xlsx', part: 'xl/worksheets/sheet1.xml' };

const SST = `<?xml version="1.0"?><sst><si><t>first</t></si><si><t xml:space="preserve"> 日期 😀 </t></si><!-- c --><si><r><t>a</t></r><r><t>&lt;b</t></r><rPh><t>no</t></rPh></si><si/><si><t>_x0041_</t></si></sst>`;

const SHEET =
  worksheet(`<row r="1" spans="1:9" hidden="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c>
<c r="D1"><v>12.5</v></c><c r="E1" t="str"><v>中文 text_x0042_</v></c><c r="F1" t="str"><v>a &amp; 😀&#x1F600;</v></c></row>
<row r="2"/><!-- between --><row><c r="A3" t="inlineStr"><is><t>in &lt;</t></is></c><c t="inlineStr"><is><t>plain 字</t></is></c><c><f>1</f></c><c t="b"><v>1</v></c></row>
<row r="9"><c r="C9" t="s"><v>3</v></c><c r="A9" t="e"><v>#REF!</v></c><c r='B9' t="str" ><v><![CDATA[<x> & ]]></v></c><c r="XFD9"><v>7</v></c></row>`);

function split(bytes: Buffer, size: number): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(Buffer.from(bytes.subarray(at, at + size)));
  return parts;
}

async function* stream(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

async function strings(size: number): Promise<SharedStrings> {
  const zip = { file: 'book.xlsx', chunks: () => stream(split(Buffer.from(SST), size)) };
  return readSharedStrings(zip, { name: 'xl/sharedStrings.xml', size: 10 });
}

const FORMATS = ['yyyy-mm-dd', '[h]:mm', 'h:mm', '0000', '0.00', '0;[Red]-0;"none"'];

function context(table: SharedStrings): SheetContext {
  const styles = [undefined, ...FORMATS.map((it) => new NumberFormat(it))];
  return { sheet: 'Data', strings: table, styles, date1904: false };
}

interface Seen {
  readonly number: number;
  readonly hidden: boolean;
  readonly cells: readonly Cell[];
}

async function scan(parts: readonly Buffer[], table: SharedStrings): Promise<Seen[]> {
  const seen: Seen[] = [];
  const rows = [];
  for await (const block of scanSheet(stream(parts), 'Data', table.offsets, PLACE)) {
    rows.push(...rowsOf(block, context(table)));
  }
  // Decoded only now: a row must stay what it was when the stream has moved on.
  for (const row of rows) seen.push({ number: row.number, hidden: row.hidden, cells: row.cells() });
  return seen;
}

describe('a part gives the same cells, however its bytes arrive', () => {
  const bytes = Buffer.from(SHEET);

  it('reads what is there', async () => {
    const rows = await scan([bytes], await strings(1 << 20));
    expect(
      rows.map((row) => [
        row.number,
        row.hidden,
        row.cells.map((it) => `${cellAddress(it.column, row.number)}=${it.text}`),
      ]),
    ).toEqual([
      [1, true, ['A1=first', 'B1= 日期 😀 ', 'C1=a<b', 'D1=12.5', 'E1=中文 textB', 'F1=a & 😀😀']],
      [3, false, ['A3=in <', 'B3=plain 字', 'C3=', 'D3=TRUE']],
      [9, false, ['A9=#REF!', 'B9=<x> & ', 'XFD9=7']],
    ]);
  });

  it('gives the same whatever the size of the pieces', async () => {
    const whole = await scan([bytes], await strings(1 << 20));
    for (const size of [1, 2, 3, 5, 16, 100]) {
      expect(await scan(split(bytes, size), await strings(size)), `pieces of ${size}`).toEqual(whole);
    }
  });

  it('gives the same when cut in two at any byte', async () => {
    const table = await strings(1 << 20);
    const whole = await scan([bytes], table);
    for (let at = 1; at < bytes.length; at += 1) {
      const parts = [Buffer.from(bytes.subarray(0, at)), Buffer.from(bytes.subarray(at))];
      expect(await scan(parts, table), `cut at ${at}`).toEqual(whole);
    }
  });

  it('gives the same by the quick way and by the general one', async () => {
    const table = await strings(1 << 20);
    const prefixed = SHEET.replace(/<(\/?)(worksheet|sheetData|row|c|v|f|is|t)\b/g, '<$1x:$2');
    expect(prefixed).not.toBe(SHEET);
    expect(await scan([Buffer.from(prefixed)], table)).toEqual(await scan([bytes], table));
  });

  it('gives the same for numbers, however they are written and shown', async () => {
    const literals =
      '0 7 60 61 007 00 46053 46053.5 123456789 1234567890 123456789012345678 -0 -7 -46053 +5 .5 5. 0.10 1e3 1E-2 1e305 seven 12x';
    const cells = literals
      .split(' ')
      .flatMap((it) => [0, 1, 2, 3, 4, 5, 6, 99].map((style) => `<c r="A1" s="${style}"><v>${it}</v></c>`));
    const rows = cells.map((it, i) => `<row r="${i + 1}">${it.replace('A1', `A${i + 1}`)}</row>`).join('');
    const table = await strings(1 << 20);
    const quick = await scan([Buffer.from(worksheet(rows))], table);
    const general = await scan([Buffer.from(worksheet(rows.replaceAll('<v>', '<v >')))], table);
    expect(quick).toEqual(general);
    expect(quick).toHaveLength(cells.length);
    const shown = (at: number): string[] =>
      quick.slice(8 * at, 8 * at + 7).map(({ cells: [it] }) => `${it!.kind} ${it!.text} ${it!.raw}`);
    expect(shown(6)).toEqual([
      'number 46053 46053',
      'date 2026-01-31 46053',
      'duration 1105272:00:00 46053',
      'date 2026-01-31 46053',
      'number 46053 46053',
      'number 46053 46053',
      'number 46053 46053',
    ]);
    expect(shown(1)[4]).toBe('number 0007 7');
    expect(shown(4)[0]).toBe('number 7 007');
  });

  it.each([
    ['"5"', 5],
    ['" 5 "', 5],
    ['"05"', 5],
    ['""', 1],
    ['"1048576"', 1_048_576],
    ['"0"', undefined],
    ['"1048577"', undefined],
    ['"99999999999999999999"', undefined],
    ['"5x"', undefined],
    ['"-5"', undefined],
  ])('a row says r=%s', async (value, number) => {
    const read = scan([Buffer.from(worksheet(`<row r=${value}><c><v>1</v></c></row>`))], await strings(64));
    if (number === undefined)
      await expect(read).rejects.toMatchObject({ detail: { code: 'source.xlsx_row_number' } });
    else expect((await read).map((it) => it.number)).toEqual([number]);
  });

  it('refuses a part that is cut off, wherever that is', async () => {
    const table = await strings(1 << 20);
    for (let at = 0; at < bytes.length; at += 7) {
      await expect(scan([bytes.subarray(0, at)], table), `cut at ${at}`).rejects.toThrow(/book\.xlsx/);
    }
  });

  it('never splits a character: bytes that are no UTF-8 are refused at any size', async () => {
    const bad = Buffer.from(bytes);
    bad[bad.indexOf(Buffer.from('中')) + 1] = 0x41;
    for (const size of [1, 2, 3, 1 << 20]) {
      await expect(scan(split(bad, size), await strings(64))).rejects.toThrow(/UTF-8/);
    }
  });

  it('keeps texts apart that are asked for in any order, and again', async () => {
    const count = 5000;
    const items = Array.from({ length: count }, (_, i) => `<si><t>${i % 3 ? 'text' : '文字'}-${i}</t></si>`);
    const part = Buffer.from(`<sst>${items.join('')}</sst>`);
    const table = await readSharedStrings(
      { file: 'f', chunks: () => stream([part]) },
      { name: 'p', size: part.length },
    );
    const text = (i: number): string => `${i % 3 ? 'text' : '文字'}-${i}`;
    expect(table.offsets.count).toBe(count);
    for (let i = 0; i < count; i += 1) expect(table.get(i)).toBe(text(i));
    for (let n = 0, i = 0; n < 3 * count; n += 1, i = (i * 31 + 17) % count)
      expect(table.get(i)).toBe(text(i));
    expect(new SharedStrings(0).offsets.holds(0)).toBe(false);
  });
});
