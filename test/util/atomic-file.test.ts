import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeAtomically } from '../../src/util/atomic-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atomic-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a file is written whole or not at all', () => {
  it('replaces the old one, which stands until the very end', async () => {
    const file = path.join(folder, 'a.txt');
    await writeFile(file, 'old');
    const written = await writeAtomically(file, async (stream) => {
      stream.write('new');
      expect(await readFile(file, 'utf8')).toBe('old');
    });
    expect(written).toBe(file);
    expect(await readFile(file, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['a.txt']);
  });

  it('leaves nothing behind when its writer fails', async () => {
    const file = path.join(folder, 'a.txt');
    await writeFile(file, 'old');
    const failing = writeAtomically(file, async (stream) => {
      stream.write('half');
      throw new Error('halfway');
    });
    await expect(failing).rejects.toThrow('halfway');
    expect(await readFile(file, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.txt']);
  });

  it('fails at once when the disk does, even while its writer waits', async () => {
    const failing = writeAtomically(path.join(folder, 'a.txt'), async (stream) => {
      stream.destroy(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
      await new Promise(() => {});
    });
    await expect(failing).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not clobber a folder of that name', async () => {
    await expect(writeAtomically(folder, async () => {})).rejects.toMatchObject({ syscall: 'rename' });
    expect(await readdir(folder)).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('reports it where it may not write', async () => {
    await chmod(folder, 0o500);
    await expect(writeAtomically(path.join(folder, 'a'), async () => {})).rejects.toMatchObject({
      code: 'EACCES',
    });
    await chmod(folder, 0o700);
  });
});
