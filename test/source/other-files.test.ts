import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import { openSource } from '../../src/source/open-source.js';
import { openOther } from '../../src/source/other/other-source.js';
import { compound } from '../fixtures/compound.js';
import { zip } from '../fixtures/zip.js';

const MADE = path.join(import.meta.dirname, '../fixtures/other-files');
const folder = mkdtempSync(path.join(os.tmpdir(), 'other-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Read {
  readonly sheets: readonly string[];
  readonly merges: readonly string[];
  /** `Cells!B2 number 0042` for each cell; hidden rows bear an asterisk. */
  readonly cells: readonly string[];
}

async function read(file: string): Promise<Read> {
  const source = await openSource(file);
  try {
    const cells: string[] = [];
    const merges: string[] = [];
    for (const sheet of source.sheets) {
      for await (const page of source.rows(sheet)) {
        for (const row of page) {
          for (const { column, kind, text, shown = '', seen = '' } of row.cells()) {
            expect(row.cell(column)?.text).toBe(text);
            cells.push(
              `${row.sheet}!${row.number}${row.hidden ? '*' : ''},${column} ${kind} ${text} ${shown}${seen}`,
            );
          }
        }
      }
      const ranges = await source.merges!(sheet);
      for (let i = 0; i < ranges.count; i += 1) merges.push(`${sheet.name}!${ranges.address(i)}`);
    }
    return {
      sheets: source.sheets.map(({ name, position, visibility }) => `${position} ${name} ${visibility}`),
      merges,
      cells,
    };
  } finally {
    await source.close();
  }
}

function put(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

async function codeOf(file: string): Promise<string> {
  const result = await read(file).catch((error: unknown) => error);
  return result instanceof ProductError ? result.code : `read: ${JSON.stringify(result).slice(0, 200)}`;
}

const formats = ['xls', 'xlsb', 'ods'] as const;

describe.each(formats)('a sheet of messy cells in .%s', (extension) => {
  it.each(['cells', 'cells-1904'])('%s reads as the same one in .xlsx', async (name) => {
    const expected = await read(path.join(MADE, `${name}.xlsx`));
    expect(expected.cells).toContain('Cells!2,2 number 0042 ');
    expect(expected.cells).toContain('Cells!17,2 date 2026-01-31 ');
    expect(expected.cells).toContain('Cells!27,2 error #N/A ');
    expect(expected.cells).toContain('Cells!42*,1 text hidden ');
    expect(await read(path.join(MADE, `${name}.${extension}`))).toEqual(expected);
  });

  it.each(['.xlsx', '.csv', '.dat', '.xls', ''])('is read whatever its name ends in: "%s"', async (other) => {
    const file = path.join(folder, `renamed-${extension}${other}`);
    copyFileSync(path.join(MADE, `cells.${extension}`), file);
    expect(await read(file)).toEqual(await read(path.join(MADE, 'cells.xlsx')));
  });

  it('is refused whole wherever it is cut off', async () => {
    const whole = readFileSync(path.join(MADE, `cells.${extension}`));
    for (const part of [0.2, 0.5, 0.8, 0.95]) {
      const file = put(`cut.${extension}`, whole.subarray(0, Math.floor(whole.length * part)));
      expect(await codeOf(file), `cut at ${part}`).toMatch(/^source\.(compound_damaged|zip_truncated)$/);
    }
  });
});

describe('what can make a process end, ends that of the reader alone', () => {
  const cells = path.join(MADE, 'cells.ods');

  it('a file that takes more memory than is allowed', async () => {
    const opened = openOther(cells, { limits: { memoryMb: 20, seconds: 60 } });
    await expect(opened).rejects.toMatchObject({ code: 'source.other_memory' });
  });

  it('a file that takes more time than is allowed', async () => {
    const opened = openOther(cells, { limits: { memoryMb: 1024, seconds: 0.01 } });
    await expect(opened).rejects.toMatchObject({ code: 'source.other_time' });
  });

  it('cells that are repeated over the whole sheet', async () => {
    const cell =
      '<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="16384"/>';
    const row = `<table:table-row table:number-rows-repeated="1048576">${cell}</table:table-row>`;
    const file = put('repeated.ods', ods(`<table:table table:name="A">${row}</table:table>`));
    const reading = async (): Promise<void> => {
      const source = await openOther(file, { limits: { memoryMb: 1024, seconds: 0.5 } });
      for await (const page of source.rows(source.sheets[0]!)) expect(page.length).toBeGreaterThan(0);
    };
    await expect(reading()).rejects.toMatchObject({ code: 'source.other_time' });
  });
});

function ods(tables: string): Uint8Array {
  const names = ['office', 'table', 'text'].map(
    (it) => `xmlns:${it}="urn:oasis:names:tc:opendocument:xmlns:${it}:1.0"`,
  );
  const body = `<office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body>`;
  return zip([
    { name: 'mimetype', data: 'application/vnd.oasis.opendocument.spreadsheet', method: 0 },
    {
      name: 'content.xml',
      data: `<office:document-content ${names.join(' ')}>${body}</office:document-content>`,
    },
  ]);
}

describe('malicious and damaged files', () => {
  const stream = (...records: readonly (readonly [number, ...number[]])[]): Buffer =>
    Buffer.concat(
      records.map(([type, ...data]) => {
        const head = Buffer.alloc(4);
        head.writeUInt16LE(type);
        head.writeUInt16LE(data.length, 2);
        return Buffer.concat([head, Buffer.from(data)]);
      }),
    );
  const begin = (kind: number): readonly [number, ...number[]] => [0x809, 0, 6, kind, 0, 0, 0, 0, 0];
  const end: readonly [number, ...number[]] = [0x0a];
  const xls = (...records: readonly (readonly [number, ...number[]])[]): string =>
    put('made.xls', compound({ Workbook: stream(...records) }));
  /** `A`, which begins at this byte of the stream. */
  const sheet = (at: number): readonly [number, ...number[]] => [0x85, at, 0, 0, 0, 0, 0, 1, 0, 0x41];
  const AT = 12 + 13 + 4;

  it('reads the least of a workbook', async () => {
    const number = [0x27e, 0, 0, 0, 0, 0, 0, 42 * 4 + 2, 0, 0, 0] as const;
    const file = xls(begin(5), sheet(AT), end, begin(16), number, end);
    expect(await codeOf(file)).toBe(
      'read: {"sheets":["1 A visible"],"merges":[],"cells":["A!1,1 number 42 "]}',
    );
  });

  it.each<[string, string, () => string]>([
    ['no end of the sheet', 'source.xls_record_broken', () => xls(begin(5), sheet(AT), end, begin(16))],
    ['a sheet that begins nowhere', 'source.xls_record_broken', () => xls(begin(5), sheet(250), end)],
    ['no end of the workbook', 'source.xls_record_broken', () => xls(begin(5), sheet(AT))],
    ['a password', 'source.other_encrypted', () => xls(begin(5), [0x2f, 0, 0, 0, 0, 0, 0], end)],
    ['Excel 4', 'source.xls_too_old', () => xls([0x409, 0, 0, 5, 0], end)],
    ['no sheet', 'source.xlsx_no_sheets', () => xls(begin(5), end)],
    [
      'a text that the table of texts lacks',
      'source.xlsx_string_index',
      () => xls(begin(5), sheet(AT), end, begin(16), [0xfd, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0], end),
    ],
    [
      'a cell twice',
      'source.xlsx_cell_twice',
      () => {
        const cell = [0x27e, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0] as const;
        return xls(begin(5), sheet(AT), end, begin(16), cell, cell, end);
      },
    ],
    [
      'another document',
      'source.other_no_workbook',
      () => put('a.doc', compound({ WordDocument: Buffer.alloc(9) })),
    ],
    [
      'a chain of sectors that runs in a circle',
      'source.compound_damaged',
      () => {
        const file = compound({ Workbook: Buffer.alloc(5000) });
        // The second sector of the stream is followed by itself.
        file.writeUInt32LE(3, 512 + 4 * 3);
        return put('circle.xls', file);
      },
    ],
    [
      'a stream that claims more than its sectors hold',
      'source.compound_damaged',
      () => {
        const file = compound({ Workbook: Buffer.alloc(5000) });
        file.writeUInt32LE(0x7fffffff, 2 * 512 + 128 + 120);
        return put('claims.xls', file);
      },
    ],
    [
      'a table of contents that runs in a circle',
      'source.compound_damaged',
      () => {
        const file = compound({ Workbook: Buffer.alloc(5000), Other: Buffer.alloc(9) });
        file.writeUInt32LE(1, 2 * 512 + 2 * 128 + 68);
        return put('tree.xls', file);
      },
    ],
    ['a cell beyond the last row', 'source.ods_outside', () => put('rows.ods', ods(beyond()))],
    [
      'an entity in an .ods',
      'source.xlsx_entity',
      () => put('entity.ods', ods('<table:table table:name="&a;"/>')),
    ],
  ])('%s: %s', async (_, code, file) => expect(await codeOf(file())).toBe(code));

  const beyond = (): string => {
    const cell = '<table:table-cell office:value-type="float" office:value="1"/>';
    const rows = `<table:table-row table:number-rows-repeated="1048576"/><table:table-row>${cell}</table:table-row>`;
    return `<table:table table:name="A">${rows}</table:table>`;
  };
});
