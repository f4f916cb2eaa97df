import { createHash } from 'node:crypto';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { RunLock } from '../ledger/contract/run-lock.js';
import { realFile } from './real-file.js';

/** What is held until it is released, or why it can't be had. */
export type Claim = RunLock | { readonly busy: Message };

/**
 * Keeps all files of a job's input folder for this process: two that work through one folder would get in each other's
 * way at every file.
 */
export async function claimJob(ledger: Ledger, job: string, connection: string): Promise<Claim> {
  const claim = await take(ledger, `input folder of ${job}`, connection, job);
  if (!('process' in claim)) return claim;
  const { process, host } = claim;
  const run = await ledger.runs.lastOf({ job, connection });
  if (run === undefined || run.endedAt !== undefined) return { busy: carried(process, host) };
  return { busy: message('ledger.run_going_on', { run: run.id, job, connection, process, host }) };
}

/**
 * Keeps a file for this process, whichever job it is for, from the look at its history until it is moved. Locks are few,
 * each for many files, so that they don't pile up with every file that ever lay in a folder.
 */
export async function claimFile(ledger: Ledger, file: string): Promise<Claim> {
  const digest = createHash('sha256').update(await realFile(file));
  const claim = await take(ledger, `input file ${digest.digest('hex').slice(0, 2)}`, '', file);
  return 'process' in claim ? { busy: carried(claim.process, claim.host) } : claim;
}

type Holder = { readonly process: string; readonly host: string };

/** Names with blanks in them are no job's. */
async function take(
  ledger: Ledger,
  name: string,
  connection: string,
  what: string,
): Promise<RunLock | Holder> {
  try {
    return await ledger.lock(name, connection, what);
  } catch (error) {
    if (!isGoingOn(error)) throw error;
    const { process = '', host = '' } = error.detail.params;
    return { process: String(process), host: String(host) };
  }
}

function carried(process: string, host: string): Message {
  if (process === '') return message('inbox.carried_elsewhere');
  return message('inbox.carried', { process, host });
}

/** Whether an error says that another process holds the lock that was wanted. */
export function isGoingOn(error: unknown): error is ProductError {
  if (!(error instanceof ProductError)) return false;
  const { code } = error.detail;
  return code === 'ledger.run_going_on' || code === 'ledger.another_run_going_on';
}
