import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { QueueStore } from '../ledger/contract/queue.js';
import type { Actor } from '../people/identity.js';
import { isLedgerPath } from '../util/ledger-place.js';
import type { AppContext } from './context.js';
import { ledgerLocation, type OpenedLedger, type Wish, withLedger } from './open.js';

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
  work: (ledger: Ledger, queue: QueueStore, actor: Actor) => Promise<T>,
  wish?: Wish,
): Promise<T> {
  refuseFile(command, await ledgerLocation(context));
  const withIt = ({ ledger, actor }: OpenedLedger): Promise<T> => {
    const { queue } = ledger;
    if (queue) return work(ledger, queue, actor);
    throw new ProductError('usage', message('team.needs_server', { command, location: ledger.location }));
  };
  return withLedger(context, withIt, wish);
}
