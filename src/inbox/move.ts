import { link, lstat, readlink, rename, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../util/atomic-file.js';
import { cutText } from '../util/cut-text.js';
import { sameFile } from '../util/file-identity.js';
import { makeFolder } from '../util/make-folder.js';

const NAMES_TRIED = 10_000;
/** What file systems take, in bytes of UTF-8. */
const NAME_BYTES = 255;

/**
 * Moves a file into a folder, which is made if need be, never over another one: `name.xlsx` becomes `name-2.xlsx`,
 * `name-3.xlsx`, … there. A symbolic link is moved, not what it leads to.
 * @returns the path that holds it now
 * @throws what the file system says (`EACCES`, `EXDEV`, …); the file lies where it lay then
 */
export async function moveInto(file: string, folder: string): Promise<string> {
  await makeFolder(folder);
  for (let number = 1; number <= NAMES_TRIED; number += 1) {
    const target = path.join(folder, numbered(path.parse(file), number));
    if (!(await moveTo(file, target))) continue;
    await syncFolder(folder).catch(() => {});
    return target;
  }
  throw Object.assign(new Error(`no name left for ${file} in ${folder}`), { code: 'EEXIST' });
}

function numbered({ name, ext }: path.ParsedPath, number: number): string {
  const end = number === 1 ? ext : `-${number}${ext}`;
  return `${cutText(name, NAME_BYTES - Buffer.byteLength(end))}${end}`;
}

/** false: there is another file of that name. */
async function moveTo(file: string, target: string): Promise<boolean> {
  try {
    if ((await lstat(file)).isSymbolicLink()) await copyLink(file, target);
    // Unlike a rename, a hard link is refused if a file of that name exists.
    else await link(file, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return finishMove(file, target);
    if (code === 'ENOENT' || code === 'EXDEV') throw error;
    // The file system has no hard links (exFAT, some network folders), or not for this user.
    if (await isThere(target)) return false;
    await rename(file, target);
    return true;
  }
  try {
    await unlink(file);
    return true;
  } catch (error) {
    await unlink(target);
    throw error;
  }
}

/** Finishes a move whose process was killed between its two steps, when the file had both names. */
async function finishMove(file: string, target: string): Promise<boolean> {
  const links = await Promise.all([file, target].map(async (it) => (await lstat(it)).isSymbolicLink()));
  if (links.includes(true) || !(await sameFile(file, target))) return false;
  await unlink(file);
  return true;
}

/** Copies a link so that a relative one still leads to the same place. */
async function copyLink(file: string, target: string): Promise<void> {
  const leadsTo = await readlink(file);
  if (path.isAbsolute(leadsTo)) return symlink(leadsTo, target);
  return symlink(path.relative(path.dirname(target), path.resolve(path.dirname(file), leadsTo)), target);
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
