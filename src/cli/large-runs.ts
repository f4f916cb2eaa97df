import { stat } from 'node:fs/promises';
import type { Ledger, Run } from '../ledger/contract.js';
import { openLedger } from '../ledger/open.js';

/** From here on the ledger's own thread, a tenth of a second to begin, gives more time than it takes. */
const LARGE_INPUT_BYTES = 32 * 1024;
const LARGE_RUN_ITEMS = 1000;

/** Opens the ledger for a run of an input file: in a thread of its own where the file is large. */
export async function ledgerForInput(location: string, input: string): Promise<Ledger> {
  const bytes = await stat(input).then(
    (found) => found.size,
    // A file that isn't there is told when it is read.
    () => 0,
  );
  return bytes < LARGE_INPUT_BYTES ? openLedger(location) : inThread(location);
}

/** The ledger for going on with a run that was found in it: the same one, or in a thread of its own if the run is large. */
export async function ledgerForRun(ledger: Ledger, run: Run): Promise<Ledger> {
  if (run.items < LARGE_RUN_ITEMS) return ledger;
  await ledger.close();
  return inThread(ledger.location);
}

async function inThread(location: string): Promise<Ledger> {
  const { openLedgerThread } = await import('../ledger/thread/open.js');
  return openLedgerThread(location);
}
