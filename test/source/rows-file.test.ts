import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import type { Cell, Row } from '../../src/model/row.js';
import { RESULT_NAMES } from '../../src/platform/operations/catalogue.js';
import { openSource } from '../../src/source/open-source.js';
import { writeRows } from '../../src/source/rows-file.js';
import { openTable } from '../../src/source/table.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rows-'));
  file = path.join(folder, 'state', 'kept.rows');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function row(number: number, cells: readonly Cell[], hidden = false): Row {
  return {
    sheet: 'Locks',
    number,
    hidden,
    cell: (column) => cells.find((it) => it.column === column),
    cells: () => cells,
  };
}

const text = (column: number, it: string): Cell => ({ column, kind: 'text', text: it, raw: it });

const CELLS: readonly Cell[] = [
  text(2, '0012 "quoted"\r\nsecond line \u2028 \ud83d\ude00 \udc00'),
  { column: 3, kind: 'number', text: '0012', raw: '12', format: '0000' },
  { column: 4, kind: 'date', text: '2027-12-31', raw: '46752', format: 'yyyy/mm/dd' },
  { column: 5, kind: 'boolean', text: 'TRUE', raw: '1' },
  { column: 6, kind: 'error', text: '#N/A', raw: '#N/A' },
  { column: 7, kind: 'no_result', text: '', raw: '' },
  { column: 8, kind: 'duration', text: '30:15:00', raw: '1.2604166666666667', format: '[h]:mm:ss' },
];
const HEADERS = CELLS.map(({ column }) => ({ column, text: ` Header ${column}` }));
const TABLE = { sheet: 'Locks', headerRow: 3, headers: HEADERS };

async function* pages(...rows: readonly (readonly Row[])[]): AsyncGenerator<readonly Row[]> {
  yield* rows;
}

async function allRows(of = file): Promise<Row[]> {
  const source = await openSource(of);
  const found: Row[] = [];
  for await (const page of source.rows(source.sheets[0]!)) found.push(...page);
  await source.close();
  return found;
}

async function refused(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProductError);
  expect(error).toMatchObject({ kind: 'input' });
  return (error as ProductError).detail.code;
}

describe('stored rows are read back as they were', () => {
  it('come back as they were: numbers, hidden, every kind of cell', async () => {
    const rows = [row(5, CELLS), row(6, [text(2, 'x')], true), row(900_000, CELLS)];
    await writeRows(file, { ...TABLE, rows: pages([rows[0]!], [], rows.slice(1)) });
    const [head, ...back] = await allRows();
    expect(head).toMatchObject({ sheet: 'Locks', number: 3 });
    expect(head?.cells().map((it) => [it.column, it.text])).toEqual(
      HEADERS.map((it) => [it.column, it.text]),
    );
    expect(back.map((it) => [it.sheet, it.number, it.hidden])).toEqual([
      ['Locks', 5, false],
      ['Locks', 6, true],
      ['Locks', 900_000, false],
    ]);
    for (const [index, it] of back.entries()) expect(it.cells()).toEqual(rows[index]!.cells());
    expect(back[0]?.cell(4)).toEqual(rows[0]!.cell(4));
    expect(back[1]?.cell(3)).toBeUndefined();
  });

  it('exclude cells under no header', async () => {
    await writeRows(file, { ...TABLE, headers: HEADERS.slice(0, 1), rows: pages([row(4, CELLS)]) });
    const [, it] = await allRows();
    expect(it?.cells().map(({ column }) => column)).toEqual([2]);
  });

  it('are a table at their own header row, whatever sheet and header row a job names', async () => {
    const headers = ['row', 'status', 'licenseOrderId', 'code', 'message', 'attempts', 'run', 'Lock No'];
    const named = headers.map((it, index) => ({ column: index + 1, text: it }));
    await writeRows(file, {
      sheet: 'Results',
      headerRow: 1,
      headers: named,
      rows: pages([row(7, [text(8, 'A')])]),
    });
    const source = await openSource(file);
    expect(source).toMatchObject({ isWorkbook: false, file, headerRow: 1, warnings: [] });
    expect(source.sheets).toEqual([{ name: 'Results', position: 1, visibility: 'visible' }]);
    const table = await openTable(source, { sheet: 'Elsewhere', headerRow: 4, resultColumns: RESULT_NAMES });
    // Columns of an earlier result that the program kept are the source's own here.
    expect(table).toMatchObject({ headerRow: 1, fromResult: false, resultColumns: [] });
    expect(table.headers.map((it) => it.text)).toEqual(headers);
    const numbers: number[] = [];
    for await (const page of table.rows()) numbers.push(...page.map((it) => it.number));
    expect(numbers).toEqual([7]);
  });

  it('are read again and again, several times at once, and may be left halfway', async () => {
    await writeRows(file, {
      ...TABLE,
      rows: pages(Array.from({ length: 9000 }, (_, i) => row(4 + i, CELLS))),
    });
    const source = await openSource(file);
    const sheet = source.sheets[0]!;
    for await (const page of source.rows(sheet)) {
      expect(page.length).toBeLessThan(9000);
      break;
    }
    const count = async () => {
      let rows = 0;
      for await (const page of source.rows(sheet)) rows += page.length;
      return rows;
    };
    expect(await Promise.all([count(), count()])).toEqual([9001, 9001]);
  });

  it('may be none at all', async () => {
    await writeRows(file, { ...TABLE, rows: pages() });
    expect((await allRows()).map((it) => it.number)).toEqual([3]);
  });
});

describe('a file of stored rows is written whole or not at all', () => {
  it('is for the owner alone, and is there whole or not at all', async () => {
    const rows = async function* () {
      yield [row(4, CELLS)];
      await expect(stat(file)).rejects.toThrow('ENOENT');
    };
    await writeRows(file, { ...TABLE, rows: rows() });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    expect(await readdir(path.dirname(file))).toEqual(['kept.rows']);
  });

  it('takes the place of an older one', async () => {
    await writeRows(file, { ...TABLE, rows: pages([row(4, CELLS)]) });
    await writeRows(file, { ...TABLE, rows: pages([row(5, CELLS)]) });
    expect((await allRows()).map((it) => it.number)).toEqual([3, 5]);
  });

  it('is not left half written when its rows fail', async () => {
    const failing = async function* () {
      yield [row(4, CELLS)];
      throw new Error('no more');
    };
    await expect(writeRows(file, { ...TABLE, rows: failing() })).rejects.toThrow('no more');
    expect(await readdir(path.dirname(file))).toEqual([]);
  });

  it('is not made where its place can’t be taken', async () => {
    await mkdir(file, { recursive: true });
    const writing = writeRows(file, { ...TABLE, rows: pages([row(4, CELLS)]) });
    await expect(writing).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
    expect(await readdir(path.dirname(file))).toEqual(['kept.rows']);
  });

  it('takes rows in ascending order only', async () => {
    const writing = writeRows(file, { ...TABLE, rows: pages([row(3, CELLS)]) });
    await expect(writing).rejects.toThrow('row 3 after row 3');
    expect(await readdir(path.dirname(file))).toEqual([]);
  });
});

describe('a file of stored rows that is not whole is refused', () => {
  let lines: string[];
  beforeEach(async () => {
    await writeRows(file, { ...TABLE, rows: pages([row(4, CELLS), row(5, CELLS)]) });
    lines = (await readFile(file, 'utf8')).split('\n');
    expect(lines).toHaveLength(6);
  });

  const closing = (body: readonly string[], end: number) => {
    const sha256 = createHash('sha256')
      .update(body.map((it) => `${it}\n`).join(''))
      .digest('hex');
    return JSON.stringify({ end, sha256 });
  };

  it('is what its last line reports', async () => {
    const body = lines.slice(0, 4);
    expect(lines[4]).toBe(closing(body, 3));
    expect(JSON.parse(lines[0]!)).toEqual({
      format: 'license-sync-rows',
      version: 1,
      sheet: 'Locks',
      headerRow: 3,
    });
  });

  it.each<[string, (lines: string[]) => string]>([
    ['ends too soon', (it) => `${it.slice(0, 4).join('\n')}\n`],
    ['ends within a line', (it) => it.slice(0, 4).join('\n').slice(0, -5)],
    ['ends within the last line', (it) => it.slice(0, 5).join('\n')],
    ['lacks a row', (it) => [it[0], it[1], it[3], it[4], ''].join('\n')],
    ['has a row twice', (it) => [...it.slice(0, 4), it[3], it[4], ''].join('\n')],
    ['has another text', (it) => it.join('\n').replace('second line', 'second life')],
    ['has something after its end', (it) => [...it.slice(0, 5), it[3], ''].join('\n')],
    ['has a line of another kind', (it) => [...it.slice(0, 4), '{"a":1}', it[4], ''].join('\n')],
    ['has a line that is no JSON', (it) => [it[0], it[1], 'row', it[3], it[4], ''].join('\n')],
    [
      'has a row where its header should be',
      (it) => [it[0], it[2], closing([it[0]!, it[2]!], 1), ''].join('\n'),
    ],
    ['counts wrongly', (it) => [...it.slice(0, 4), closing(it.slice(0, 4), 4), ''].join('\n')],
    ['is its first line only', (it) => `${it[0]}\n`],
  ])('%s', async (_, change) => {
    await writeFile(file, change(lines));
    expect(await refused(allRows())).toBe('source.rows_damaged');
  });

  it('reports the line from which on it can’t be used', async () => {
    await writeFile(file, [lines[0], lines[1], 'row', ''].join('\n'));
    await expect(allRows()).rejects.toMatchObject({ detail: { params: { file, line: 3 } } });
  });

  it.each([
    ['', 'source.rows_foreign'],
    ['a,b\n1,2\n', 'source.rows_foreign'],
    ['no line end', 'source.rows_foreign'],
    ['null\n', 'source.rows_foreign'],
    ['{"format":"license-sync-rows","version":1,"sheet":3}\n', 'source.rows_foreign'],
    ['{"format":"license-sync-rows","version":2,"sheet":"A"}\n', 'source.rows_version'],
  ])('%j is refused when it is opened', async (content, code) => {
    await writeFile(file, content);
    expect(await refused(openSource(file))).toBe(code);
  });
});
