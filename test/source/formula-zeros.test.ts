import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSource } from '../../src/source/open.js';
import { compound } from '../fixtures/compound.js';
import { workbook } from '../fixtures/workbook.js';
import { zip } from '../fixtures/zip.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'formula-zeros-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Formulas with these saved results in column A, in a workbook that names this engine, or says that they are to be calculated. */
interface Book {
  readonly results: readonly number[];
  readonly engine?: number;
  readonly isDenied?: boolean;
}

const EXCEL_2010 = 140_000;
const LIBRE_OFFICE = 101_716;

function xlsx({ results, engine, isDenied }: Book, shown: (it: number) => string = String): Buffer {
  const rows = results.map(
    (it, i) => `<row r="${i + 1}"><c r="A${i + 1}"><f>B1</f><v>${shown(it)}</v></c></row>`,
  );
  const calculation = `<calcPr${engine ? ` calcId="${engine}"` : ''}${isDenied ? ' fullCalcOnLoad="1"' : ''}/>`;
  const sheets = `<sheet name="Data" sheetId="1" r:id="s1"/></sheets>${calculation}<sheets>`;
  return workbook({ sheet: rows.join(''), sheets });
}

function ods({ results }: Book): Uint8Array {
  const names = ['office', 'table', 'text'].map(
    (it) => `xmlns:${it}="urn:oasis:names:tc:opendocument:xmlns:${it}:1.0"`,
  );
  const rows = results.map(
    (it) =>
      `<table:table-row><table:table-cell table:formula="of:=[.B1]" office:value-type="float" office:value="${it}"/></table:table-row>`,
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
const formula = (row: number, result: Buffer, flags: number): Buffer =>
  record(6, Buffer.concat([bytes([2, row], [2, 0], [2, 0]), result, bytes([2, flags], [4, 0], [2, 0])]));
const EMPTY_TEXT = bytes([4, 3], [2, 0], [2, 0xffff]);

function xls({ results, engine, isDenied }: Book, flags = 0, saved = (it: number) => bytes([8, it])): Buffer {
  const calculated = engine === undefined ? [] : [record(0x1c1, bytes([4, 0x1c1], [4, engine]))];
  const head = Buffer.concat([begins(5), ...calculated]);
  const sheet = (at: number): Buffer =>
    record(0x85, Buffer.concat([bytes([4, at], [4, 0x1000000]), Buffer.from('A')]));
  const at = head.length + sheet(0).length + record(0x0a).length;
  const cells = results.map((it, i) => formula(i, saved(it), flags));
  const uncalculated = isDenied ? [record(0x5e, bytes([2, 0]))] : [];
  const parts = [head, sheet(at), record(0x0a), begins(0x10), ...uncalculated, ...cells, record(0x0a)];
  return compound({ Workbook: Buffer.concat(parts) });
}

function xlsb({ results, engine, isDenied }: Book): Uint8Array {
  const part = (...records: readonly (readonly [number, Buffer?])[]): Buffer =>
    Buffer.concat(
      records.map(([type, data = Buffer.alloc(0)]) => {
        const head = type < 128 ? [type] : [(type & 127) | 128, type >> 7];
        return Buffer.concat([Buffer.from([...head, data.length]), data]);
      }),
    );
  const text = (it: string): Buffer => Buffer.concat([bytes([4, it.length]), Buffer.from(it, 'utf16le')]);
  const calculation = Buffer.concat([
    bytes([4, engine ?? 0], [4, 1], [4, 100], [8, 0.001], [4, 1]),
    bytes([2, isDenied ? 1 : 0]),
  ]);
  const sheet = Buffer.concat([bytes([4, 0], [4, 1]), text('s1'), text('Data')]);
  const cells = results.flatMap((it, i): (readonly [number, Buffer])[] => [
    [0, bytes([4, i], [4, 0], [4, 0])],
    [9, bytes([4, 0], [4, 0], [8, it], [2, 0], [4, 0])],
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

async function read(content: Uint8Array): Promise<readonly string[]> {
  const file = path.join(folder, 'made.xlsx');
  writeFileSync(file, content);
  const source = await openSource(file);
  try {
    const found: string[] = [];
    for await (const page of source.rows(source.sheets[0]!)) {
      for (const row of page)
        for (const { kind, text, raw } of row.cells()) found.push(`${kind} ${text || raw}`);
    }
    return found;
  } finally {
    await source.close();
  }
}

const UNPROVEN = 'no_result 0';
const FORMATS = { xlsx, xls, xlsb, ods } as const;
type Format = keyof typeof FORMATS;

describe.each<Format>(['xlsx', 'xls', 'xlsb', 'ods'])(
  'formulas saved with 0 for their result in .%s',
  (format) => {
    const made = (book: Book): Promise<readonly string[]> => read(FORMATS[format](book));

    it('are without a result where no formula has another one', async () => {
      expect(await made({ results: [0, 0], engine: LIBRE_OFFICE })).toEqual([UNPROVEN, UNPROVEN]);
      expect(await made({ results: [0] })).toEqual([UNPROVEN]);
    });

    it('gave 0 where another formula, even a later one, shows that they were calculated', async () => {
      const found = await made({ results: [0, 0, 7], engine: LIBRE_OFFICE });
      expect(found).toEqual(['number 0', 'number 0', 'number 7']);
    });
  },
);

describe.each<Exclude<Format, 'ods'>>(['xlsx', 'xls', 'xlsb'])(
  'what a workbook says of its formulas, in .%s',
  (format) => {
    const made = (book: Book): Promise<readonly string[]> => read(FORMATS[format](book));

    it('Excel calculated them: a 0 is a 0', async () => {
      expect(await made({ results: [0, 0], engine: EXCEL_2010 })).toEqual(['number 0', 'number 0']);
    });

    it('they are still to be calculated: no 0 is a result', async () => {
      const book = { results: [0, 7], engine: EXCEL_2010, isDenied: true };
      expect(await made(book)).toEqual([UNPROVEN, 'number 7']);
    });
  },
);

describe('what another program added to a workbook of Excel', () => {
  const book = { results: [0, 0], engine: EXCEL_2010 };
  const some = { results: [0, 5], engine: EXCEL_2010 };

  it('.xlsx: a 0 that is not written as by Excel', async () => {
    const decimal = (it: number): string => it.toFixed(1);
    expect(await read(xlsx(book, decimal))).toEqual([UNPROVEN, UNPROVEN]);
    expect(await read(xlsx(some, decimal))).toEqual(['number 0', 'number 5']);
    expect(await read(xlsx(some, (it) => (it === 0 ? '0.0' : '5')))).toEqual([UNPROVEN, 'number 5']);
  });

  it('.xls: a formula that is to be calculated when the file is opened', async () => {
    expect(await read(xls(book, 2))).toEqual([UNPROVEN, UNPROVEN]);
    expect(await read(xls(some, 2))).toEqual(['number 0', 'number 5']);
  });

  it('.xls: an empty text for every formula, where no engine is named', async () => {
    expect(await read(xls({ results: [0, 0] }, 0, () => EMPTY_TEXT))).toEqual([UNPROVEN, UNPROVEN]);
    expect(await read(xls({ results: [0, 0], engine: LIBRE_OFFICE }, 0, () => EMPTY_TEXT))).toEqual([]);
  });
});
