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
import { firstFound, lookUp } from './pieces.js';
import type { Queryable } from './transaction.js';

/** Batch and attempts are looked up only for items that have no outcome to tell of them. */
const ITEM_LINES = `
SELECT item_rows."row" AS "row", item_rows.item, outcomes.status, outcomes.license_order_id, outcomes.code,
  outcomes.message_json, outcomes.columns_json,
  CASE WHEN NOT ${TO_BE_SENT} THEN outcomes.attempts ELSE (
    SELECT max(attempt) FROM batch_items JOIN attempts ON attempts.batch = batch_items.batch
    WHERE batch_items.item = item_rows.item) END AS attempts,
  ${waitsInDoubt('item_rows.item')}::int AS in_doubt
FROM item_rows LEFT ${lookUp('outcomes', 'outcomes.item = item_rows.item')}
WHERE item_rows."row" > $1::bigint AND item_rows."row" <= $2::bigint
ORDER BY item_rows."row", item_rows.item`;

/** Whether anything of a run was sent or settled. Until then all that can be said of an item is that it is there. */
const BEGUN = `
SELECT (EXISTS (SELECT 1 FROM attempts WHERE batch > $1::bigint AND batch < $2::bigint)
  OR EXISTS (SELECT 1 FROM outcomes WHERE item > $1::bigint AND item < $2::bigint))::int AS begun`;

/** For dry runs of a million rows. */
const PLANNED_LINES = `
SELECT "row" AS "row", item FROM item_rows WHERE "row" > $1::bigint AND "row" <= $2::bigint ORDER BY "row", item`;

const VERDICT_LINES = `
SELECT "row" AS "row", status, faults_json, message_json, license_order_id, columns_json FROM verdicts
WHERE "row" > $1::bigint AND "row" <= $2::bigint ORDER BY "row", n`;

/** Lines told at a time. */
const LINES_AT_ONCE = 500;

/** Last row of the next lines: so many of each table suffice. */
const lastOfPageSql = (lines: number): string => `
SELECT max("row") AS "row" FROM (
  SELECT "row" FROM (
    (SELECT "row" FROM item_rows WHERE "row" > $1::bigint AND "row" < $2::bigint ORDER BY "row" LIMIT ${lines})
    UNION ALL
    (SELECT "row" FROM verdicts WHERE "row" > $1::bigint AND "row" < $2::bigint ORDER BY "row" LIMIT ${lines})
  ) AS either ORDER BY "row" LIMIT ${lines}) AS page`;

/** Id of the last of the next rows after an id; undefined when there are none. */
export async function lastOfPage(
  db: Queryable,
  after: number,
  end: number,
  lines = LINES_AT_ONCE,
): Promise<number | undefined> {
  const found = await db.get<{ row: number | null }>(lastOfPageSql(lines), [after, end]);
  return found?.row ?? undefined;
}

/** All lines of the rows with ids in (after, last], each list by ascending row. */
export async function readLines(db: Queryable, after: number, last: number): Promise<RowLines> {
  const { first, end } = idRange(runOf(last));
  const begun = (await db.get<{ begun: number }>(BEGUN, [first, end]))?.begun === 1;
  const items = begun
    ? (await db.all<ItemRecord>(ITEM_LINES, [after, last])).map(itemLine)
    : (await db.all<{ row: number; item: number }>(PLANNED_LINES, [after, last])).map(({ row, item }) => {
        return { row, item, inDoubt: false };
      });
  const verdicts = await db.all<VerdictRecord>(VERDICT_LINES, [after, last]);
  return { items, verdicts: verdicts.map(verdictLine) };
}

const BEFORE = `
SELECT "row" AS "row" FROM item_rows WHERE "row" > $1::bigint AND "row" < $2::bigint
UNION SELECT "row" FROM verdicts WHERE "row" > $1::bigint AND "row" < $2::bigint
ORDER BY "row" DESC LIMIT $3::int`;

const AFTER = `
SELECT "row" AS "row" FROM item_rows WHERE "row" > $1::bigint AND "row" < $2::bigint
UNION SELECT "row" FROM verdicts WHERE "row" > $1::bigint AND "row" < $2::bigint
ORDER BY "row" LIMIT $3::int`;

/** Row numbers of the run on both sides of a row number, ascending. */
export async function nearestRows(db: Queryable, run: number, row: number, count: number): Promise<number[]> {
  const { first, end } = idRange(run);
  // A number of any size may be asked for; ids beyond the run's own would be those of another run.
  const at = Math.min(packId(run, row), end);
  const before = await db.all<{ row: number }>(BEFORE, [first, at, count]);
  const after = await db.all<{ row: number }>(AFTER, [at, end, count]);
  return [...before.reverse(), ...after].map((it) => unpackId(it.row));
}

const SHARED = `
SELECT item, json_agg("row")::text AS rows_json FROM item_rows
WHERE item > $1::bigint AND item <= $2::bigint
GROUP BY item HAVING count(*) > 1 ORDER BY item LIMIT 1000`;

/** Rows of each item that was made of several, by item. */
export function sharedRows(db: Queryable, run: number): AsyncGenerator<readonly number[]> {
  return rowsByItem(run, (after, end) =>
    firstFound(db, 'items', { after, end }, (from, last) => db.all<SharedLine>(SHARED, [from, last])),
  );
}
