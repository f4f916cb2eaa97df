import type { Message } from '../../errors/message.js';
import type { ItemStatus } from '../../model/item.js';
import type { Fault } from '../../model/row.js';
import type { Status } from '../../model/status.js';
import { exactStringify } from '../../util/exact-json.js';
import type { RowVerdict } from '../contract/plan.js';
import type { RowResult } from '../contract/report.js';
import { type ItemLine, rowResult, type VerdictLine } from '../rules/row-result.js';
import { firstMatchingChunk, pagesOf } from './chunks.js';
import type { Dialect } from './dialect.js';
import { idRange, packId, runOf, unpackId, unpackRows } from './ids.js';
import { countsAsUnknown, TO_BE_SENT } from './item-state.js';
import type { StoreRunner } from './runner.js';
import { query, queryOne, type Store } from './statement.js';

interface ItemRecord {
  readonly row: number;
  readonly item: number;
  readonly status: ItemStatus | null;
  readonly attempts: number | null;
  readonly license_order_id: string | null;
  readonly code: string | null;
  readonly message_json: string | null;
  readonly columns_json: string | null;
  readonly in_doubt: number;
}

interface VerdictRecord {
  readonly row: number;
  readonly status: Status;
  readonly faults_json: string | null;
  readonly message_json: string | null;
  readonly license_order_id: string | null;
  readonly columns_json: string | null;
}

/** Batch and attempts are looked up only for items without an outcome. */
const ITEM_LINES = (dialect: Dialect) => `
SELECT item_rows."row" AS "row", item_rows.item, outcomes.status, outcomes.license_order_id, outcomes.code,
  outcomes.message_json, outcomes.columns_json,
  CASE WHEN NOT ${TO_BE_SENT} THEN outcomes.attempts ELSE (
    SELECT max(attempt) FROM batch_items JOIN attempts ON attempts.batch = batch_items.batch
    WHERE batch_items.item = item_rows.item) END AS attempts,
  CAST(${countsAsUnknown('item_rows.item')} AS int) AS in_doubt
FROM item_rows ${dialect.leftJoin('outcomes', 'outcomes.item = item_rows.item')}
WHERE item_rows."row" > $1 AND item_rows."row" <= $2
ORDER BY item_rows."row", item_rows.item`;

/** Whether anything of a run was sent or has an outcome. Otherwise `PLANNED_LINES` is sufficient. */
const BEGUN = `
SELECT CAST((EXISTS (SELECT 1 FROM attempts WHERE batch > $1 AND batch < $2)
  OR EXISTS (SELECT 1 FROM outcomes WHERE item > $1 AND item < $2)) AS int) AS begun`;

/** Four times as fast as `ITEM_LINES`, for dry runs of a million rows. */
const PLANNED_LINES = `
SELECT "row" AS "row", item FROM item_rows WHERE "row" > $1 AND "row" <= $2 ORDER BY "row", item`;

const VERDICT_LINES = `
SELECT "row" AS "row", status, faults_json, message_json, license_order_id, columns_json FROM verdicts
WHERE "row" > $1 AND "row" <= $2 ORDER BY "row", n`;

/** Only the next lines of each table are read. */
const LAST_OF_PAGE = `
SELECT max("row") AS "row" FROM (
  SELECT "row" FROM (
    SELECT * FROM (SELECT "row" FROM item_rows WHERE "row" > $1 AND "row" < $2 ORDER BY "row" LIMIT $3) AS of_items
    UNION ALL
    SELECT * FROM (SELECT "row" FROM verdicts WHERE "row" > $1 AND "row" < $2 ORDER BY "row" LIMIT $3) AS own
  ) AS either ORDER BY "row" LIMIT $3) AS page`;

/** Id of the last row of the next `limit` lines after an id; undefined if there are none. */
export function* lastOfPage(after: number, end: number, limit = 500): Store<number | undefined> {
  return (yield* queryOne<{ row: number | null }>(LAST_OF_PAGE, after, end, limit))?.row ?? undefined;
}

/** All lines of the rows with ids in (after, last], each list by ascending row. */
export function* readLines(after: number, last: number): Store<RowLines> {
  const { first, end } = idRange(runOf(last));
  const isBegun = (yield* queryOne<{ begun: number }>(BEGUN, first, end))?.begun === 1;
  const items = isBegun
    ? (yield* query<ItemRecord>(ITEM_LINES, after, last)).map(itemLine)
    : (yield* query<Pick<ItemLine, 'row' | 'item'>>(PLANNED_LINES, after, last)).map(
        ({ row, item }): ItemLine => ({ row, item, isUncertain: false }),
      );
  return { items, verdicts: (yield* query<VerdictRecord>(VERDICT_LINES, after, last)).map(verdictLine) };
}

const BEFORE = `
SELECT "row" AS "row" FROM item_rows WHERE "row" > $1 AND "row" < $2
UNION SELECT "row" FROM verdicts WHERE "row" > $1 AND "row" < $2
ORDER BY "row" DESC LIMIT $3`;

const AFTER = `
SELECT "row" AS "row" FROM item_rows WHERE "row" > $1 AND "row" < $2
UNION SELECT "row" FROM verdicts WHERE "row" > $1 AND "row" < $2
ORDER BY "row" LIMIT $3`;

/** Row numbers of the run on both sides of a row number, ascending. */
export function* nearestRows(run: number, row: number, count: number): Store<number[]> {
  const { first, end } = idRange(run);
  // `row` may have any size; ids beyond the run's range belong to another run.
  const at = Math.min(packId(run, row), end);
  const before = yield* query<{ row: number }>(BEFORE, first, at, count);
  const after = yield* query<{ row: number }>(AFTER, at, end, count);
  return [...before.reverse(), ...after].map((it) => unpackId(it.row));
}

/** Columns of a verdict: status, faults, message, order, columns and records, in this order. */
export function verdictValues({ status, faults, message, got }: RowVerdict): (string | null)[] {
  return [
    status,
    faults ? JSON.stringify(faults) : null,
    message ? JSON.stringify(message) : null,
    got?.licenseOrderId ?? null,
    got?.columns ? JSON.stringify(got.columns) : null,
    got?.records ? exactStringify(got.records) : null,
  ];
}

function itemLine(record: ItemRecord): ItemLine {
  return {
    row: record.row,
    item: record.item,
    status: record.status ?? undefined,
    attempts: record.attempts ?? undefined,
    licenseOrderId: record.license_order_id ?? undefined,
    code: record.code ?? undefined,
    message: parsed<Message | string>(record.message_json),
    columns: parsed<Record<string, string>>(record.columns_json),
    isUncertain: record.in_doubt === 1,
  };
}

function verdictLine(record: VerdictRecord): VerdictLine {
  return {
    row: record.row,
    status: record.status,
    faults: parsed<Fault[]>(record.faults_json) ?? [],
    message: parsed<Message | string>(record.message_json),
    licenseOrderId: record.license_order_id ?? undefined,
    columns: parsed<Record<string, string>>(record.columns_json),
  };
}

function parsed<T>(json: string | null): T | undefined {
  return json === null ? undefined : (JSON.parse(json) as T);
}

/** Lines of some rows, each list by ascending row. */
export interface RowLines {
  readonly items: readonly ItemLine[];
  readonly verdicts: readonly VerdictLine[];
}

/** Results of the rows of these lines, by ascending row. */
export function rowResults(
  { items, verdicts }: RowLines,
  pendingAs: 'valid' | 'not_sent',
  textOf: (item: number) => string | undefined,
): RowResult[] {
  const results: RowResult[] = [];
  let item = 0;
  let verdict = 0;
  while (item < items.length || verdict < verdicts.length) {
    const row = Math.min(items[item]?.row ?? Infinity, verdicts[verdict]?.row ?? Infinity);
    const nextItem = endOf(items, item, row);
    const nextVerdict = endOf(verdicts, verdict, row);
    const ofRow = verdicts.slice(verdict, nextVerdict);
    results.push(rowResult(unpackId(row), ofRow, items.slice(item, nextItem), pendingAs, textOf));
    item = nextItem;
    verdict = nextVerdict;
  }
  return results;
}

/** Index after the lines of a row, which begin at `from` if there are any. */
function endOf(lines: readonly { readonly row: number }[], from: number, row: number): number {
  let end = from;
  while (lines[end]?.row === row) end += 1;
  return end;
}

/** The body of an item that is text, such as a lock number. */
export function textOfBody(json: string | undefined): string | undefined {
  return json?.startsWith('"') ? (JSON.parse(json) as string) : undefined;
}

const SHARED = ({ jsonArray }: Dialect) => `
SELECT item, ${jsonArray('"row"')} AS "rows" FROM item_rows WHERE item > $1 AND item <= $2
GROUP BY item HAVING count(*) > 1 ORDER BY item LIMIT 1000`;

/** Rows of each item of a run with several rows, by item. */
export async function* sharedRows(db: StoreRunner, run: number): AsyncGenerator<readonly number[]> {
  const { first, end } = idRange(run);
  const read = (after: number) =>
    db.read(() =>
      firstMatchingChunk('items', { after, end }, (from, last) =>
        query<{ item: number; rows: string }>(SHARED, from, last),
      ),
    );
  for await (const lines of pagesOf(first, read, (it) => it.item)) {
    for (const { rows } of lines) yield unpackRows(rows);
  }
}
