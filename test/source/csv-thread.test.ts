import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/model/row.js';
import { openSource as openInThisThread } from '../../src/source/open-source.js';

/** The built reader, as a thread runs nothing but what is built. */
const BUILT = new URL('../../dist/tools/source.cjs', import.meta.url);
const ROWS = 30_000;
/** Far behind where the thread takes over. */
const LATE = 29_000;

const folder = mkdtempSync(path.join(tmpdir(), 'csv-thread-'));
const running = new Set<Worker>();
let started = 0;

function watch(worker: Worker): void {
  started += 1;
  running.add(worker);
  worker.once('exit', () => running.delete(worker));
}

let openSource: typeof openInThisThread;
beforeAll(async () => {
  ({ openSource } = (await import(BUILT.href)) as { openSource: typeof openInThisThread });
  process.on('worker', watch);
});
afterAll(() => {
  process.off('worker', watch);
  rmSync(folder, { recursive: true });
});

/** A table of some 12 MB. @param at is put in place of row `LATE` */
function write(name: string, at?: string): string {
  const line = (n: number): string => `${n},"行 ""${n}""\nzweite",${'long '.repeat(70)},${n}.5`;
  const lines = Array.from({ length: ROWS }, (_, i) => (i === LATE && at !== undefined ? at : line(i)));
  const file = path.join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const reported = (row: Row): unknown => [row.number, row.cells().map((it) => it.text), row.faults];

async function read(open: typeof openInThisThread, file: string): Promise<unknown[]> {
  const source = await open(file, {});
  const rows: unknown[] = [];
  for await (const page of source.rows(source.sheets[0]!)) rows.push(...page.map(reported));
  await source.close();
  return rows;
}

describe('a large text table is cut into records in a thread', () => {
  it('gives the same rows as without one', async () => {
    const file = write('good.csv');
    const before = started;
    const rows = await read(openSource, file);
    expect(started).toBe(before + 1);
    expect(rows.length).toBe(ROWS);
    expect(rows).toEqual(await read(openInThisThread, file));
    expect(started).toBe(before + 1);
  });

  it('gives the rows and faults behind a wrong quote, found there', async () => {
    const file = write('quote.csv', '7,"a" b,c,d');
    const rows = await read(openSource, file);
    expect(rows).toEqual(await read(openInThisThread, file));
    expect(rows.filter((it) => (it as unknown[])[2] !== undefined).length).toBeGreaterThanOrEqual(1);
  });

  it('fails by a quote that is never closed after the rows before it', async () => {
    const source = await openSource(write('open.csv', '7,"never closed'), {});
    let rows = 0;
    const reading = async (): Promise<void> => {
      for await (const page of source.rows(source.sheets[0]!)) rows += page.length;
    };
    await expect(reading()).rejects.toMatchObject({
      detail: { code: expect.stringMatching(/^source\.csv_/) },
    });
    expect(rows).toBeGreaterThan(LATE - 2000);
    expect(rows).toBeLessThanOrEqual(LATE);
  });

  it('ends with its caller, however early', async () => {
    const file = write('early.csv');
    for (const wanted of [1, 5000]) {
      const source = await openSource(file, {});
      let rows = 0;
      for await (const page of source.rows(source.sheets[0]!)) {
        rows += page.length;
        if (rows >= wanted) break;
      }
      await source.close();
      await expect.poll(() => running.size).toBe(0);
    }
  });
});
