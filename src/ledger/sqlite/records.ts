import { type RecordLine, type RowRecord, recordsOf, type SkippedLine } from '../shared/records.js';
import type { Database } from './database.js';

const RECORDS_AT_ONCE = 500;

const OF_ITEMS = `
SELECT item_rows."row" AS "row", records.item, records.n, records.json
FROM item_rows
CROSS JOIN items ON items.id = item_rows.item AND items.first_row = item_rows."row"
CROSS JOIN records ON records.item = item_rows.item
WHERE item_rows."row" >= :row AND item_rows."row" < :end
  AND (item_rows."row", records.item, records.n) > (:row, :item, :n)
ORDER BY item_rows."row", item_rows.item, records.n LIMIT :limit`;

const OF_SKIPPED_ROWS = `
SELECT "row" AS "row", records_json FROM verdicts
WHERE "row" > :row AND "row" < :end AND records_json IS NOT NULL ORDER BY "row", n LIMIT :limit`;

/** Records of a run, by its number. */
export function runRecords(db: Database, run: number): AsyncGenerator<readonly RowRecord[]> {
  const limit = RECORDS_AT_ONCE;
  return recordsOf(run, {
    ofItems: (after, end) => db.read(() => db.allNamed<RecordLine>(OF_ITEMS, { ...after, end, limit })),
    ofSkippedRows: (row, end) =>
      db.read(() => db.allNamed<SkippedLine>(OF_SKIPPED_ROWS, { row, end, limit })),
  });
}
