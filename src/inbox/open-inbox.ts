import { createHash } from 'node:crypto';
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { LockHolder, RunLock } from '../ledger/contract/run-lock.js';
import type { OnPlatform } from '../ledger/contract/sending-guard.js';
import { shownScope } from '../ledger/rules/scopes.js';
import type { SendingJob } from '../model/job.js';
import { INBOX_FOLDERS, outputBesideInput } from '../run/report/inbox-result.js';
import { resultPath } from '../workbook/result-files.js';
import { realFile } from './find-files.js';
import type { InboxOptions } from './inbox.js';

/** An input folder that has passed all checks. */
export interface Inbox {
  readonly folder: string;
  readonly pattern: string;
  jobOf(file: string): SendingJob;
}

/**
 * Checks what all files of an input folder have in common, before any is processed.
 * @throws ProductError usage if the folder does not exist or cannot be used, or if results would be read as input or replace
 *   one another
 */
export async function openInbox({ job, kind }: Pick<InboxOptions, 'job' | 'kind'>): Promise<Inbox> {
  const { dir: folder, base: pattern } = path.parse(job.source.file);
  await checkFolder(job, folder);
  const isNextToInput = kind === 'run' && job.output.defaulted === true;
  const output = isNextToInput ? { file: outputBesideInput(folder) } : job.output;
  if (!isNextToInput) checkOutput({ ...job, output }, folder);
  if (kind === 'run') await checkMoves(folder);
  const { pattern: _, ...source } = job.source;
  return { folder, pattern, jobOf: (file) => ({ ...job, source: { ...source, file }, output }) };
}

async function checkFolder(job: SendingJob, folder: string): Promise<void> {
  const stats = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw folderError(folder, error);
  });
  if (!stats) throw new ProductError('usage', message('inbox.no_folder', { job: job.name, folder }));
  if (!stats.isDirectory()) throw new ProductError('usage', message('inbox.not_a_folder', { folder }));
  await access(folder, constants.R_OK | constants.X_OK).catch((error) => {
    throw folderError(folder, error);
  });
}

/** Checks that files can be moved, before the first file is sent. */
async function checkMoves(folder: string): Promise<void> {
  const inside = INBOX_FOLDERS.map((outcome) => path.join(folder, outcome));
  for (const target of [folder, ...inside]) {
    const stats = await stat(target).catch(() => undefined);
    if (!stats) continue;
    if (!stats.isDirectory())
      throw new ProductError('usage', message('inbox.not_a_folder', { folder: target }));
    await access(target, constants.W_OK).catch((error) => {
      throw folderError(target, error);
    });
  }
}

/** Files of one inbox must not share a result, and results must not be read as input. */
function checkOutput(job: SendingJob, folder: string): void {
  const { file } = job.output;
  if (!/\{(run|input)\}/.test(file)) {
    const { name, ext } = path.parse(file);
    const params = { file, example: `${name}-{run}${ext}` };
    throw new ProductError('usage', message('inbox.shared_result', params));
  }
  const target = resultPath(job, 'run');
  if (path.dirname(target) === folder && !path.basename(target).startsWith('.')) {
    throw new ProductError('usage', message('inbox.result_in_inbox', { folder }));
  }
}

function folderError(folder: string, error: NodeJS.ErrnoException): ProductError {
  const params = { folder, reason: error.code ?? error.message };
  return new ProductError('usage', message('inbox.folder_closed', params), { cause: error });
}

/** An acquired lock, or why it is not available. */
type LockOrBusy = RunLock | { readonly busy: Message };

/** Locks a job's input folder for this process, so that two processes do not compete for every file. */
export async function lockJob(
  ledger: Ledger,
  job: string,
  { connection, scope }: OnPlatform,
): Promise<LockOrBusy> {
  const answer = await ledger.lock(`input folder of ${job}`, scope, job);
  if (answer.kind === 'taken') return answer.lock;
  const { process = '', host = '' } = answer.holder ?? {};
  const run = await ledger.runs.lastOf({ job, connection, scope });
  if (run === undefined || run.endedAt !== undefined) return { busy: busyMessage(answer.holder) };
  return {
    busy: message('ledger.run_going_on', {
      run: run.id,
      job,
      platform: shownScope(scope),
      process: String(process),
      host,
    }),
  };
}

/**
 * Locks a file for this process, for any job, from the check of its history until it is moved. Files share 256 locks, so that
 * the number of locks does not grow with every file.
 */
export async function lockFile(ledger: Ledger, file: string): Promise<LockOrBusy> {
  const digest = createHash('sha256').update(await realFile(file));
  // Job names contain no blanks, so this cannot be a job's lock.
  const answer = await ledger.lock(`input file ${digest.digest('hex').slice(0, 2)}`, '', file);
  return answer.kind === 'taken' ? answer.lock : { busy: busyMessage(answer.holder) };
}

function busyMessage(holder: LockHolder | undefined): Message {
  if (!holder) return message('inbox.carried_elsewhere');
  return message('inbox.carried', { process: String(holder.process), host: holder.host });
}
