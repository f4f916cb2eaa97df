import { constants, createWriteStream, type WriteStream } from 'node:fs';
import { access, lstat, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { crashPoint } from './crash-point.js';
import { makeFolder } from './make-folder.js';
import { removeLeftTemporaries, temporaryPath } from './temporary-file.js';

/** The target is held by another program, or may not be replaced. */
const HELD = new Set(['EBUSY', 'EPERM', 'EACCES', 'ETXTBSY']);
/** What the file system says of a disk without room. */
export const DISK_FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Whether a file could be written here, asked before anything is sent: its folder is there, or can be made, and takes
 * files.
 * @throws what the file system says when not; `EISDIR` where a folder stands in its place
 */
export async function checkWritable(file: string): Promise<void> {
  const folder = path.dirname(await linkTarget(file));
  await makeFolder(folder);
  await access(folder, constants.W_OK);
  const there = await stat(file).catch(() => undefined);
  if (!there?.isDirectory()) return;
  throw Object.assign(new Error(`a folder: ${file}`), { code: 'EISDIR', syscall: 'open' });
}

/** Decides which existing files the new one may replace. */
export interface ReplaceGuard {
  /** Called with the complete new file, before it gets the name `target`, where another file exists. */
  mayReplace(target: string, written: string): Promise<boolean>;
  /** Called just before the new file gets the name `target`. */
  replacing(target: string, written: string): Promise<void>;
}

/**
 * Writes a file whole or not at all: under a temporary name in the same folder, then fsync, rename, fsync of the
 * folder. If the existing file is open in a spreadsheet program or must not be replaced, the new one is written beside it
 * as `name (2).ext`. A symbolic link stays: the file that it leads to is written.
 * @param body writes the content; the stream is ended for it
 * @returns the path that holds the file now
 * @throws what the file system says (`ENOSPC`, `EACCES`, …); nothing is left behind then
 */
export async function writeAtomically(
  asked: string,
  body: (stream: WriteStream) => Promise<void>,
  guard?: ReplaceGuard,
): Promise<string> {
  const file = await linkTarget(asked);
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
    const written = await place(temporary, file, guard);
    await syncFolder(folder);
    return written === file ? asked : written;
  } catch (error) {
    stream.destroy();
    await ended.catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

async function place(temporary: string, file: string, guard: ReplaceGuard | undefined): Promise<string> {
  if (!(await lockedBySpreadsheet(file)) && (await mayReplace(file))) {
    try {
      await guard?.replacing(file, temporary);
      await rename(temporary, file);
      return file;
    } catch (error) {
      if (!HELD.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  const { dir, name, ext } = path.parse(file);
  for (let number = 2; ; number += 1) {
    const other = path.join(dir, `${name} (${number})${ext}`);
    if (await exists(other)) {
      if (!guard || (await lockedBySpreadsheet(other)) || !(await mayReplace(other))) continue;
    }
    await guard?.replacing(other, temporary);
    await rename(temporary, other);
    return other;
  }

  async function mayReplace(target: string): Promise<boolean> {
    return !guard || !(await exists(target)) || guard.mayReplace(target, temporary);
  }
}

const LINKS_FOLLOWED = 40;

/**
 * Where a symbolic link leads, also if nothing is there yet; any other path as it is.
 * @throws `ELOOP` for links that lead to each other
 */
export async function linkTarget(file: string): Promise<string> {
  let at = file;
  for (let followed = 0; ; followed += 1) {
    const isLink = await lstat(at).then(
      (it) => it.isSymbolicLink(),
      () => false,
    );
    if (!isLink) return at;
    if (followed === LINKS_FOLLOWED)
      throw Object.assign(new Error(`too many links: ${file}`), { code: 'ELOOP', syscall: 'readlink' });
    // A relative link counts from the folder that really holds it.
    at = path.resolve(await realpath(path.dirname(at)), await readlink(at));
  }
}

/** Excel and LibreOffice leave a file of their own beside a workbook that is open. */
async function lockedBySpreadsheet(file: string): Promise<boolean> {
  const { dir, base } = path.parse(file);
  if (!(await exists(file))) return false;
  return (await exists(path.join(dir, `~$${base}`))) || (await exists(path.join(dir, `.~lock.${base}#`)));
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
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
