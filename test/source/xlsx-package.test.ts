import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import { openSource } from '../../src/source/open-source.js';
import { cellAddress } from '../../src/util/spreadsheet-text.js';
import { type WorkbookContent, workbook, workbookEntries, worksheet } from '../fixtures/workbook.js';
import { type ZipEntry, zip } from '../fixtures/zip.js';
import { openFiles } from '../support/open-files.js';

const folder = mkdtempSync(path.join(tmpdir(), 'xlsx-package-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROW = '<row r="1"><c r="A1"><v>1</v></c></row>';
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function write(bytes: Uint8Array): string {
  const file = path.join(folder, 'book.xlsx');
  writeFileSync(file, bytes);
  return file;
}

async function readAll(bytes: Uint8Array): Promise<string[]> {
  const source = await openSource(write(bytes));
  try {
    const seen: string[] = [];
    for (const sheet of source.sheets) {
      for await (const rows of source.rows(sheet))
        for (const row of rows)
          seen.push(
            ...row.cells().map((it) => `${row.sheet}!${cellAddress(it.column, row.number)}=${it.text}`),
          );
    }
    return seen;
  } finally {
    await source.close();
  }
}

const ownFiles = () => openFiles().filter((it) => it.startsWith(folder));

async function codeOf(bytes: Uint8Array): Promise<string> {
  const error = await readAll(bytes).then(
    (seen) => seen,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(ProductError);
  expect(error.kind).toBe('input');
  expect(error.message).toContain('book.xlsx');
  await expect.poll(ownFiles, { interval: 5 }).toEqual([]);
  return error.detail.code;
}

const with_ = (entries: readonly ZipEntry[], content: WorkbookContent = {}): Buffer =>
  workbook({ sheet: ROW, ...content, entries });
const sheetEntry = (more: Partial<ZipEntry>): ZipEntry => ({
  name: 'xl/worksheets/sheet1.xml',
  data: worksheet(ROW),
  ...more,
});

describe('damaged and malicious packages are refused', () => {
  const good = workbook({ sheet: ROW });
  const ole = (text: string): Buffer =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(3000), Buffer.from(text, 'utf16le')]);

  it.each<[string, Uint8Array]>([
    ['source.xlsx_empty_file', Buffer.alloc(0)],
    ['source.compound_damaged', ole('EncryptedPackage')],
    ['source.compound_damaged', ole('Workbook')],
    ['source.xlsx_is_html', Buffer.from('\ufeff<html><table><tr><td>1</td></tr></table></html>')],
    ['source.xlsx_is_html', Buffer.from('<?xml version="1.0"?><Workbook/>')],
    ['source.xlsx_is_text', Buffer.from('id,name\n1,张三\n')],
    ['source.xlsx_is_text', Buffer.from('\ufeffid\tname\n', 'utf16le')],
    ['source.xlsx_not_a_workbook', Buffer.from('%PDF-1.7\0\x01\x02binary', 'latin1')],
    ['source.zip_truncated', good.subarray(0, good.length - 30)],
    ['source.zip_truncated', good.subarray(0, 200)],
    ['source.zip_no_entries', zip([])],
    ['source.zip_damaged', zip(workbookEntries(), 30)],
    ['source.zip_entries', zip(workbookEntries(), 10_001)],
    ['source.zip_name', with_([{ name: '../evil.xml', data: '' }])],
    ['source.zip_name', with_([{ name: 'xl/..\\..\\evil.xml', data: '' }])],
    ['source.zip_name', with_([{ name: '/etc/passwd', data: '' }])],
    ['source.zip_name', with_([{ name: 'C:/evil.xml', data: '' }])],
    ['source.zip_duplicate', with_([sheetEntry({}), sheetEntry({})])],
    ['source.zip_duplicate', with_([sheetEntry({}), sheetEntry({ name: 'xl\\Worksheets\\SHEET1.xml' })])],
    [
      'source.zip_inflated',
      with_([
        { name: 'a', data: '', size: 0xfffffff0 },
        { name: 'b', data: '', size: 99 },
      ]),
    ],
    ['source.zip_size', with_([sheetEntry({ size: 20 })])],
    ['source.zip_size', with_([sheetEntry({ size: 9999 })])],
    ['source.zip_crc', with_([sheetEntry({ crc: 1 })])],
    ['source.zip_crc', with_([sheetEntry({ crc: 1, method: 0 })])],
    ['source.zip_method', with_([sheetEntry({ method: 12 })])],
    ['source.zip_entry_encrypted', with_([sheetEntry({ flags: 1 })])],
    ['source.zip_entry_damaged', with_([sheetEntry({ localName: 'xl/worksheets/other1.xml' })])],
    ['source.xlsx_no_workbook', zip([{ name: 'a.txt', data: 'x' }])],
    ['source.xlsx_no_workbook', with_([{ name: 'xl/workbook.xml', data: '<html/>' }])],
    [
      'source.xlsx_is_other_office',
      zip([
        { name: 'mimetype', data: 'x', method: 0 },
        { name: 'content.xml', data: '<a/>' },
      ]),
    ],
    ['source.xlsx_is_other_office', zip([{ name: 'ppt/presentation.xml', data: '<a/>' }])],
    ['source.xlsb_record_broken', zip([{ name: 'xl/workbook.bin', data: 'x' }])],
    ['source.xlsx_no_sheets', workbook({ sheets: '' })],
    ['source.xlsx_sheet_missing', workbook({ sheets: '<sheet name="Gone" r:id="none"/>' })],
    [
      'source.xlsx_sheet_missing',
      workbook({
        sheets: '<sheet name="Gone" r:id="g"/>',
        relations: `<Relationship Id="g" Type="${REL}/worksheet" Target="worksheets/gone.xml"/>`,
      }),
    ],
    [
      'source.xlsx_dtd',
      with_([{ name: 'xl/workbook.xml', data: '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/"><workbook/>' }]),
    ],
    ['source.xlsx_dtd', with_([{ name: 'xl/styles.xml', data: '<!DOCTYPE a><styleSheet/>' }])],
    ['source.xlsx_part_broken', with_([{ name: '_rels/.rels', data: '<a>' }])],
    ['source.xlsx_part_too_large', with_([{ name: 'xl/styles.xml', data: '<a/>', size: 65 * 1024 ** 2 }])],
    ['source.xlsx_part_broken', workbook({ sheets: '<sheet name="A" r:id="s1"/>'.repeat(10_001) })],
  ])('%s %#', async (code, bytes) => expect(await codeOf(bytes)).toBe(code));

  it('an entry whose packed bytes are damaged', async () => {
    const bytes = Buffer.from(with_([sheetEntry({ data: worksheet(ROW.repeat(1)) })]));
    const at = bytes.indexOf('xl/worksheets/sheet1.xml') + 'xl/worksheets/sheet1.xml'.length;
    bytes.fill(0xff, at, at + 12);
    expect(await codeOf(bytes)).toBe('source.zip_entry_damaged');
  });

  it('a file that is not there', async () => {
    const error = await openSource(path.join(folder, 'absent.xlsx')).catch((it) => it);
    expect(error.detail).toMatchObject({ code: 'cli.file_missing' });
  });

  it('reports a bomb by what comes out, long before its end', async () => {
    const bomb = sheetEntry({ data: Buffer.alloc(30_000_000, 0x20), size: 1000 });
    expect(await codeOf(with_([bomb]))).toBe('source.zip_size');
  });
});

describe('odd but sound packages are read', () => {
  it('stored entries, other cases, backslashes, absolute and dotted targets', async () => {
    const relation = (id: string, target: string): string =>
      `<Relationship Id="${id}" Type="${REL}/worksheet" Target="${target}"/>`;
    const entries = [
      sheetEntry({ method: 0 }),
      { name: 'xl\\Sheets\\B.xml', data: worksheet(ROW) },
      { name: 'odd place/c.xml', data: worksheet(ROW) },
      { name: 'xl/worksheets/', data: '' },
    ];
    const sheets =
      '<sheet name="C &amp; c" r:id="c"/><sheet name="A" r:id="s1"/><sheet name="Chart" r:id="ch"/><sheet name="B" state="hidden" r:id="b"/>';
    const relations =
      relation('b', '/XL/sheets/b.xml') +
      relation('c', '../odd%20place/./c.xml') +
      `<Relationship Id="ch" Type="${REL}/chartsheet" Target="chartsheets/sheet1.xml"/>`;
    const file = write(workbook({ entries, sheets, relations }));
    const source = await openSource(file);
    expect(source.sheets).toEqual([
      { name: 'C & c', position: 1, visibility: 'visible' },
      { name: 'A', position: 2, visibility: 'visible' },
      { name: 'B', position: 4, visibility: 'hidden' },
    ]);
    await source.close();
    expect(await readAll(workbook({ entries, sheets, relations }))).toEqual([
      'C & c!A1=1',
      'A!A1=1',
      'B!A1=1',
    ]);
  });

  it('without styles and shared strings', async () => {
    const entries = workbookEntries({ sheet: ROW }).filter((it) => it.name !== 'xl/styles.xml');
    expect(await readAll(zip(entries))).toEqual(['Data!A1=1']);
  });
});

describe('a sheet is streamed in bounded memory', () => {
  const rows = (count: number): string =>
    Array.from(
      { length: count },
      (_, i) =>
        `<row r="${i + 1}"><c r="A${i + 1}" t="s"><v>${i % 7}</v></c><c r="B${i + 1}"><v>${i}</v></c></row>`,
    ).join('');
  const strings = Array.from({ length: 7 }, (_, i) => `<si><t>text ${i}</t></si>`).join('');

  it('several readings at a time, each from the first row to the last', async () => {
    const source = await openSource(write(workbook({ sheet: rows(20_000), strings })));
    const read = async (): Promise<number> => {
      let sum = 0;
      for await (const chunk of source.rows(source.sheets[0]!))
        for (const row of chunk) {
          if (row.cell(1)?.text !== `text ${(row.number - 1) % 7}`) throw new Error(`row ${row.number}`);
          sum += Number(row.cell(2)?.text);
        }
      return sum;
    };
    expect(await Promise.all([read(), read(), read()])).toEqual([199_990_000, 199_990_000, 199_990_000]);
    expect(await read()).toBe(199_990_000);
    await source.close();
  });

  it('an early end frees the file, also when closed in the middle', async () => {
    const source = await openSource(write(workbook({ sheet: rows(50_000), strings })));
    for await (const chunk of source.rows(source.sheets[0]!)) {
      expect(chunk.length).toBeGreaterThan(0);
      expect(chunk.length).toBeLessThan(20_000);
      break;
    }
    const reading = source.rows(source.sheets[0]!)[Symbol.asyncIterator]();
    const first = await reading.next();
    await source.close();
    expect(first.value[0].number).toBe(1);
    await reading.return?.();
    await expect.poll(ownFiles, { interval: 5 }).toEqual([]);
  });

  it('an error in the last byte of a long sheet comes after its rows, never in place of silence', async () => {
    const source = await openSource(
      write(with_([sheetEntry({ data: worksheet(rows(20_000)), crc: 5 })], { strings })),
    );
    let seen = 0;
    const all = async (): Promise<void> => {
      for await (const chunk of source.rows(source.sheets[0]!)) seen += chunk.length;
    };
    await expect(all()).rejects.toMatchObject({ detail: { code: 'source.zip_crc' } });
    expect(seen).toBeGreaterThan(10_000);
    await source.close();
  });

  it('memory follows what is there: a million empty rows are nothing', async () => {
    const sheet = `<worksheet><sheetData>${'<row/>'.repeat(1_000_000)}<row><c><v>1</v></c></row></sheetData></worksheet>`;
    expect(await readAll(workbook({ sheet }))).toEqual(['Data!A1000001=1']);
  });
});
