import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { BULKS } from '../fixtures/bulk.js';

/**
 * Memory by what is there, not by what is claimed: the files claim several GB. Node 24 collects garbage later than Node 20:
 * it peaks at 335 MiB where Node 20 peaks at 285.
 */
const LIMIT_MIB = 400;
const CHILD = path.join(import.meta.dirname, 'read-child.mjs');
const CORPUS = path.join(import.meta.dirname, '../../../shared/spreadsheets/files');

interface Reported {
  readonly end: string;
  readonly rows: number;
  readonly cells: number;
  /** Of the whole process: Node itself takes about 50. */
  readonly peakMiB: number;
}

const folder = mkdtempSync(path.join(tmpdir(), 'license-sync-hostile-'));
const peaks: (readonly [file: string, peakMiB: number])[] = [];

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  const [highest] = [...peaks].sort(([, a], [, b]) => b - a);
  console.log(`memory: ${peaks.length} files, at most ${highest?.[1]} MiB (${highest?.[0]})`);
});

const run = promisify(execFile);

/** A process of its own for each file, so that what one took doesn't show in the next. */
async function read(file: string): Promise<Reported> {
  const { stdout } = await run(process.execPath, [CHILD, file]);
  const reported = JSON.parse(stdout) as Reported;
  peaks.push([path.basename(file), reported.peakMiB]);
  return reported;
}

describe('a file made to fill the memory', () => {
  it.concurrent.each(BULKS)('$title', async ({ title, extension, bytes, end, rows }) => {
    const file = path.join(folder, `${title}${extension}`);
    writeFileSync(file, bytes());
    const reported = await read(file);
    rmSync(file);
    expect({ end: reported.end, rows: reported.rows }).toEqual({ end, rows });
    expect(reported.peakMiB).toBeLessThan(LIMIT_MIB);
  });
});

describe.runIf(existsSync(CORPUS))('the bombs of the reader corpus', () => {
  const bombs = existsSync(CORPUS) ? readdirSync(CORPUS).filter((it) => it.startsWith('bomb-')) : [];
  const large = ['dim-xfd1048576-gnumeric.xlsx', 'size-10000-rows.xlsx', 'csv-huge-cell-106KB.csv'];

  it('are there', () => expect(bombs.length).toBeGreaterThan(5));

  it.concurrent.each([...bombs, ...large])('%s', async (name) => {
    expect((await read(path.join(CORPUS, name))).peakMiB).toBeLessThan(LIMIT_MIB);
  });
});
