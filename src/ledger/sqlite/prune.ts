import { clearRun } from './clear.js';
import type { Database } from './database.js';
import { countRows } from './row-counts.js';

/**
 * Leaves of a run only what listing it and finding repeats needs: its line with the counts by status, and its keys.
 * Runs inside a transaction.
 */
export function pruneRun(db: Database, run: number, now: number): void {
  const counts = countRows(db, run);
  clearRun(db, run);
  db.run(
    `UPDATE runs SET pruned_at = ?, counts_json = ?, settings_json = '{}' WHERE id = ?`,
    now,
    JSON.stringify(counts),
    run,
  );
}
