import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import type { Run } from '../ledger/contract/run.js';
import { isFinished } from '../ledger/rules/run-states.js';
import { inboxFolderOf } from '../run/report/inbox-result.js';
import type { RunServices } from '../run/run-context.js';
import { crashPoint } from '../util/crash-point.js';
import { sha256Of } from '../util/file-identity.js';
import { watchDone } from './done-files.js';
import { fileStateOf } from './find-files.js';
import { lockFile } from './lock.js';
import { moveInto } from './move.js';
import { forgetPending, pendingFile } from './pending-files.js';
import { writeReason } from './reason-file.js';

/** A file whose rows were processed. */
interface ProcessedFile {
  readonly file: string;
  /** SHA-256 of the bytes that were sent; hex. */
  readonly sha256: string;
  /** The file's state when it was read, if known. */
  readonly state?: string;
  readonly run: string;
  readonly exitCode: number;
  /** Why it wasn't run, if it is only moved. */
  readonly reason?: Message;
}

type Parts = Pick<RunServices, 'observer' | 'ledger'>;

/** True when the run has come to its end. Its file may be moved only then. */
export function isOver(
  run: Pick<Run, 'state' | 'exitCode'>,
): run is { readonly state: Run['state']; readonly exitCode: number } {
  return isFinished(run) && run.exitCode !== undefined;
}

interface FinishedFile {
  /** Where the file is now, if it was moved. */
  readonly movedTo?: string;
  /** Why the file is still there. */
  readonly left?: Message;
}

/**
 * Moves a file to `done` or `failed`. If that fails, it is told as a warning: what was sent was sent, and the next
 * start knows of the file.
 */
export async function finishFile(services: Parts, it: ProcessedFile): Promise<FinishedFile> {
  const { ledger, observer } = services;
  const { file, run } = it;
  const folder = path.join(path.dirname(file), inboxFolderOf(it.exitCode));
  try {
    const now = await fileStateOf(file);
    if (now === 'gone') {
      observer.warn(message('inbox.taken_away', { file, run }));
      await forgetPending(ledger, file);
      return {};
    }
    if (now instanceof Error) throw now;
    if (now === 'no file' || (now.state !== it.state && (await sha256Of(file)) !== it.sha256)) {
      const left = message('inbox.replaced', { file, run });
      observer.warn(left);
      await forgetPending(ledger, file);
      return { left };
    }
    crashPoint('before-move');
    const movedTo = await moveInto(file, folder);
    await forgetPending(ledger, file);
    if (inboxFolderOf(it.exitCode) === 'done') await watchDone(ledger, movedTo, it.sha256);
    if (inboxFolderOf(it.exitCode) === 'failed') await explainFailure(services, it, movedTo);
    return { movedTo };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    const left = message('inbox.not_moved', { file, folder, reason });
    observer.warn(left);
    return { left };
  }
}

/** Writes the reason file. If that fails, it is told as a warning: the result doesn't depend on it. */
async function explainFailure(
  { ledger, observer }: Parts,
  { run, exitCode, reason }: ProcessedFile,
  movedTo: string,
): Promise<void> {
  try {
    await writeReason(ledger, { movedTo, run, exitCode, reason });
  } catch (error) {
    const params = { file: movedTo, run, reason: (error as NodeJS.ErrnoException).code ?? String(error) };
    observer.warn(message('inbox.reason_unwritten', params));
  }
}

/** Moves the input file of a run that was resumed by itself, if it came from an input folder and is still there. */
export async function finishResumed(services: Parts, id: string): Promise<string | undefined> {
  const run = await services.ledger.runs.get(id);
  if (!run || !isOver(run) || run.parent !== undefined) return undefined;
  const { inputFile: file, inputSha256: sha256, exitCode } = run;
  const taken = await pendingFile(services.ledger, file);
  if (taken?.sha256 !== sha256 || taken.at > run.startedAt) return undefined;
  const lock = await lockFile(services.ledger, file);
  if ('busy' in lock) return undefined;
  try {
    return (await finishFile(services, { file, sha256, run: id, exitCode })).movedTo;
  } finally {
    await lock.release();
  }
}
