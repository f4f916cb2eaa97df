import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';

/** @throws ProductError usage when the ledger has no run of that id. */
export async function runNamed(ledger: Ledger, id: string): Promise<Run> {
  const run = await ledger.runs.get(id);
  if (run) return run;
  throw new ProductError('usage', message('run.no_such_run', { location: ledger.location, run: id }));
}
