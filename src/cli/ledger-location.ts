import path from 'node:path';
import { loadConnections } from '../job/connections.js';
import type { Ledger } from '../ledger/contract.js';
import { openLedger } from '../ledger/open.js';
import { stateFolderOf } from './state-folder.js';

export interface FoundLedger {
  readonly ledger: Ledger;
  /** As `openLedger` takes it. */
  readonly location: string;
  readonly stateFolder: string;
}

/** The ledger for commands that name no job: the flag, else as for a job file in the current folder. */
export async function findLedger(flag: string | undefined): Promise<FoundLedger> {
  const location = flag === undefined ? await defaultLocation() : path.resolve(flag);
  return { ledger: await openLedger(location), location, stateFolder: stateFolderOf(location) };
}

/** Where the ledger of the current folder is, whether it exists or not. */
export async function defaultLocation(): Promise<string> {
  const cwd = process.cwd();
  return (await loadConnections(path.join(cwd, 'license-sync.yaml'), { env: process.env, cwd })).ledger;
}
