import path from 'node:path';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { EXIT } from '../../model/exit-code.js';
import type { Job } from '../../model/job.js';
import { removeUnchangedResult } from '../../workbook/result-notes.js';
import { resultPath } from '../../workbook/result-path.js';
import { exitCodeOf, type RunEnd } from '../run-end.js';
import { countHeld } from './held-rows.js';

/** Folders within an input folder: for files whose rows all went through, and for all others. */
export const INBOX_FOLDERS = ['done', 'failed'] as const;
type InboxFolder = (typeof INBOX_FOLDERS)[number];

export function inboxFolderOf(exitCode: number | undefined): InboxFolder {
  return exitCode === EXIT.ok ? 'done' : 'failed';
}

/** `output.file` of runs whose result is written beside their input file, into the folder that the file is moved to. */
export function outputBesideInput(folder: string): string {
  return path.join(folder, '{outcome}', '{input}-{run}.xlsx');
}

function isBesideInput(job: Pick<Job, 'output'>): boolean {
  return job.output.file.includes('{outcome}');
}

/** The folder that a result belongs in, decided before it is written; undefined if the job names the place itself. */
export async function expectedInboxFolder(
  ledger: Ledger,
  run: Run,
  job: Pick<Job, 'output'>,
  status: RunEnd['status'],
): Promise<InboxFolder | undefined> {
  if (!isBesideInput(job)) return undefined;
  const counts = await ledger.runs.counts(run.id);
  const heldUnknown = await countHeld(ledger, run, counts);
  return inboxFolderOf(exitCodeOf({ status, counts, heldUnknown }));
}

/**
 * Removes an earlier result of the run from the other folder, once the last result is written. If that fails (it may be
 * open in another program), nothing is lost. One that was changed since it was written stays.
 */
export async function removeEarlierResult(
  stateFolder: string,
  before: Run,
  job: Pick<Job, 'output' | 'name' | 'source'>,
  written: string,
): Promise<void> {
  const { id, output } = before;
  if (output === undefined || output === written || !isBesideInput(job)) return;
  if (INBOX_FOLDERS.some((outcome) => output === resultPath(job, id, outcome))) {
    await removeUnchangedResult(stateFolder, output).catch(() => {});
  }
}
