import { createHash, randomBytes } from 'node:crypto';
import { constants, createWriteStream, type WriteStream } from 'node:fs';
import { access, lstat, open, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { crashPoint } from './crash-point.js';
import { makeFolder } from './files.js';
import { isAlive, ownProcess } from './process.js';

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** Distinguishes this process from an earlier one with the same id, as the first process of a container always has. */
const PROCESS = randomBytes(4).toString('hex');
/** Identifies this process on all machines, for files that it must remove. */
export const OWN_MARK = `${HOST}-${process.pid}-${PROCESS}`;
const NAME = /^\.license-sync-([0-9a-f]{8}-\d+-[0-9a-f]{8})-\d+\.tmp$/;
/** Processes of other machines cannot be checked; a file unchanged for this long belongs to none of them. */
const ABANDONED_MS = 24 * 3_600_000;

let created = 0;

/** An unused name for a temporary file. It contains the process, so that the file can be removed after a crash. */
export function temporaryPath(folder: string): string {
  created += 1;
  return path.join(folder, `.license-sync-${OWN_MARK}-${created}.tmp`);
}

/** Removes temporary files of killed processes in a folder, but not those of running ones. Never rejects. */
export async function removeLeftTemporaries(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const mark = NAME.exec(name)?.[1];
    if (mark === undefined) continue;
    const file = path.join(folder, name);
    if (await isLeft(file, mark)) await rm(file, { force: true }).catch(() => {});
  }
}

/** Whether the process that created and marked a file or folder no longer exists. */
export async function isLeft(file: string, mark: string): Promise<boolean> {
  const [host, owner, start] = mark.split('-');
  return host === HOST ? !isOwned(Number(owner), start) : isAbandoned(file);
}

function isOwned(id: number, start: string | undefined): boolean {
  return id === process.pid ? start === PROCESS : isAlive({ ...ownProcess(), process: id });
}

async function isAbandoned(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS;
}

/** The target is in use by another program, or may not be replaced. */
const IN_USE = new Set(['EBUSY', 'EPERM', 'EACCES', 'ETXTBSY']);
/** Errors of a full disk. */
export const DISK_FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Checks, before anything is sent, that a file can be written here: its folder exists or can be created, and is
 * writable.
 * @throws the error of the file system otherwise; `EISDIR` if the path is a folder
 */
export async function checkWritable(file: string): Promise<void> {
  const folder = path.dirname(await linkTarget(file));
  await makeFolder(folder);
  await access(folder, constants.W_OK);
  const stats = await stat(file).catch(() => undefined);
  if (!stats?.isDirectory()) return;
  throw Object.assign(new Error(`a folder: ${file}`), { code: 'EISDIR', syscall: 'open' });
}

/** Decides which existing files the new one may replace. */
export interface ReplaceGuard {
  /** Called with the complete new file, before it gets the name `target`, if a file of that name exists. */
  mayReplace(target: string, written: string): Promise<boolean>;
  /** Called just before the new file gets the name `target`. */
  replacing(target: string, written: string): Promise<void>;
}

/**
 * Writes a file completely or not at all: under a temporary name in the same folder, then fsync, rename, fsync of the
 * folder. If the existing file is open in a spreadsheet program or must not be replaced, the new one gets the name
 * `name (2).ext`. A symbolic link is kept: its target is written.
 * @param body writes the content; this function ends the stream
 * @param mode permissions of the file, before the process's umask
 * @returns the path of the file
 * @throws the error of the file system (`ENOSPC`, `EACCES`, …); the temporary file is removed
 */
export async function writeAtomically(
  target: string,
  body: (stream: WriteStream) => Promise<void>,
  guard?: ReplaceGuard,
  mode = 0o666,
): Promise<string> {
  const file = await linkTarget(target);
  const folder = path.dirname(file);
  await makeFolder(folder);
  await removeLeftTemporaries(folder);
  const temporary = temporaryPath(folder);
  const stream = createWriteStream(temporary, { flags: 'wx', mode, flush: true, highWaterMark: 1 << 18 });
  const ended = finished(stream);
  // Awaited below; until then a failing disk must not end the process as an unhandled rejection.
  ended.catch(() => {});
  try {
    await Promise.race([body(stream), ended.then(() => new Promise<never>(() => {}))]);
    stream.end();
    await ended;
    crashPoint('before-rename');
    const written = await place(temporary, file, guard);
    await syncFolder(folder);
    return written === file ? target : written;
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
      if (!IN_USE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  const { dir, name, ext } = path.parse(file);
  for (let number = 2; ; number += 1) {
    const alternative = path.join(dir, `${name} (${number})${ext}`);
    if (await exists(alternative)) {
      if (!guard || (await lockedBySpreadsheet(alternative)) || !(await mayReplace(alternative))) continue;
    }
    await guard?.replacing(alternative, temporary);
    await rename(temporary, alternative);
    return alternative;
  }

  async function mayReplace(target: string): Promise<boolean> {
    return !guard || !(await exists(target)) || guard.mayReplace(target, temporary);
  }
}

const LINKS_FOLLOWED = 40;

/**
 * The target of a symbolic link, whether it exists or not; any other path unchanged.
 * @throws `ELOOP` for links that lead to each other
 */
async function linkTarget(file: string): Promise<string> {
  let at = file;
  for (let followed = 0; ; followed += 1) {
    const isLink = await lstat(at).then(
      (it) => it.isSymbolicLink(),
      () => false,
    );
    if (!isLink) return at;
    if (followed === LINKS_FOLLOWED)
      throw Object.assign(new Error(`too many links: ${file}`), { code: 'ELOOP', syscall: 'readlink' });
    // A relative link is resolved from the real path of its folder.
    at = path.resolve(await realpath(path.dirname(at)), await readlink(at));
  }
}

/** Excel and LibreOffice create a lock file next to an open workbook. */
async function lockedBySpreadsheet(file: string): Promise<boolean> {
  const { dir, base } = path.parse(file);
  if (!(await exists(file))) return false;
  return (await exists(path.join(dir, `~$${base}`))) || (await exists(path.join(dir, `.~lock.${base}#`)));
}

/** Also true for a symbolic link whose target is missing. */
export async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/** Makes a new name in a folder durable; Windows cannot open folders and needs it less. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
