import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { QueueStore } from '../ledger/contract/queue.js';
import { isLedgerPath } from '../util/ledger-place.js';
import type { AppContext } from './context.js';
import { ledgerLocation, withLedger } from './open.js';

/** @throws ProductError usage, saying what to do, where the ledger is a file: nothing is made there then */
export function refuseFile(command: string, location: string): void {
  if (!isLedgerPath(location)) return;
  throw new ProductError('usage', message('team.needs_server', { command, location }));
}

/**
 * Opens the ledger for a command that needs its queue.
 * @throws ProductError usage, saying what to do, where the ledger is a file
 */
export async function withQueue<T>(
  command: string,
  context: AppContext,
  work: (ledger: Ledger, queue: QueueStore) => Promise<T>,
): Promise<T> {
  refuseFile(command, await ledgerLocation(context));
  return withLedger(context, async ({ ledger }) => {
    const { queue } = ledger;
    if (queue) return work(ledger, queue);
    throw new ProductError('usage', message('team.needs_server', { command, location: ledger.location }));
  });
}
