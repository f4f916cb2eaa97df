import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { openSource as OpenSource } from '../../src/source/open-source.js';
import { workbookEntries, worksheet } from '../fixtures/workbook.js';
import { type ZipEntry, zip } from '../fixtures/zip.js';
import { LISTS_OPEN_FILES, openFiles } from '../support/open-files.js';

/** The built reader, as a thread runs nothing but what is built. */
const BUILT = new URL('../../dist/tools/source.cjs', import.meta.url);
const SHEET = 'xl/worksheets/sheet1.xml';
const ROWS = 35_000;
/** Far behind where the thread takes over. */
const LATE = 34_000;
const LONG = 'long '.repeat(200);

const folder = mkdtempSync(path.join(tmpdir(), 'xlsx-thread-'));
const running = new Set<Worker>();
let started = 0;

function watch(worker: Worker): void {
  started += 1;
  running.add(worker);
  worker.once('exit', () => running.delete(worker));
}

let openSource: typeof OpenSource;
let good: string;
beforeAll(async () => {
  good = write('good.xlsx', { data: sheet() });
  ({ openSource } = (await import(BUILT.href)) as { openSource: typeof OpenSource });
  process.on('worker', watch);
});
afterAll(() => {
  process.off('worker', watch);
  rmSync(folder, { recursive: true });
});

function row(n: number, more = ''): string {
  return `<row r="${n}"><c r="A${n}" t="s"><v>${n % 3}</v></c><c r="B${n}" t="str"><v>行 &amp; ${n} ${LONG}</v></c><c r="C${n}"><v>${n}</v></c><c r="D${n}"><v>${n}.5</v></c>${more}</row>`;
}

/** A sheet of some 40 MB. @param at is put in place of row `LATE` */
function sheet(at = row(LATE)): string {
  const rows = Array.from({ length: ROWS }, (_, i) => (i + 1 === LATE ? at : row(i + 1)));
  return worksheet(rows.join(''));
}

function write(name: string, entry: Omit<ZipEntry, 'name'>): string {
  const strings = '<si><t>none</t></si><si><t>eins</t></si><si><t>二</t></si>';
  const file = path.join(folder, name);
  writeFileSync(file, zip(workbookEntries({ strings, entries: [{ name: SHEET, ...entry }] })));
  return file;
}

/**
 * Checks every row up to `until`; gives how many there were.
 * @param waitAt a row at which the reader waits, so that the thread overtakes; it needs some thousand rows else
 */
async function readRows(file: string, until = Number.POSITIVE_INFINITY, waitAt = 2000): Promise<number> {
  const source = await openSource(file);
  let last = 0;
  let waited = false;
  try {
    for await (const page of source.rows(source.sheets[0]!)) {
      for (const it of page) {
        last += 1;
        const texts = it.cells().map(({ text }) => text);
        const wanted = [['none', 'eins', '二'][last % 3], `行 & ${last} ${LONG}`, `${last}`, `${last}.5`];
        if (it.number !== last || texts.join() !== wanted.join())
          throw new Error(`row ${last}: ${texts.join()}`);
      }
      if (last >= until) break;
      if (last >= waitAt && !waited) {
        await setTimeout(500);
        waited = true;
      }
    }
  } catch (error) {
    throw Object.assign(error as Error, { rows: last });
  } finally {
    await source.close();
  }
  return last;
}

describe('a large sheet is scanned in a thread', () => {
  it.each([2000, 20_000, ROWS])('every row once, in order, if the reader waits at %i', async (waitAt) => {
    const before = started;
    expect(await readRows(good, Number.POSITIVE_INFINITY, waitAt)).toBe(ROWS);
    expect(started).toBe(before + 1);
    expect(running.size).toBe(0);
  });

  it('not for its first rows alone', async () => {
    const before = started;
    expect(await readRows(good, 1)).toBeLessThan(500);
    expect(started).toBe(before);
  });

  it.each([1000, 5000, 30_000])('an early end after %i rows ends the thread', async (until) => {
    expect(await readRows(good, until)).toBeLessThan(ROWS);
    expect(running.size).toBe(0);
  });

  it('leaves no file open, however early it is ended', async () => {
    if (!LISTS_OPEN_FILES) return console.log('skipped: this system does not list open files');
    const ownFiles = () => openFiles().filter((it) => it.includes('/dist/') || it.endsWith('.xlsx'));
    const startedBefore = started;
    for (let wait = 0; wait < 100; wait += 12) {
      const source = await openSource(good);
      const before = started;
      for await (const _ of source.rows(source.sheets[0]!)) {
        if (started === before) continue;
        await setTimeout(wait);
        break;
      }
      await source.close();
    }
    expect(started).toBe(startedBefore + 9);
    // The last file is closed in the background.
    await expect.poll(ownFiles).toEqual([]);
  });

  it('several readings at a time', async () => {
    const before = started;
    const [whole, part] = await Promise.all([readRows(good), readRows(good, 20_000)]);
    expect(whole).toBe(ROWS);
    expect(part).toBeGreaterThanOrEqual(20_000);
    expect(started).toBe(before + 2);
  });

  const late: readonly (readonly [code: string, entry: () => Omit<ZipEntry, 'name'>])[] = [
    ['source.xlsx_string_index', () => ({ data: sheet(row(LATE, `<c r="E${LATE}" t="s"><v>99</v></c>`)) })],
    ['source.xlsx_row_order', () => ({ data: sheet(row(LATE - 2)) })],
    ['source.xlsx_part_broken', () => ({ data: sheet('<row></c></row>') })],
    ['source.zip_crc', () => ({ data: sheet(), crc: 1 })],
  ];
  it.each(late)('%s, found there, comes after the rows before it', async (code, entry) => {
    const failed = await readRows(write('bad.xlsx', entry())).catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'LicenseSyncError', kind: 'input', detail: { code } });
    expect((failed as { rows: number }).rows).toBeGreaterThan(LATE - 1000);
    expect((failed as { rows: number }).rows).toBeLessThan(code === 'source.zip_crc' ? ROWS + 1 : LATE);
    expect((failed as Error).message).toContain('bad.xlsx');
    expect(running.size).toBe(0);
  });
});
