import {
  appendFile,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/errors/message.js';
import { isResultFile } from '../../src/source/result-file.js';
import { type ResultWriter, removeUnchangedResult } from '../../src/workbook/result-files.js';
import { writeResult } from '../../src/workbook/write.js';
import { line, row, table, text } from '../support/result-table.js';

let folder: string;
let state: string;
let warned: Message[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'results-'));
  state = path.join(folder, 'state');
  await mkdir(state);
  warned = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Writes a result of one row with this name; gives the name of the file that was written. */
async function write(by: ResultWriter, name: string, cell: string): Promise<string> {
  const place = { stateFolder: state, by, isResult: isResultFile, warn: (it: Message) => warned.push(it) };
  const content = table(['Name'], [line(row(2, [text(cell)]))]);
  return path.relative(folder, await writeResult(path.join(folder, name), content, place));
}

const codes = () => warned.map((it) => it.code);
const bytes = (name: string) => readFile(path.join(folder, name));

describe.each(['.xlsx', '.csv', '.ndjson'])('a result (%s)', (extension) => {
  const name = `r${extension}`;
  const second = `r (2)${extension}`;

  it.each([
    ['run', 'run'],
    ['check', 'check'],
    ['check', 'run'],
  ] as const)('of a %s is replaced by a %s while it is unchanged', async (first, next) => {
    await write(first, name, 'a');
    expect(await write(next, name, 'b')).toBe(name);
    expect(await write(next, name, 'c')).toBe(name);
    expect(codes()).toEqual([]);
  });

  it('is written although its note cannot be, and is not replaced then', async () => {
    await writeFile(path.join(state, 'result-notes'), 'a file where the folder belongs');
    expect(await write('run', name, 'a')).toBe(name);
    if (extension !== '.ndjson') expect(await write('run', name, 'b')).toBe(second);
  });

  it('of a run is never replaced by a check, which has one other name', async () => {
    await write('run', name, 'a');
    const before = await bytes(name);
    expect(await write('check', name, 'b')).toBe(second);
    expect(await write('check', name, 'c')).toBe(second);
    expect(await bytes(name)).toEqual(before);
    expect(codes()).toEqual(['workbook.kept_of_run', 'workbook.kept_of_run']);
    expect(await write('run', name, 'd')).toBe(name);
  });

  it.each(['run', 'check'] as const)('of a %s that was changed is replaced by nothing', async (first) => {
    await write(first, name, 'a');
    await appendFile(path.join(folder, name), '\n');
    const before = await bytes(name);
    expect(await write('run', name, 'b')).toBe(second);
    expect(await write('check', name, 'c')).toBe(`r (3)${extension}`);
    expect(await bytes(name)).toEqual(before);
    expect(codes()).toEqual(['workbook.kept_changed', 'workbook.kept_changed']);
  });

  it('of another ledger is replaced by nothing; another file is', async () => {
    await write('run', name, 'a');
    await rm(path.join(state, 'result-notes'), { recursive: true });
    expect(await write('run', name, 'b')).toBe(second);
    expect(codes()).toEqual(['workbook.kept_not_noted']);
    const other = `other${extension}`;
    await copyFile(new URL(import.meta.url), path.join(folder, other));
    expect(await write('run', other, 'c')).toBe(other);
  });

  it('is written through a symbolic link, also where that leads nowhere yet', async () => {
    await mkdir(path.join(folder, 'share'));
    await symlink(path.join('share', name), path.join(folder, name));
    expect(await write('run', name, 'a')).toBe(name);
    expect(await write('run', name, 'b')).toBe(name);
    expect((await lstat(path.join(folder, name))).isSymbolicLink()).toBe(true);
    expect(await readdir(path.join(folder, 'share'))).toEqual([name]);
    expect(await write('check', path.join('share', name), 'c')).toBe(path.join('share', second));
    expect(codes()).toEqual(['workbook.kept_of_run']);
  });

  it('is removed only while it is unchanged', async () => {
    await write('run', name, 'a');
    await write('run', second, 'b');
    await appendFile(path.join(folder, second), '\n');
    for (const it of [name, second]) await removeUnchangedResult(state, path.join(folder, it));
    expect((await readdir(folder)).sort()).toEqual([second, 'state']);
  });
});
