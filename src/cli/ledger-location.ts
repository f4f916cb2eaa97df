import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { loadConnections } from '../job/connections.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import { openExistingLedger } from '../ledger/open.js';
import { ledgerPlace } from '../util/ledger-place.js';
import { stateFolderOf } from './state-folder.js';

export interface FoundLedger {
  readonly ledger: Ledger;
  readonly location: string;
  readonly stateFolder: string;
}

/**
 * The ledger for commands that go on with runs or tell of them: the flag, else as for a job file in the current folder.
 * @throws ProductError usage where there is none; none is made
 */
export async function findLedger(flag: string | undefined): Promise<FoundLedger> {
  const found = await lookForLedger(flag);
  if ('none' in found) throw new ProductError('usage', found.none);
  return found;
}

/** The same for commands that can do without: `none` says where they looked. */
export async function lookForLedger(
  flag: string | undefined,
): Promise<FoundLedger | { readonly none: Message }> {
  const location = flag === undefined ? await defaultLocation() : ledgerPlace(flag, process.cwd());
  const ledger = await openExistingLedger(location);
  if (!ledger) return { none: message('ledger.none_there', { location }) };
  return { ledger, location, stateFolder: stateFolderOf(location) };
}

/** Where the ledger of the current folder is, whether it exists or not. */
export async function defaultLocation(): Promise<string> {
  const cwd = process.cwd();
  return (await loadConnections(path.join(cwd, 'license-sync.yaml'), { env: process.env, cwd })).ledger;
}
