import { createHash } from 'node:crypto';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger, RunLock } from '../../ledger/contract.js';
import { realFile } from './real-file.js';

/**
 * Keeps a file for this process, from the look at its history until it is moved. Locks are few, each for many files,
 * so that they don't pile up with every file that ever lay in a folder.
 * @returns why not, where another process of this ledger has it
 */
export async function claimFile(ledger: Ledger, file: string): Promise<RunLock | { readonly busy: Message }> {
  const slot = createHash('sha256')
    .update(await realFile(file))
    .digest('hex')
    .slice(0, 2);
  try {
    // A job's name holds no blank, so this is no job's lock.
    return await ledger.lock(`input file ${slot}`, '', file);
  } catch (error) {
    if (!isGoingOn(error)) throw error;
    const { process, host } = error.detail.params;
    if (process === undefined || host === undefined) return { busy: message('inbox.carried_elsewhere') };
    return { busy: message('inbox.carried', { process, host }) };
  }
}

/** Whether an error says that another process holds the lock that was wanted. */
export function isGoingOn(error: unknown): error is ProductError {
  if (!(error instanceof ProductError)) return false;
  const { code } = error.detail;
  return code === 'ledger.run_going_on' || code === 'ledger.another_run_going_on';
}
