import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import type { Run } from '../ledger/contract/run.js';
import { isFinished } from '../ledger/rules/run-states.js';
import { inboxFolderOf } from '../run/report/inbox-result.js';
import type { RunServices } from '../run/run-context.js';
import { crashPoint } from '../util/crash-point.js';
import { sha256Of } from '../util/file-identity.js';
import { claimFile } from './claim.js';
import { fileStateOf } from './find-files.js';
import { moveInto } from './move.js';
import { forgetPending, pendingFile } from './pending-files.js';
import { writeReason } from './reason-file.js';

/** A file whose rows had their turn. */
interface ProcessedFile {
  readonly file: string;
  /** Of what was sent; hex. */
  readonly sha256: string;
  /** As it was when it was read, if that is known. */
  readonly state?: string;
  readonly run: string;
  readonly exitCode: number;
  /** Why it wasn't run, where it is only moved. */
  readonly reason?: Message;
}

type Parts = Pick<RunServices, 'observer' | 'ledger'>;

/** Whether nothing more will come of a run: only then may its file be moved. */
export function isOver(
  run: Pick<Run, 'state' | 'exitCode'>,
): run is { readonly state: Run['state']; readonly exitCode: number } {
  return isFinished(run) && run.exitCode !== undefined;
}

interface FinishedFile {
  /** Where the file lies now, if it was moved. */
  readonly movedTo?: string;
  /** Why what lies there still does. */
  readonly left?: Message;
}

/**
 * Moves a file to `done` or `failed`. Where that can't be done, it is told as a warning: what was sent was sent, and
 * the next start knows of it.
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
    if (inboxFolderOf(it.exitCode) === 'failed') await explainFailure(services, it, movedTo);
    return { movedTo };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    const left = message('inbox.not_moved', { file, folder, reason });
    observer.warn(left);
    return { left };
  }
}

/** What became of the file stands without it, so that a reason that can't be written is only told. */
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

/** Moves the file of a run that was gone on with by itself, if it came from an input folder and still lies there. */
export async function finishResumed(services: Parts, id: string): Promise<string | undefined> {
  const run = await services.ledger.runs.get(id);
  if (!run || !isOver(run) || run.parent !== undefined) return undefined;
  const { inputFile: file, inputSha256: sha256, exitCode } = run;
  const taken = await pendingFile(services.ledger, file);
  if (taken?.sha256 !== sha256 || taken.at > run.startedAt) return undefined;
  const claim = await claimFile(services.ledger, file);
  if ('busy' in claim) return undefined;
  try {
    return (await finishFile(services, { file, sha256, run: id, exitCode })).movedTo;
  } finally {
    await claim.release();
  }
}
