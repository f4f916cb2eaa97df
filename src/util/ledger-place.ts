import { dirname, resolve } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';

/** `postgres://…`, `sqlite:/…`, `file:…`; a drive letter (`C:\…`) is no scheme. */
const ADDRESS = /^\s*(?:[a-z][a-z0-9+.-]+:[/\\]|(?:postgres(?:ql)?|mysql|sqlite3?|file|https?):)/i;

/** Whether a text can name a ledger: a path. An address can't: this build keeps its ledger in a file. */
export function isLedgerPath(it: string): boolean {
  return it.trim() !== '' && !ADDRESS.test(it);
}

/** @throws ProductError usage for an address. It is not repeated, because it may hold a password. */
export function refuseAddress(it: string): void {
  if (!isLedgerPath(it)) throw new ProductError('usage', message('ledger.no_postgres'));
}

/**
 * The absolute path of a ledger that was named on the command line, in a call or in the environment; a relative one is
 * taken from `folder`.
 * @throws ProductError usage as `refuseAddress` does
 */
export function ledgerPlace(it: string, folder: string): string {
  refuseAddress(it);
  return resolve(folder, it);
}

/** The local folder for all that goes with the ledger of a place, whether there is one yet or not. */
export function stateFolderOf(place: string): string {
  return dirname(place);
}
