import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowStory } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/run.js';

const NEAREST = 3;
/** More than any sheet or file has; the ledger tells no rows beyond. */
const LAST_ROW = 2 ** 32 - 1;

/**
 * What the ledger knows of a row by its number as Excel shows it.
 * @throws ProductError usage, naming the nearest rows, when the run has no such row; and for a pruned run.
 */
export async function requireRow(ledger: Ledger, run: Run, row: number): Promise<RowStory> {
  if (run.prunedAt !== undefined) throw new ProductError('usage', message('run.pruned', { run: run.id }));
  const story = row > LAST_ROW ? undefined : await ledger.report.row(run.id, row);
  if (story) return story;
  const nearest = await ledger.report.nearestRows(run.id, row, NEAREST);
  const params = { run: run.id, row, nearest: nearest.join(', ') };
  throw new ProductError(
    'usage',
    nearest.length > 0 ? message('explain.no_such_row', params) : message('explain.no_rows', { run: run.id }),
  );
}
