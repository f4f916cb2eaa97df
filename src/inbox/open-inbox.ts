import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { SendingJob } from '../model/job.js';
import { INBOX_FOLDERS, outputBesideInput } from '../run/report/inbox-result.js';
import { resultPath } from '../workbook/result-path.js';
import type { InboxOptions } from './contract.js';

/** An input folder that has passed all checks. */
export interface Inbox {
  readonly folder: string;
  readonly pattern: string;
  /** The job for one of its files. */
  jobOf(file: string): SendingJob;
}

/**
 * Checks what all files of an input folder have in common, before any is processed.
 * @throws ProductError usage when the folder doesn't exist or can't be used, or when results would be taken for input
 *   or replace one another
 */
export async function openInbox({ job, kind }: Pick<InboxOptions, 'job' | 'kind'>): Promise<Inbox> {
  const { dir: folder, base: pattern } = path.parse(job.source.file);
  await checkFolder(job, folder);
  const beside = kind === 'run' && job.output.defaulted === true;
  const output = beside ? { file: outputBesideInput(folder) } : job.output;
  if (!beside) checkOutput({ ...job, output }, folder);
  if (kind === 'run') await checkMoves(folder);
  const { pattern: _, ...source } = job.source;
  return { folder, pattern, jobOf: (file) => ({ ...job, source: { ...source, file }, output }) };
}

async function checkFolder(job: SendingJob, folder: string): Promise<void> {
  const there = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw closed(folder, error);
  });
  if (!there) throw new ProductError('usage', message('inbox.no_folder', { job: job.name, folder }));
  if (!there.isDirectory()) throw new ProductError('usage', message('inbox.not_a_folder', { folder }));
  await access(folder, constants.R_OK | constants.X_OK).catch((error) => {
    throw closed(folder, error);
  });
}

/** Checked now rather than when the first file has been sent. */
async function checkMoves(folder: string): Promise<void> {
  const inside = INBOX_FOLDERS.map((outcome) => path.join(folder, outcome));
  for (const it of [folder, ...inside]) {
    const there = await stat(it).catch(() => undefined);
    if (!there) continue;
    if (!there.isDirectory()) throw new ProductError('usage', message('inbox.not_a_folder', { folder: it }));
    await access(it, constants.W_OK).catch((error) => {
      throw closed(it, error);
    });
  }
}

/** Files of one inbox must not share a result, and results must not come back as input. */
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

function closed(folder: string, error: NodeJS.ErrnoException): ProductError {
  const params = { folder, reason: error.code ?? error.message };
  return new ProductError('usage', message('inbox.folder_closed', params), { cause: error });
}
