import { createHash } from 'node:crypto';
import { type Message, message } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { LockHolder, RunLock } from '../ledger/contract/run-lock.js';
import { realFile } from './pending-files.js';

/** What is held until it is released, or why it can't be had. */
type Claim = RunLock | { readonly busy: Message };

/**
 * Keeps all files of a job's input folder for this process: two that work through one folder would get in each other's
 * way at every file.
 */
export async function claimJob(ledger: Ledger, job: string, connection: string): Promise<Claim> {
  const claim = await ledger.lock(`input folder of ${job}`, connection, job);
  if (claim.kind === 'taken') return claim.lock;
  const { process = '', host = '' } = claim.holder ?? {};
  const run = await ledger.runs.lastOf({ job, connection });
  if (run === undefined || run.endedAt !== undefined) return { busy: heldMessage(claim.holder) };
  return {
    busy: message('ledger.run_going_on', { run: run.id, job, connection, process: String(process), host }),
  };
}

/**
 * Keeps a file for this process, whichever job it is for, from the look at its history until it is moved. Locks are few,
 * each for many files, so that they don't pile up with every file that ever lay in a folder.
 */
export async function claimFile(ledger: Ledger, file: string): Promise<Claim> {
  const digest = createHash('sha256').update(await realFile(file));
  // Names with blanks in them are no job's.
  const claim = await ledger.lock(`input file ${digest.digest('hex').slice(0, 2)}`, '', file);
  return claim.kind === 'taken' ? claim.lock : { busy: heldMessage(claim.holder) };
}

function heldMessage(holder: LockHolder | undefined): Message {
  if (!holder) return message('inbox.carried_elsewhere');
  return message('inbox.carried', { process: String(holder.process), host: holder.host });
}
