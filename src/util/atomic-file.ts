import { constants, createWriteStream, type WriteStream } from 'node:fs';
import { access, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { crashPoint } from './crash-point.js';
import { makeFolder } from './make-folder.js';
import { removeLeftTemporaries, temporaryPath } from './temporary-file.js';

/** The target is held by another program, or may not be replaced. */
const HELD = new Set(['EBUSY', 'EPERM', 'EACCES', 'ETXTBSY']);
/** What the file system says of a disk without room. */
export const DISK_FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const NAMES_TRIED = 99;

/**
 * Whether a file could be written here, asked before anything is sent: its folder is there, or can be made, and takes
 * files.
 * @throws what the file system says when not; `EISDIR` where a folder stands in its place
 */
export async function checkWritable(file: string): Promise<void> {
  const folder = path.dirname(file);
  await makeFolder(folder);
  await access(folder, constants.W_OK);
  const there = await stat(file).catch(() => undefined);
  if (!there?.isDirectory()) return;
  throw Object.assign(new Error(`a folder: ${file}`), { code: 'EISDIR', syscall: 'open' });
}

/**
 * Writes a file whole or not at all: under a temporary name in the same folder, then fsync, rename, fsync of the
 * folder. Where the target is open in a spreadsheet program or can't be replaced, the file is kept beside it as
 * `name (2).ext`.
 * @param body writes the content; the stream is ended for it
 * @returns the path that holds the file now
 * @throws what the file system says (`ENOSPC`, `EACCES`, …); nothing is left behind then
 */
export async function writeAtomically(
  file: string,
  body: (stream: WriteStream) => Promise<void>,
): Promise<string> {
  const folder = path.dirname(file);
  await makeFolder(folder);
  await removeLeftTemporaries(folder);
  const temporary = temporaryPath(folder);
  const stream = createWriteStream(temporary, { flags: 'wx', flush: true, highWaterMark: 1 << 18 });
  const ended = finished(stream);
  // Looked at below; until then a failing disk must not end the process as an unhandled rejection.
  ended.catch(() => {});
  try {
    await Promise.race([body(stream), ended.then(() => new Promise<never>(() => {}))]);
    stream.end();
    await ended;
    crashPoint('before-rename');
    const written = await place(temporary, file);
    await syncFolder(folder);
    return written;
  } catch (error) {
    stream.destroy();
    await ended.catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

async function place(temporary: string, file: string): Promise<string> {
  if (!(await lockedBySpreadsheet(file))) {
    try {
      await rename(temporary, file);
      return file;
    } catch (error) {
      if (!HELD.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  const { dir, name, ext } = path.parse(file);
  for (let number = 2; number <= NAMES_TRIED; number += 1) {
    const other = path.join(dir, `${name} (${number})${ext}`);
    if (await exists(other)) continue;
    await rename(temporary, other);
    return other;
  }
  await rename(temporary, file);
  return file;
}

/** Excel and LibreOffice leave a file of their own beside a workbook that is open. */
async function lockedBySpreadsheet(file: string): Promise<boolean> {
  const { dir, base } = path.parse(file);
  if (!(await exists(file))) return false;
  return (await exists(path.join(dir, `~$${base}`))) || (await exists(path.join(dir, `.~lock.${base}#`)));
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Makes a new name in a folder durable; Windows can't open folders and needs it less. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
