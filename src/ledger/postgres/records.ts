import { type RecordLine, type RowRecord, recordsOf, type SkippedLine } from '../shared/records.js';
import type { Database } from './database.js';
import { firstFound, lookUp } from './pieces.js';

const RECORDS_AT_ONCE = 500;

const OF_ITEMS = `
SELECT item_rows."row" AS "row", records.item, records.n, records.json
FROM item_rows
${lookUp('items', 'items.id = item_rows.item AND items.first_row = item_rows."row"')}
${lookUp('records', 'records.item = item_rows.item')}
WHERE item_rows."row" >= $1::bigint AND item_rows."row" <= $4::bigint
  AND (item_rows."row", records.item, records.n) > ($1::bigint, $2::bigint, $3::bigint)
ORDER BY item_rows."row", item_rows.item, records.n LIMIT ${RECORDS_AT_ONCE}`;

const OF_SKIPPED_ROWS = `
SELECT "row" AS "row", records_json FROM verdicts
WHERE "row" > $1::bigint AND "row" < $2::bigint AND records_json IS NOT NULL ORDER BY "row", n LIMIT ${RECORDS_AT_ONCE}`;

/** Records of a run, by its number. */
export function runRecords(db: Database, run: number): AsyncGenerator<readonly RowRecord[]> {
  return recordsOf(run, {
    // One before the place's row: the rest of its records may still be to be read.
    ofItems: (place, end) =>
      firstFound(db, 'item_rows', { after: place.row - 1, end }, (after, last) => {
        const { row, item, n } = after < place.row ? place : { row: after + 1, item: 0, n: 0 };
        return db.all<RecordLine>(OF_ITEMS, [row, item, n, last]);
      }),
    ofSkippedRows: (row, end) => db.all<SkippedLine>(OF_SKIPPED_ROWS, [row, end]),
  });
}
