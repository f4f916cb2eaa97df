import type { Database } from './database.js';
import { idRange } from './ids.js';

/** Tables by the column that holds a packed id; those that others refer to come last. */
const PACKED = [
  ['records', 'item'],
  ['resolutions', 'item'],
  ['outcomes', 'item'],
  ['attempts_begun', 'batch'],
  ['attempts_ended', 'batch'],
  ['attempts', 'batch'],
  ['batch_items', 'batch'],
  ['batches', 'id'],
  ['item_rows', '"row"'],
  ['verdicts', '"row"'],
  ['bodies', 'item'],
  ['items', 'id'],
  ['envelopes', 'id'],
] as const;

/** Removes rows, items, batches and all that came of them; the run itself and the keys it holds stay. */
export function clearRun(db: Database, run: number): void {
  const { first, end } = idRange(run);
  for (const [table, column] of PACKED) {
    db.run(`DELETE FROM ${table} WHERE ${column} > ? AND ${column} < ?`, first, end);
  }
  db.run('DELETE FROM claims_ahead WHERE run = ?', run);
  db.run('DELETE FROM merges WHERE run = ?', run);
  db.run('DELETE FROM warnings WHERE run = ?', run);
}
