import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import type { Row } from '../../src/model/row.js';
import { CsvRow } from '../../src/source/csv/csv-row.js';
import { openSource } from '../../src/source/open-source.js';
import { openTable } from '../../src/source/table.js';
import { refuseOutput, writeResult } from '../../src/workbook/write.js';
import { COLUMNS, line, row, table, text } from '../support/result-table.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'result-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const UGLY = [
  '=1+1',
  '+86',
  '-x',
  '@me',
  '\tx',
  '\rx',
  "'=1",
  "''=1",
  "'quoted'",
  'a;b|c',
  '"q"',
  'x\r\ny',
  ' ',
  '007',
];

describe('a result in CSV is read back as it was, and runs no formula', () => {
  it('is UTF-8 with a byte order mark and CRLF, formulas neutralised, numbers left alone', async () => {
    const file = path.join(folder, 'out.csv');
    const source = row(2, [text('=1+1'), { kind: 'number', text: '-5', raw: '-5' }, text('张,三')]);
    await writeResult(file, table(['=h', 'n', 'name'], [line(source, { message: '-odd' })]));
    const bytes = await readFile(file);
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.toString('utf8').slice(1)).toBe(
      `${COLUMNS.join(',')},'=h,n,name\r\n2,succeeded,LO-0001,0,'-odd,1,run-1,'=1+1,-5,"张,三"\r\n`,
    );
  });

  it.each(['.xlsx', '.csv'])('of a text kept by ="…" has the text, also in %s', async (extension) => {
    const file = path.join(folder, `out${extension}`);
    const source = new CsvRow('in', 2, ['="001"', '="=1"']);
    await writeResult(file, table(['lock', 'name'], [line(source)]));
    const opened = await openSource(file);
    const again = await openTable(opened, { headerRow: 1, resultColumns: [] });
    const rows: Row[] = [];
    for await (const page of again.rows()) rows.push(...page);
    expect(again.headers.map(({ column }) => rows[0]!.cell(column)?.text)).toEqual(['001', '=1']);
  });

  it('is valid input for the job, whatever row, delimiter and encoding the job names', async () => {
    const file = path.join(folder, 'out.csv');
    const names = UGLY.map((_, index) => (index === 0 ? 'status' : `=c${index}`));
    const source = row(9, UGLY.map(text));
    await writeResult(file, table(names, [line(source), line(row(12, [text('later')]))]));
    const opened = await openSource(file, { headerRow: 3, delimiter: ';', encoding: 'gb18030' });
    expect(opened).toMatchObject({ encoding: 'utf-8', delimiter: ',' });
    const again = await openTable(opened, { headerRow: 3, resultColumns: [] });
    expect(again).toMatchObject({ fromResult: true, headerRow: 1 });
    expect(again.headers.map((it) => it.text)).toEqual(names);
    const rows: Row[] = [];
    for await (const page of again.rows()) rows.push(...page);
    expect(again.headers.map(({ column }) => rows[0]!.cell(column)?.text)).toEqual(UGLY);
    expect(rows[1]!.cell(again.headers[0]!.column)?.text).toBe('later');
  });
});

describe('a result in NDJSON keeps every digit', () => {
  it('keeps column order and every column, clashing and odd names too', async () => {
    const file = path.join(folder, 'out.ndjson');
    const source = row(2, [
      text('Approved'),
      text('p'),
      { kind: 'number', text: '0012', raw: '12', format: '0000' },
      { kind: 'number', text: '12', raw: '12' },
      { kind: 'boolean', text: 'TRUE', raw: '1' },
      undefined,
      text('again'),
    ]);
    const names = ['status', '__proto__', 'padded', '2024', 'ok', 'empty', 'status'];
    await writeResult(file, table(names, [line(source)]));
    expect(await readFile(file, 'utf8')).toBe(
      '{"row":2,"status":"succeeded","licenseOrderId":"LO-0001","code":"0","message":null,"attempts":1,' +
        '"run":"run-1","status (2)":"Approved","__proto__":"p","padded":"0012","2024":12,"ok":true,' +
        '"empty":null,"status (3)":"again"}\n',
    );
  });

  it('holds every character as JSON writes it', async () => {
    const file = path.join(folder, 'out.ndjson');
    const texts = Array.from({ length: 0x10000 }, (_, code) => `${String.fromCharCode(code)}x`);
    const lines = texts.map((it, index) => line(row(index + 2, [text(it)]), { values: [index + 2] }));
    await writeResult(file, table(['a'], lines, { columns: ['row'] }));
    const written = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(written).toHaveLength(texts.length);
    texts.forEach((it, index) => {
      if (written[index] !== `{"row":${index + 2},"a":${JSON.stringify(it)}}`) expect.fail(written[index]);
    });
  });
});

describe('a place that cannot take a result is refused before anything is sent', () => {
  const one = () => table(['a'], [line(row(2, [text('v')]))]);

  it('refuses other extensions and folders, saying what to do', async () => {
    await expect(writeResult(path.join(folder, 'out.xls'), one())).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'workbook.extension' },
    });
    await writeFile(path.join(folder, 'plain'), '');
    const inside = writeResult(path.join(folder, 'plain', 'out.csv'), one());
    await expect(inside).rejects.toMatchObject({ detail: { code: 'workbook.not_a_file' } });
    await expect(inside).rejects.toBeInstanceOf(ProductError);
    // Nothing was sent yet, so no outcomes are mentioned.
    const before = await refuseOutput(path.join(folder, 'plain', 'out.csv')).catch((error: unknown) => error);
    expect((before as ProductError).message).toContain('--output');
    expect((before as ProductError).message).not.toContain('outcome');
  });

  it('makes the folder, and takes another name when a spreadsheet program has the file open', async () => {
    const file = path.join(folder, 'deep', 'er', 'out.csv');
    expect(await writeResult(file, one())).toBe(file);
    await writeFile(path.join(path.dirname(file), '~$out.csv'), '');
    const second = await writeResult(file, one());
    expect(second).toBe(path.join(path.dirname(file), 'out (2).csv'));
    expect(await writeResult(file, one())).toBe(path.join(path.dirname(file), 'out (3).csv'));
    expect((await readdir(path.dirname(file))).filter((it) => it.endsWith('.tmp'))).toEqual([]);
  });

  it('says that the ledger keeps the outcomes when the disk is full', async () => {
    async function* full() {
      yield [line(row(2, [text('v')]))];
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
        code: 'ENOSPC',
        syscall: 'write',
      });
    }
    const failing = writeResult(path.join(folder, 'out.csv'), table(['a'], [], { lines: full() }));
    await expect(failing).rejects.toMatchObject({ kind: 'internal', detail: { code: 'workbook.disk_full' } });
    expect(await readdir(folder)).toEqual([]);
  });
});
