import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder and those above it, one by one: Node's own recursive mkdir never ends under `/proc`.
 * @throws what the file system says; `ENOTDIR` when something above is a file
 */
export async function makeFolder(folder: string): Promise<void> {
  const there = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (there?.isDirectory()) return;
  if (there) throw notAFolder(folder);
  const above = path.dirname(folder);
  if (above !== folder) await makeFolder(above);
  try {
    await mkdir(folder);
  } catch (error) {
    // Another process has made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The same synchronously, with a mode for new folders. */
export function makeFolderSync(folder: string, mode: number): void {
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (there) throw notAFolder(folder);
  const above = path.dirname(folder);
  if (above !== folder) makeFolderSync(above, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function notAFolder(folder: string): Error {
  return Object.assign(new Error(`not a folder: ${folder}`), { code: 'ENOTDIR', syscall: 'mkdir' });
}
