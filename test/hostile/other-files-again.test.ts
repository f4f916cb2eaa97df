import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSource } from '../../src/source/open-source.js';
import { encrypted } from '../fixtures/encrypt.js';
import { book } from './order-files.js';

const started = vi.hoisted(() => ({ count: 0 }));
vi.mock('node:child_process', async (original) => {
  const real = await original<typeof import('node:child_process')>();
  return {
    ...real,
    fork: (...given: Parameters<typeof real.fork>) => {
      started.count += 1;
      return real.fork(...given);
    },
  };
});

const MADE = path.join(import.meta.dirname, '../fixtures/other-files');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'again-'));
  started.count = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function read(file: string, password?: { kind: 'file'; path: string }) {
  const source = await openSource(file, { password });
  try {
    const found = [];
    for (const sheet of source.sheets) {
      const merges = (await source.merges?.(sheet))?.numbers();
      const rows = [];
      for await (const page of source.rows(sheet))
        rows.push(...page.map((it) => [it.sheet, it.number, it.hidden, it.cells()]));
      found.push({ sheet, merges, rows });
    }
    return found;
  } finally {
    await source.close();
  }
}

describe('a workbook of another format that is read again', () => {
  it.each(['cells.xls', 'cells.ods'])('%s takes one process, and gives the same', async (name) => {
    const file = path.join(folder, name);
    await copyFile(path.join(MADE, name), file);
    const first = await read(file);
    expect(first.flatMap((it) => it.rows).length).toBeGreaterThan(0);
    expect(await read(file)).toEqual(first);
    expect(await read(file)).toEqual(first);
    expect(started.count).toBe(1);
  });

  it('is read again where it was written to, and where reading it was broken off', async () => {
    const file = path.join(folder, 'book.xls');
    await copyFile(path.join(MADE, 'cells.xls'), file);
    const source = await openSource(file);
    for await (const _ of source.rows(source.sheets[0]!)) break;
    await source.close();
    const whole = await read(file);
    expect(started.count).toBe(2);
    await copyFile(path.join(MADE, 'cells.ods'), file);
    expect(await read(file)).not.toEqual(whole);
    expect(started.count).toBe(3);
  });

  it('is never kept where it was encrypted', async () => {
    const file = path.join(folder, 'secret.xlsx');
    await writeFile(file, encrypted(book(), 'geheim'));
    const password = { kind: 'file', path: path.join(folder, 'password') } as const;
    await writeFile(password.path, 'geheim\n', { mode: 0o600 });
    await read(file, password);
    await read(file, password);
    expect(started.count).toBe(2);
    await expect(read(file)).rejects.toThrow(/password/);
  });
});
