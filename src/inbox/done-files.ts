import { link, lstat, readlink, rename, stat, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import { type SendingJob, workOf } from '../model/job.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import type { RunServices } from '../run/run-context.js';
import { exists, syncFolder } from '../util/atomic-file.js';
import { makeFolder, sameFile, sha256Of } from '../util/files.js';
import { matchesPattern } from '../util/name-match.js';
import { cutText } from '../util/text.js';
import { fileStateOf, forgetPending, realFile, rememberPending } from './find-files.js';
import type { Inbox } from './open-inbox.js';

const NAMES_TRIED = 10_000;
/** Maximum length of a file name on common file systems, in bytes of UTF-8. */
const NAME_BYTES = 255;

/**
 * Moves a file into a folder, which is created if needed. Existing files are not replaced: `name.xlsx` becomes `name-2.xlsx`,
 * `name-3.xlsx`, … there. A symbolic link is moved, not its target.
 * @returns the new path
 * @throws errors of the file system (`EACCES`, `EXDEV`, …); the file is not moved then
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

/** Returns false if another file has that name. */
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
    if (await exists(target)) return false;
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

/** Copies a link so that a relative one still has the same target. */
async function copyLink(file: string, target: string): Promise<void> {
  const leadsTo = await readlink(file);
  if (path.isAbsolute(leadsTo)) return symlink(leadsTo, target);
  return symlink(path.relative(path.dirname(target), path.resolve(path.dirname(file), leadsTo)), target);
}

const DONE = 'done';
/** How long processed files are watched for changes. */
const WATCHED_MS = 7 * 24 * 3_600_000;

/** Records the content of a file in `done`, to recognise a later change. */
export async function watchDone(ledger: Ledger, file: string, sha256: string): Promise<void> {
  const seen = await fileStateOf(file);
  if (typeof seen === 'object' && 'state' in seen)
    await rememberPending(ledger, { file, sha256, at: seen.modifiedAt });
}

/**
 * Moves files that were changed in `done` back into the input folder, with a warning. There they are handled like any file:
 * new content is run after it is unchanged for long enough, known content is only moved. If the operation cannot recognise
 * rows that were sent before (`asset.numbers`), the file is only reported: opening and saving it would send its rows twice.
 */
export async function takeBackChanged(
  { ledger, observer, clock }: RunServices,
  inbox: Inbox,
  job: SendingJob,
): Promise<void> {
  const { folder, pattern } = inbox;
  const done = path.dirname(await realFile(path.join(folder, DONE, pattern)));
  for (const { file, sha256, at } of await ledger.pendingFiles.list()) {
    if (path.dirname(await realFile(file)) !== done) continue;
    const seen = await fileStateOf(file);
    if (seen === 'gone' || seen === 'no file') {
      await forgetPending(ledger, file);
      continue;
    }
    if (seen instanceof Error) continue;
    if (seen.modifiedAt === at) {
      if (await isOld(file, clock.now())) await forgetPending(ledger, file);
      continue;
    }
    let reason = 'ENOENT';
    try {
      if ((await sha256Of(file)) === sha256) {
        await rememberPending(ledger, { file, sha256, at: seen.modifiedAt });
        continue;
      }
      reason = isGuarded(job) ? pattern : workOf(job);
      if (isGuarded(job) && matchesPattern(pattern, path.basename(file))) {
        const movedTo = await moveInto(file, folder);
        await forgetPending(ledger, file);
        observer.warn(message('inbox.done_changed', { file, movedTo }));
        continue;
      }
    } catch (error) {
      reason = (error as NodeJS.ErrnoException).code ?? String(error);
    }
    observer.warn(message('inbox.done_changed_stays', { file, folder, reason }));
  }
}

/** Whether rows of a changed file that were sent before are skipped, or harmless to repeat. */
function isGuarded(job: SendingJob): boolean {
  if ('steps' in job) return true;
  const { repeatable, key } = operationNamed(job.operation);
  return repeatable || key !== undefined;
}

/** Uses the status time, which moving a file sets. */
async function isOld(file: string, now: number): Promise<boolean> {
  const seen = await stat(file).catch(() => undefined);
  return seen !== undefined && now - seen.ctimeMs > WATCHED_MS;
}
