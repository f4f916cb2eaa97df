import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from './contract.js';

/**
 * Opens the ledger at a place, making it when it isn't there.
 * @param location a file path, or `postgres://…`.
 * @throws ProductError usage for a place that this build can't use or that is in use; internal for a ledger that is
 *   corrupt, newer than the program, or not a ledger (nothing is changed then).
 */
export async function openLedger(location: string): Promise<Ledger> {
  if (/^postgres(ql)?:/i.test(location)) throw new ProductError('usage', message('ledger.no_postgres'));
  // Loaded only when used: commands that need no ledger start faster without the database.
  const { openSqliteLedger } = await import('./sqlite/ledger.js');
  return openSqliteLedger(location);
}

/**
 * Looks at an existing ledger without changing it.
 * @throws ProductError as `openLedger` does.
 */
export async function inspectLedger(location: string): Promise<void> {
  if (/^postgres(ql)?:/i.test(location)) throw new ProductError('usage', message('ledger.no_postgres'));
  const { inspect } = await import('./sqlite/connect.js');
  inspect(location);
}
