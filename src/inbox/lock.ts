import { createHash } from 'node:crypto';
import { type Message, message } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { LockHolder, RunLock } from '../ledger/contract/run-lock.js';
import type { OnPlatform } from '../ledger/contract/sending-guard.js';
import { shownScope } from '../ledger/rules/scopes.js';
import { realFile } from './pending-files.js';

/** A lock held until it is released, or why it can't be had. */
type HeldOrBusy = RunLock | { readonly busy: Message };

/** Locks a job's input folder for this process. Two processes in one folder would collide at every file. */
export async function lockJob(
  ledger: Ledger,
  job: string,
  { connection, scope }: OnPlatform,
): Promise<HeldOrBusy> {
  const taking = await ledger.lock(`input folder of ${job}`, scope, job);
  if (taking.kind === 'taken') return taking.lock;
  const { process = '', host = '' } = taking.holder ?? {};
  const run = await ledger.runs.lastOf({ job, connection, scope });
  if (run === undefined || run.endedAt !== undefined) return { busy: heldMessage(taking.holder) };
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
 * Locks a file for this process, whichever job it is for, from the look at its history until it is moved. Files share a
 * fixed number of locks, so that locks don't pile up with every file that was ever in a folder.
 */
export async function lockFile(ledger: Ledger, file: string): Promise<HeldOrBusy> {
  const digest = createHash('sha256').update(await realFile(file));
  // Names with blanks are never a job's.
  const taking = await ledger.lock(`input file ${digest.digest('hex').slice(0, 2)}`, '', file);
  return taking.kind === 'taken' ? taking.lock : { busy: heldMessage(taking.holder) };
}

function heldMessage(holder: LockHolder | undefined): Message {
  if (!holder) return message('inbox.carried_elsewhere');
  return message('inbox.carried', { process: String(holder.process), host: holder.host });
}
