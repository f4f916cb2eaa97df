import { existsSync } from 'node:fs';
import {
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveInto } from '../../src/inbox/done-files.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-move-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);

describe('moving a file into a folder', () => {
  it('makes the folder and never puts a file over another', async () => {
    for (const content of ['one', 'two', 'three']) {
      await writeFile(at('a.xlsx'), content);
      await moveInto(at('a.xlsx'), at('done'));
    }
    expect((await readdir(at('done'))).sort()).toEqual(['a-2.xlsx', 'a-3.xlsx', 'a.xlsx']);
    const contents = await Promise.all(
      ['a.xlsx', 'a-2.xlsx', 'a-3.xlsx'].map((it) => readFile(at(`done/${it}`), 'utf8')),
    );
    expect(contents).toEqual(['one', 'two', 'three']);
    expect(await readdir(folder)).toEqual(['done']);
  });

  it('keeps clear of folders and of broken links of that name too', async () => {
    await mkdir(at('done/a.csv'), { recursive: true });
    await symlink('nowhere', at('done/a-2.csv'));
    await writeFile(at('a.csv'), 'x');
    expect(await moveInto(at('a.csv'), at('done'))).toBe(at('done/a-3.csv'));
  });

  it('of many at once loses none', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `from-${index}`);
    for (const name of names) {
      await mkdir(at(name));
      await writeFile(at(`${name}/a.csv`), name);
    }
    await Promise.all(names.map((it) => moveInto(at(`${it}/a.csv`), at('done'))));
    const moved = await readdir(at('done'));
    const contents = await Promise.all(moved.map((it) => readFile(at(`done/${it}`), 'utf8')));
    expect(contents.sort()).toEqual(names.sort());
  });

  it('resumes a move that was cut off between its two steps', async () => {
    await mkdir(at('done'));
    await writeFile(at('a.csv'), 'x');
    await link(at('a.csv'), at('done/a.csv'));
    expect(await moveInto(at('a.csv'), at('done'))).toBe(at('done/a.csv'));
    expect(await readdir(at('done'))).toEqual(['a.csv']);
    expect(existsSync(at('a.csv'))).toBe(false);
  });

  it('never takes a file away for a link that leads to it', async () => {
    await mkdir(at('done'));
    await writeFile(at('a.csv'), 'x');
    await symlink('../a.csv', at('done/a.csv'));
    expect(await moveInto(at('a.csv'), at('done'))).toBe(at('done/a-2.csv'));
    expect(await readFile(at('done/a-2.csv'), 'utf8')).toBe('x');
  });

  it('moves a link, which still leads to its file', async () => {
    await writeFile(at('real.txt'), 'x');
    await symlink('real.txt', at('a.csv'));
    const moved = await moveInto(at('a.csv'), at('done'));
    expect((await lstat(moved)).isSymbolicLink()).toBe(true);
    expect(await readlink(moved)).toBe(path.join('..', 'real.txt'));
    expect(await readFile(moved, 'utf8')).toBe('x');
    expect(existsSync(at('real.txt'))).toBe(true);
    expect(existsSync(at('a.csv'))).toBe(false);
  });

  it('finds a name within what file systems take', async () => {
    const name = `${'订'.repeat(83)}.xlsx`;
    for (const content of ['one', 'two']) {
      await writeFile(at(name), content);
      const moved = await moveInto(at(name), at('done'));
      expect(Buffer.byteLength(path.basename(moved))).toBeLessThanOrEqual(255);
      expect(await readFile(moved, 'utf8')).toBe(content);
    }
  });

  it('leaves the file where it was when it cannot be moved', async () => {
    await writeFile(at('a.csv'), 'x');
    await writeFile(at('done'), 'no folder');
    await expect(moveInto(at('a.csv'), at('done'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(await readFile(at('a.csv'), 'utf8')).toBe('x');
    await expect(moveInto(at('gone.csv'), at('other'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('reports when the folder is on another device, and leaves the file where it was', async () => {
    const shm = '/dev/shm';
    if (!existsSync(shm) || (await stat(shm)).dev === (await stat(folder)).dev) {
      return console.log('skipped: this system has no second file system to write to');
    }
    const elsewhere = await mkdtemp(path.join(shm, 'license-sync-move-'));
    try {
      await symlink(elsewhere, at('done'));
      await writeFile(at('a.csv'), 'x');
      await expect(moveInto(at('a.csv'), at('done'))).rejects.toMatchObject({ code: 'EXDEV' });
      expect(await readdir(elsewhere)).toEqual([]);
      expect(await readFile(at('a.csv'), 'utf8')).toBe('x');
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });
});
