import { idRange } from '../shared/ids.js';
import { prunedSettings } from '../shared/pruned-settings.js';
import { giveBackClaims } from './claims-ahead.js';
import type { Database } from './database.js';
import { KEPT_JSON } from './key-holder.js';
import { countRows } from './row-counts.js';
import { KEEP_THINGS } from './things.js';

/** Writes what is known of the run's items beside the keys they hold, or held before another took over. */
function keepHolders(
  what: 'ids' | 'all',
  [column, holder]: readonly ['kept_json', 'item'] | readonly ['prior_kept_json', 'prior_item'],
): string {
  return `
UPDATE item_keys SET ${column} = (
  SELECT ${KEPT_JSON[what]} FROM items LEFT JOIN outcomes ON outcomes.item = items.id
  WHERE items.id = item_keys.${holder})
WHERE scope = (SELECT scope FROM runs WHERE id = ?1) AND ${holder} > ?2 AND ${holder} < ?3
  AND item_key IN (SELECT item_key FROM items WHERE id > ?2 AND id < ?3)`;
}

const HOLDERS = [
  ['kept_json', 'item'],
  ['prior_kept_json', 'prior_item'],
] as const;

/** Which items of other runs it has undone is still asked for: they may be undone only once. */
const KEEP_UNDOINGS = `
UPDATE undoings SET kept_status = (
  SELECT outcomes.status FROM item_rows JOIN outcomes ON outcomes.item = item_rows.item
  WHERE item_rows."row" = undoings."row")
WHERE "row" > ? AND "row" < ?`;

/**
 * Leaves of a run only what listing it and finding repeats needs: its line with the counts by status, and its keys.
 * Runs inside a transaction.
 */
export function pruneRun(db: Database, run: number, now: number): void {
  const counts = countRows(db, run);
  // What was only claimed never came to anything: kept, such a key would count as unknown for ever.
  giveBackClaims(db, run);
  const { first, end } = idRange(run);
  const isStep = db.get('SELECT 1 FROM runs WHERE id = ? AND step IS NOT NULL', run) !== undefined;
  for (const it of HOLDERS) db.run(keepHolders(isStep ? 'all' : 'ids', it), run, first, end);
  db.run(KEEP_UNDOINGS, first, end);
  for (const sql of KEEP_THINGS) db.run(sql, first, end);
  // First of all: a sealed plan lets nothing go but when it is pruned.
  db.run('UPDATE runs SET pruned_at = ? WHERE id = ?', now, run);
  clearRun(db, run);
  db.run('DELETE FROM lookups WHERE run = ?', run);
  db.run('DELETE FROM given_ids WHERE owner = ?', run);
  const { settings } = db.get<{ settings: string }>(
    'SELECT settings_json AS settings FROM runs WHERE id = ?',
    run,
  )!;
  db.run(
    'UPDATE runs SET counts_json = ?, settings_json = ? WHERE id = ?',
    JSON.stringify(counts),
    prunedSettings(settings),
    run,
  );
}

/** Tables by the column that holds a packed id; those that others refer to come last. */
const PACKED = [
  ['records', 'item'],
  ['resolutions', 'item'],
  ['outcomes', 'item'],
  ['attempts_begun', 'batch'],
  ['attempts_ended', 'batch'],
  ['attempts_set_aside', 'batch'],
  ['attempts', 'batch'],
  ['batch_items', 'batch'],
  ['batches', 'id'],
  ['item_rows', '"row"'],
  ['verdicts', '"row"'],
  ['bodies', 'item'],
  ['items', 'id'],
  ['envelopes', 'id'],
] as const;

/**
 * Removes rows, items, batches and all that came of them; the run itself and the keys it holds stay, and so do the answers
 * to its look-ups: a plan that is made again doesn't ask again.
 */
export function clearRun(db: Database, run: number, but?: 'invalid rows'): void {
  const { first, end } = idRange(run);
  for (const [table, column] of PACKED) {
    const kept = but && table === 'verdicts' ? "AND status <> 'invalid'" : '';
    db.run(`DELETE FROM ${table} WHERE ${column} > ? AND ${column} < ? ${kept}`, first, end);
  }
  db.run('DELETE FROM merges WHERE run = ?', run);
  db.run('DELETE FROM warnings WHERE run = ?', run);
}
