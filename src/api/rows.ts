import { type RowOutcome, rowsOf } from '../app/rows.js';
import { contextOf } from './context.js';
import { type CommonOptions, refuseUnknownOptions } from './options.js';

/**
 * The rows of a run from the ledger, by ascending row, also of one that was stopped or killed.
 * @throws LicenseSyncError (usage) when there is no such run
 */
export async function runRows(run: string, options: CommonOptions = {}): Promise<readonly RowOutcome[]> {
  refuseUnknownOptions(options);
  return rowsOf(contextOf(options), run);
}
