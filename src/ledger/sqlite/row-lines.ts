import type { ItemLine } from '../rules/row-result.js';
import { idRange, packId, runOf, unpackId } from '../shared/ids.js';
import { TO_BE_SENT, waitsInDoubt } from '../shared/item-standing.js';
import {
  type ItemRecord,
  itemLine,
  type RowLines,
  rowsByItem,
  type SharedLine,
  type VerdictRecord,
  verdictLine,
} from '../shared/row-lines.js';
import type { Database } from './database.js';

/** Batch and attempts are looked up only for items that have no outcome to tell of them. */
const ITEM_LINES = `
SELECT item_rows."row" AS "row", item_rows.item, outcomes.status, outcomes.license_order_id, outcomes.code,
  outcomes.message_json, outcomes.columns_json,
  CASE WHEN NOT ${TO_BE_SENT} THEN outcomes.attempts ELSE (
    SELECT max(attempt) FROM batch_items JOIN attempts ON attempts.batch = batch_items.batch
    WHERE batch_items.item = item_rows.item) END AS attempts,
  ${waitsInDoubt('item_rows.item')} AS in_doubt
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
export function readLines(db: Database, after: number, last: number): RowLines {
  const begun = db.allNamed<{ begun: number }>(BEGUN, idRange(runOf(last)))[0]?.begun === 1;
  return {
    items: begun ? db.all<ItemRecord>(ITEM_LINES, after, last).map(itemLine) : plannedLines(db, after, last),
    verdicts: db.all<VerdictRecord>(VERDICT_LINES, after, last).map(verdictLine),
  };
}

function plannedLines(db: Database, after: number, last: number): ItemLine[] {
  return db
    .all<Pick<ItemLine, 'row' | 'item'>>(PLANNED_LINES, after, last)
    .map(({ row, item }) => ({ row, item, inDoubt: false }));
}

const ITEMS_AT_ONCE = 1000;

const BEFORE = `
SELECT "row" AS "row" FROM item_rows WHERE "row" > :first AND "row" < :at
UNION SELECT "row" FROM verdicts WHERE "row" > :first AND "row" < :at
ORDER BY "row" DESC LIMIT :count`;

const AFTER = `
SELECT "row" AS "row" FROM item_rows WHERE "row" > :at AND "row" < :end
UNION SELECT "row" FROM verdicts WHERE "row" > :at AND "row" < :end
ORDER BY "row" LIMIT :count`;

/** Row numbers of the run on both sides of a row number, ascending. */
export function nearestRows(db: Database, run: number, row: number, count: number): number[] {
  const { first, end } = idRange(run);
  // A number of any size may be asked for; ids beyond the run's own would be those of another run.
  const at = Math.min(packId(run, row), end);
  const before = db.allNamed<{ row: number }>(BEFORE, { first, at, count });
  const after = db.allNamed<{ row: number }>(AFTER, { at, end, count });
  return [...before.reverse(), ...after].map((it) => unpackId(it.row));
}

const SHARED = `
SELECT item, json_group_array("row") AS rows_json FROM item_rows
WHERE item > :after AND item < :end
GROUP BY item HAVING count(*) > 1 ORDER BY item LIMIT :limit`;

/** Rows of each item that was made of several, by item. */
export function sharedRows(db: Database, run: number): AsyncGenerator<readonly number[]> {
  return rowsByItem(run, (after, end) =>
    db.read(() => db.allNamed<SharedLine>(SHARED, { after, end, limit: ITEMS_AT_ONCE })),
  );
}
