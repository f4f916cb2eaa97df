import { idRange } from '../shared/ids.js';
import { keptJson, type ToKeepLine } from '../shared/key-holder.js';
import { prunedSettings } from '../shared/pruned-settings.js';
import type { Database } from './database.js';
import { recordsOf } from './key-holder.js';
import { lastOfPiece, PIECE } from './pieces.js';
import { countRows } from './row-counts.js';
import { FORGET_THINGS, KEEP_THINGS } from './things.js';
import type { Queryable } from './transaction.js';

/** Keys that an item of a piece holds, or held before another took over, with what is known of it. */
const held = (holder: 'item' | 'prior_item'): string => `
SELECT item_keys.scope, item_keys.item_key, items.first_row, items.content, outcomes.status, outcomes.license_order_id,
  outcomes.columns_json, CASE WHEN $4::boolean THEN ${recordsOf('items.id')} END AS records_json
FROM items JOIN item_keys ON item_keys.item_key = items.item_key AND item_keys.${holder} = items.id
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.id > $1::bigint AND items.id <= $2::bigint AND item_keys.scope = (SELECT scope FROM runs WHERE id = $3)
ORDER BY item_keys.item_key FOR UPDATE OF item_keys`;

const keep = (column: 'kept_json' | 'prior_kept_json'): string => `
UPDATE item_keys SET ${column} = kept.json
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS kept (scope, item_key, json)
WHERE item_keys.scope = kept.scope AND item_keys.item_key = kept.item_key`;

const KEEP_HOLDERS = [
  { held: held('item'), keep: keep('kept_json') },
  { held: held('prior_item'), keep: keep('prior_kept_json') },
] as const;

type HeldLine = ToKeepLine & { readonly scope: number; readonly item_key: string };

/** Which items of other runs it has undone is still asked for: they may be undone only once. */
const KEEP_UNDOINGS = `
UPDATE undoings SET kept_status = (
  SELECT outcomes.status FROM item_rows JOIN outcomes ON outcomes.item = item_rows.item
  WHERE item_rows."row" = undoings."row")
WHERE "row" > $1::bigint AND "row" <= $2::bigint`;

const CLEAR_UNDOINGS = 'DELETE FROM undoings WHERE "row" > $1::bigint AND "row" <= $2::bigint';

/**
 * Leaves of a run only what listing it and finding repeats needs: its line with the counts by status, and its keys.
 * Runs inside a transaction. False where it stays as it is: something of it is unknown, or another one has pruned it.
 */
export async function pruneRun(tx: Queryable, run: number, now: number): Promise<boolean> {
  // A second one waits here, and finds it pruned.
  if (!(await tx.get('SELECT 1 FROM runs WHERE id = $1 AND pruned_at IS NULL FOR UPDATE', [run])))
    return false;
  const counts = await countRows(tx, run);
  if (counts.unknown) return false;
  const isStep = (await tx.get('SELECT 1 FROM runs WHERE id = $1 AND step IS NOT NULL', [run])) !== undefined;
  const { first, end } = idRange(run);
  for (let after = first; ; ) {
    const last = await lastOfPiece(tx, 'items', after, end);
    if (last === undefined) break;
    for (const holders of KEEP_HOLDERS) {
      const lines = await tx.all<HeldLine>(holders.held, [after, last, run, isStep]);
      if (lines.length === 0) continue;
      await tx.run(holders.keep, [
        lines.map((it) => it.scope),
        lines.map((it) => it.item_key),
        lines.map((it) => keptJson(it, isStep ? 'all' : 'ids')),
      ]);
    }
    after = last;
  }
  await piecewise(tx, run, 'undoings', '"row"', KEEP_UNDOINGS);
  for (const sql of KEEP_THINGS) await piecewise(tx, run, 'items', 'id', sql);
  // First of all: a sealed plan lets nothing go but when it is pruned.
  await tx.run('UPDATE runs SET pruned_at = $1 WHERE id = $2', [now, run]);
  await clearRun(tx, run);
  while ((await tx.run(DELETE_LOOKUPS, [run])) > 0);
  while ((await tx.run(DELETE_GIVEN_IDS, [run])) > 0);
  const { settings } = (await tx.get<{ settings: string }>(
    'SELECT settings_json AS settings FROM runs WHERE id = $1',
    [run],
  ))!;
  await tx.run('UPDATE runs SET counts_json = $1, settings_json = $2 WHERE id = $3', [
    JSON.stringify(counts),
    prunedSettings(settings),
    run,
  ]);
  return true;
}

const DELETED_AT_ONCE = 10 * PIECE;

const DELETE_LOOKUPS = `
DELETE FROM lookups WHERE run = $1::bigint
AND key IN (SELECT key FROM lookups WHERE run = $1::bigint ORDER BY key LIMIT ${PIECE})`;

const DELETE_GIVEN_IDS = `
DELETE FROM given_ids WHERE owner = $1::bigint
AND id IN (SELECT id FROM given_ids WHERE owner = $1::bigint ORDER BY id LIMIT ${PIECE})`;

/** Tables by the column that holds a packed id. */
const PACKED = [
  ['records', 'item'],
  ['resolutions', 'item'],
  ['outcomes', 'item'],
  ['attempts', 'batch'],
  ['batch_order', 'batch'],
  ['batch_items', 'batch'],
  ['batches', 'id'],
  ['item_rows', '"row"'],
  ['verdicts', '"row"'],
  ['bodies', 'item'],
  ['items', 'id'],
  ['envelopes', 'id'],
] as const;

/** Deleted data must not linger in the tables' files. */
export async function vacuum(db: Database): Promise<void> {
  // A session of its own: no transaction may be open.
  const session = await db.ownSession();
  try {
    await session.query(`VACUUM ${PACKED.map(([table]) => table).join(', ')}, lookups, item_keys, runs`);
  } finally {
    await session.close();
  }
}

/** Of a run as a whole. */
const OWN = ['merges', 'warnings', 'plan_repeats', 'plan_parts', 'chunks'] as const;

/**
 * Removes rows, items, batches and all that came of them; the run itself and the keys it holds stay, and so do the answers
 * to its look-ups: a plan that is made again doesn't ask again. Runs inside a
 * transaction; each statement removes some of it only (pieces.ts).
 */
export async function clearRun(tx: Queryable, run: number, but?: 'invalid rows'): Promise<void> {
  const { first, end } = idRange(run);
  for (const [table, column] of PACKED) {
    const newest = `SELECT max(${column}) AS last FROM ${table} WHERE ${column} > $1::bigint AND ${column} < $2::bigint`;
    const last = (await tx.get<{ last: number | null }>(newest, [first, end]))?.last ?? first;
    const kept = but && table === 'verdicts' ? "AND status <> 'invalid'" : '';
    const sql = `DELETE FROM ${table} WHERE ${column} > $1::bigint AND ${column} <= $2::bigint ${kept}`;
    for (let after = first; after < last; after += DELETED_AT_ONCE) {
      await tx.run(sql, [after, Math.min(after + DELETED_AT_ONCE, last)]);
    }
  }
  for (const table of OWN) await tx.run(`DELETE FROM ${table} WHERE run = $1`, [run]);
}

/** What rows of a run were to take back. Runs inside a transaction. */
export function clearUndoings(tx: Queryable, run: number): Promise<void> {
  return piecewise(tx, run, 'undoings', '"row"', CLEAR_UNDOINGS);
}

/** What the items of a run name; before they are removed. Runs inside a transaction. */
export function clearThings(tx: Queryable, run: number): Promise<void> {
  return piecewise(tx, run, 'items', 'id', FORGET_THINGS);
}

/** Executes a statement over all that a table has of a run, a part at a time (pieces.ts). */
async function piecewise(
  tx: Queryable,
  run: number,
  table: 'undoings' | 'items',
  column: string,
  sql: string,
): Promise<void> {
  const { first, end } = idRange(run);
  const newest = `SELECT max(${column}) AS last FROM ${table} WHERE ${column} > $1::bigint AND ${column} < $2::bigint`;
  const last = (await tx.get<{ last: number | null }>(newest, [first, end]))?.last ?? first;
  for (let after = first; after < last; after += DELETED_AT_ONCE) {
    await tx.run(sql, [after, Math.min(after + DELETED_AT_ONCE, last)]);
  }
}
