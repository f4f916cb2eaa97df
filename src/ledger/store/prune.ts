import { type JsonObject, member } from '../../model/json.js';
import type { Clock } from '../../util/clock.js';
import { exactParse, exactStringify } from '../../util/exact-json.js';
import { FORGET_THINGS, KEEP_THINGS } from './asset-index-sql.js';
import { CHUNK, executeInChunks, lastOfChunk } from './chunks.js';
import { releasePrefetched } from './claims.js';
import type { Dialect } from './dialect.js';
import { idRange } from './ids.js';
import { keptJson, recordsOf, type ToKeepLine } from './key-holder.js';
import { countRows } from './row-counts.js';
import { type PrunableRow, runsToPrune } from './run-rows.js';
import type { StoreRunner } from './runner.js';
import {
  execute,
  fileOnly,
  type InsertTarget,
  insertAll,
  query,
  queryOne,
  type Store,
  serverOnly,
} from './statement.js';

/** Keys that an item of a chunk has, or had before another item took them over, with the item's outcome. */
const heldSql =
  (holder: 'item' | 'prior_item') =>
  ({ forUpdate }: Dialect) =>
    `
SELECT item_keys.scope, item_keys.item_key AS key, item_keys.item, items.first_row, items.content, outcomes.status,
  outcomes.license_order_id, outcomes.columns_json, CASE WHEN $4 = 1 THEN ${recordsOf('items.id')} END AS records_json
FROM items CROSS JOIN item_keys LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.id > $1 AND items.id <= $2 AND item_keys.scope = (SELECT scope FROM runs WHERE id = $3)
  AND item_keys.item_key = items.item_key AND item_keys.${holder} = items.id
ORDER BY item_keys.item_key ${forUpdate && `${forUpdate} OF item_keys`}`;

const keepInto = (column: 'kept_json' | 'prior_kept_json'): InsertTarget => ({
  table: 'item_keys',
  columns: { scope: 'bigint', item_key: 'text', item: 'bigint', [column]: 'text' },
  end: `ON CONFLICT (scope, item_key) DO UPDATE SET ${column} = excluded.${column}`,
});

const KEEP_HOLDERS = [
  { held: heldSql('item'), into: keepInto('kept_json') },
  { held: heldSql('prior_item'), into: keepInto('prior_kept_json') },
] as const;

type HeldKey = ToKeepLine & { readonly scope: number; readonly key: string; readonly item: number };

/** Keeps which items of other runs it reverted: each may be reverted only once. */
const KEEP_REVERSALS = `
UPDATE undoings SET kept_status = (
  SELECT outcomes.status FROM item_rows JOIN outcomes ON outcomes.item = item_rows.item
  WHERE item_rows."row" = undoings."row")
WHERE "row" > $1 AND "row" <= $2`;

const deleteSome = (table: string, run: string, key: string): string => `
DELETE FROM ${table} WHERE ${run} = $1
AND ${key} IN (SELECT ${key} FROM ${table} WHERE ${run} = $1 ORDER BY ${key} LIMIT ${CHUNK})`;

/** Delete some rows of a run from tables without packed ids. */
const DELETE_SOME = [
  deleteSome('lookups', 'run', 'key'),
  deleteSome('given_ids', 'owner', 'id'),
  deleteSome('step_shapes', 'run', 'first_row'),
];

const STILL_CHOSEN = ({ forUpdate }: Dialect) =>
  `SELECT step FROM runs WHERE id = $1 AND kind = $2 AND state = $3 AND pruned_at IS NULL ${forUpdate}`;

/** See `SqlRunStore.prune`. */
export function pruneRuns(
  db: StoreRunner,
  clock: Clock,
  endedBefore: number,
  only?: readonly string[],
): Promise<number> {
  return db.erase(async () => {
    let pruned = 0;
    for (const run of await db.read(() => runsToPrune(endedBefore, only), 'outcomes')) {
      const isPruned = await db.write(() => pruneRun(run, clock.now()), 'outcomes');
      if (isPruned && run.whole === undefined) pruned += 1;
    }
    return pruned;
  }, only === undefined);
}

/**
 * Removes everything of a run except what is needed to list it and detect repeats: its row with the counts by status, and its
 * keys.
 * @returns false if it is not pruned: it has unknown items, or since it was chosen another process has pruned it or sends it
 * (a saved plan)
 */
function* pruneRun({ number: run, whole, kind, state }: PrunableRow, now: number): Store<boolean> {
  if (whole !== undefined && (yield* countRows(whole)).unknown) return false;
  // A second process that prunes waits here, and then finds it pruned.
  const chosen = yield* queryOne<{ step: string | null }>(STILL_CHOSEN, run, kind, state);
  if (!chosen) return false;
  const counts = yield* countRows(run);
  if (counts.unknown) return false;
  // Items with a claim ahead have no outcome: if kept, their keys would be unknown permanently.
  yield* releasePrefetched(run);
  yield* keepHolders(run, chosen.step !== null);
  yield* executeInChunks(run, 'undoings', '"row"', KEEP_REVERSALS);
  for (const sql of KEEP_THINGS) yield* executeInChunks(run, 'items', 'id', sql);
  // Before anything is deleted, because deletion from a sealed plan is allowed only if its run is pruned.
  yield* execute('UPDATE runs SET pruned_at = $1 WHERE id = $2', now, run);
  yield* clearRun(run);
  for (const sql of DELETE_SOME) while ((yield* execute(sql, run)) > 0);
  const { settings } = (yield* queryOne<{ settings: string }>(
    'SELECT settings_json AS settings FROM runs WHERE id = $1',
    run,
  ))!;
  yield* execute(
    'UPDATE runs SET counts_json = $1, settings_json = $2 WHERE id = $3',
    JSON.stringify(counts),
    prunedSettings(settings),
    run,
  );
  return true;
}

/** Stores the outcomes of the run's items next to the keys that they have, or had before another item took them over. */
function* keepHolders(run: number, isStep: boolean): Store<void> {
  const { first, end } = idRange(run);
  for (let after = first; ; ) {
    const last = yield* lastOfChunk('items', after, end);
    if (last === undefined) return;
    for (const { held, into } of KEEP_HOLDERS) {
      const found = yield* query<HeldKey>(held, after, last, run, isStep);
      yield* insertAll(
        into,
        found.map((it) => [it.scope, it.key, it.item, keptJson(it, isStep ? 'all' : 'ids')]),
      );
    }
    after = last;
  }
}

/**
 * The settings that remain of a pruned run: the corrections of its input; for a run of several steps the job whose map named
 * its rows; and the connection's time zone, in which its times are shown. Danger: without the job, a sheet that is imported
 * again with another map would be sent twice. It isn't called `job`, because a pruned run has none.
 * @param json the settings as they are stored in the ledger
 */
export function prunedSettings(json: string): string {
  const { job, corrections, prunedJob, connection, timezone } = exactParse(json) as JsonObject;
  const isOfSteps = typeof job === 'object' && job !== null && 'steps' in job;
  const kept: Record<string, unknown> = {
    corrections,
    prunedJob: isOfSteps ? job : prunedJob,
    timezone: member(connection, 'timezone') ?? timezone,
  };
  return exactStringify(kept);
}

/** Tables with their column of packed ids; referenced tables come last. */
const PACKED: readonly (readonly [table: string, column: string])[] = [
  ['records', 'item'],
  ['resolutions', 'item'],
  ['outcomes', 'item'],
  ['attempts', 'batch'],
  ['batch_items', 'batch'],
  ['batches', 'id'],
  ['item_rows', '"row"'],
  ['verdicts', '"row"'],
  ['bodies', 'item'],
  ['items', 'id'],
  ['envelopes', 'id'],
];

/** `PACKED` with the tables that exist only on a server. */
const PACKED_ON_SERVER = [['batch_order', 'batch'], ...PACKED] as const;

const APPENDED = ['attempts_begun', 'attempts_ended', 'attempts_set_aside'] as const;

/** Tables of a server with rows by run. */
const SERVER_TABLES = ['plan_repeats', 'plan_parts', 'chunks'] as const;

/** Tables of a server whose files are cleaned by `erase`. */
export const ERASED_TABLES = [
  ...PACKED_ON_SERVER.map(([table]) => table),
  ...['lookups', 'item_keys', 'things', 'kept_things', 'runs'],
];

/**
 * Removes rows, items, batches and all their results. The run itself and its keys stay. The replies of its lookups stay too,
 * so that planning again does not request them again. Each statement removes a limited number of rows (chunks.ts).
 * @param but verdicts of invalid rows stay
 */
export function* clearRun(run: number, but?: 'invalid rows'): Store<void> {
  const { first, end } = idRange(run);
  const ofRun = 'WHERE batch > $1 AND batch < $2';
  for (const table of APPENDED) yield* fileOnly(`DELETE FROM ${table} ${ofRun}`, first, end);
  const isOnServer = (yield* serverOnly('SELECT 1')) !== undefined;
  for (const [table, column] of isOnServer ? PACKED_ON_SERVER : PACKED) {
    const kept = but && table === 'verdicts' ? "AND status <> 'invalid'" : '';
    const sql = `DELETE FROM ${table} WHERE ${column} > $1 AND ${column} <= $2 ${kept}`;
    yield* executeInChunks(run, table, column, sql);
  }
  for (const table of ['merges', 'warnings']) yield* execute(`DELETE FROM ${table} WHERE run = $1`, run);
  for (const table of SERVER_TABLES) yield* serverOnly(`DELETE FROM ${table} WHERE run = $1`, run);
}

/** Removes the whole plan of a run that has sent nothing. */
export function* clearPlan(run: number, but?: 'invalid rows'): Store<void> {
  yield* executeInChunks(run, 'items', 'id', FORGET_THINGS);
  yield* clearRun(run, but);
  const reversals = 'DELETE FROM undoings WHERE "row" > $1 AND "row" <= $2';
  yield* executeInChunks(run, 'undoings', '"row"', reversals);
  yield* execute('UPDATE runs SET "rows" = 0, items = 0 WHERE id = $1', run);
}
