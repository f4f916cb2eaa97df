import type { Database } from './database.js';
import { idRange, runOf } from './ids.js';

/** What the tables say of a row through one of its items. */
export interface ItemLine {
  readonly row: number;
  readonly item: number;
  /** null: no outcome yet. */
  readonly status: string | null;
  readonly attempts: number | null;
  readonly license_order_id: string | null;
  readonly code: string | null;
  readonly message_json: string | null;
  readonly columns_json: string | null;
  /** 1 while the item has no outcome and an attempt of its batch is open, or may have had its effect. */
  readonly open: number;
}

/** What the tables say of a row by itself. */
export interface VerdictLine {
  readonly row: number;
  readonly status: string;
  readonly faults_json: string | null;
  readonly message_json: string | null;
  /** What an earlier run got, where that is why the row is skipped. */
  readonly license_order_id: string | null;
  readonly columns_json: string | null;
}

/** Batch and attempts are looked up only for items that have no outcome to tell of them. */
const ITEM_LINES = `
SELECT item_rows."row" AS "row", item_rows.item, outcomes.status, outcomes.license_order_id, outcomes.code,
  outcomes.message_json, outcomes.columns_json,
  CASE WHEN coalesce(outcomes.status, 'not_sent') <> 'not_sent' THEN outcomes.attempts ELSE (
    SELECT max(attempt) FROM batch_items JOIN attempts ON attempts.batch = batch_items.batch
    WHERE batch_items.item = item_rows.item) END AS attempts,
  CASE WHEN coalesce(outcomes.status, 'not_sent') <> 'not_sent' THEN 0 ELSE EXISTS (
    SELECT 1 FROM batch_items JOIN attempts ON attempts.batch = batch_items.batch
    WHERE batch_items.item = item_rows.item AND (attempts.ended_at IS NULL OR attempts.doubtful = 1)) END AS open
FROM item_rows LEFT JOIN outcomes ON outcomes.item = item_rows.item
WHERE item_rows."row" > ? AND item_rows."row" <= ?
ORDER BY item_rows."row", item_rows.item`;

/** Whether anything of a run was sent or settled. Until then all that can be said of an item is that it is there. */
const BEGUN = `
SELECT EXISTS (SELECT 1 FROM attempts WHERE batch > :first AND batch < :end)
  OR EXISTS (SELECT 1 FROM outcomes WHERE item > :first AND item < :end) AS begun`;

/** Four times as fast as `ITEM_LINES`, for dry runs of a million rows. */
const PLANNED_LINES = `
SELECT "row" AS "row", item FROM item_rows WHERE "row" > ? AND "row" <= ? ORDER BY "row", item`;

const VERDICT_LINES = `
SELECT "row" AS "row", status, faults_json, message_json, license_order_id, columns_json FROM verdicts
WHERE "row" > ? AND "row" <= ? ORDER BY "row", n`;

/** Last of the next so many rows, by their ids. */
const LAST_OF_PAGE = `
SELECT max("row") AS "row" FROM (
  SELECT "row" FROM item_rows WHERE "row" > :after AND "row" < :end
  UNION
  SELECT "row" FROM verdicts WHERE "row" > :after AND "row" < :end
  ORDER BY "row" LIMIT :limit)`;

/** Id of the last of the next `limit` rows after an id; undefined when there are none. */
export function lastOfPage(db: Database, after: number, end: number, limit: number): number | undefined {
  const found = db.allNamed<{ row: number | null }>(LAST_OF_PAGE, { after, end, limit })[0]?.row;
  return found ?? undefined;
}

/** All lines of the rows with ids in (after, last], each list by ascending row. */
export function readLines(
  db: Database,
  after: number,
  last: number,
): { readonly items: readonly ItemLine[]; readonly verdicts: readonly VerdictLine[] } {
  const begun = db.allNamed<{ begun: number }>(BEGUN, idRange(runOf(last)))[0]?.begun === 1;
  return {
    items: begun ? db.all<ItemLine>(ITEM_LINES, after, last) : plannedLines(db, after, last),
    verdicts: db.all<VerdictLine>(VERDICT_LINES, after, last),
  };
}

function plannedLines(db: Database, after: number, last: number): ItemLine[] {
  return db.all<Pick<ItemLine, 'row' | 'item'>>(PLANNED_LINES, after, last).map(({ row, item }) => ({
    row,
    item,
    status: null,
    attempts: null,
    license_order_id: null,
    code: null,
    message_json: null,
    columns_json: null,
    open: 0,
  }));
}
