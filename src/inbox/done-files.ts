import { stat } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import { type SendingJob, workOf } from '../model/job.js';
import { operationNamed } from '../platform/operations/index.js';
import type { RunServices } from '../run/run-context.js';
import { sha256Of } from '../util/file-identity.js';
import { matchesPattern } from '../util/name-pattern.js';
import { fileStateOf } from './find-files.js';
import { moveInto } from './move.js';
import type { Inbox } from './open-inbox.js';
import { forgetPending, realFile, rememberPending } from './pending-files.js';

const DONE = 'done';
/** A program that still writes to a file finishes within this time; the notes of older files are dropped. */
const WATCHED_MS = 7 * 24 * 3_600_000;

/** Notes what a file in `done` holds, to recognise a later change of it. */
export async function watchDone(ledger: Ledger, file: string, sha256: string): Promise<void> {
  const seen = await fileStateOf(file);
  if (typeof seen === 'object' && 'state' in seen)
    await rememberPending(ledger, { file, sha256, at: seen.modifiedAt });
}

/**
 * Moves files that were changed in `done` since they were taken back into the input folder, with a warning. There they are
 * handled like any file: new content is run once it is unchanged for long enough, known content is only moved. Where
 * nothing recognises a row that was sent before (`asset.numbers`), the file is only reported: to open and save it would send
 * its rows twice.
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

/** Moving a file sets the time of its status. */
async function isOld(file: string, now: number): Promise<boolean> {
  const seen = await stat(file).catch(() => undefined);
  return seen !== undefined && now - seen.ctimeMs > WATCHED_MS;
}
