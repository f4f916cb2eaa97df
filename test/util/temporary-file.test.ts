import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeLeftTemporaries, temporaryPath } from '../../src/util/atomic-file.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'temporary-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** The name that this process would give, with parts of it exchanged. */
async function leave(change: (name: string) => string): Promise<string> {
  const name = change(path.basename(temporaryPath(folder)));
  await writeFile(path.join(folder, name), '');
  return name;
}

async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'close');
  return child.pid ?? 0;
}

describe('what killed processes left is removed', () => {
  it('is removed, and so is what an earlier process of the same number left', async () => {
    const ended = await endedProcess();
    await leave((name) => name.replace(`-${process.pid}-`, `-${ended}-`));
    await leave((name) => name.replace(/-[0-9a-f]{8}-(\d+)\.tmp$/, '-00000000-$1.tmp'));
    await removeLeftTemporaries(folder);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is distinguished from what is being written, here, by another process, or on another machine', async () => {
    const kept = [
      await leave((name) => name),
      await leave((name) => name.replace(`-${process.pid}-`, `-${process.ppid}-`)),
      await leave((name) => name.replace(/sync-[0-9a-f]{8}/, 'sync-00000000')),
    ];
    const forgotten = await leave((name) => name.replace(/sync-[0-9a-f]{8}/, 'sync-00000000'));
    await utimes(path.join(folder, forgotten), 1, 1);
    await removeLeftTemporaries(folder);
    expect((await readdir(folder)).sort()).toEqual(kept.sort());
  });

  it('is distinguished from files of other programs', async () => {
    const others = ['.license-sync-notes.tmp', '.result.xlsx.tmp', 'license-sync-1-2-3-4.tmp'];
    for (const name of others) await writeFile(path.join(folder, name), '');
    await removeLeftTemporaries(folder);
    expect((await readdir(folder)).sort()).toEqual(others.sort());
  });

  it('costs nothing where there is no folder', async () => {
    await expect(removeLeftTemporaries(path.join(folder, 'none'))).resolves.toBeUndefined();
  });
});
