import path from 'node:path';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { Job } from '../../model/job.js';
import { EXIT } from '../../model/run-outcome.js';
import { removeUnchangedResult, resultPath } from '../../workbook/result-files.js';
import { exitCodeOf, type RunEnd } from '../run-end.js';
import { countHeld } from './row-results.js';

/** Subfolders of an input folder: for files whose rows all succeeded, and for all others. */
export const INBOX_FOLDERS = ['done', 'failed'] as const;
type InboxFolder = (typeof INBOX_FOLDERS)[number];

export function inboxFolderOf(exitCode: number | undefined): InboxFolder {
  return exitCode === EXIT.ok ? 'done' : 'failed';
}

/** `output.file` of runs whose result is written next to the input file, in the subfolder for that file. */
export function outputBesideInput(folder: string): string {
  return path.join(folder, '{outcome}', '{input}-{run}.xlsx');
}

function isBesideInput(job: Pick<Job, 'output'>): boolean {
  return job.output.file.includes('{outcome}');
}

/** The subfolder for a result, before it is written; undefined if the job names the location itself. */
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
 * Removes an earlier result of the run from the other subfolder after the last result is written. A failure is ignored
 * (the file may be open in another program). A result that was changed since it was written stays.
 */
export async function removeEarlierResult(
  stateFolder: string,
  before: Run,
  job: Pick<Job, 'output' | 'name' | 'source'>,
  written: string,
): Promise<void> {
  const { id, output } = before;
  if (output === undefined || output === written || !isBesideInput(job)) return;
  if (INBOX_FOLDERS.some((outcome) => output === resultPath(job, id, outcome)))
    await removeUnchangedResult(stateFolder, output).catch(() => {});
}
