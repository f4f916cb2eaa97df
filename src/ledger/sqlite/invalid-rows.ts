import type { Database } from './database.js';
import { idRange, unpackId } from './ids.js';

const ITEMS_AT_ONCE = 500;

const ITEMS = `
SELECT DISTINCT item_rows.item FROM verdicts JOIN item_rows ON item_rows."row" = verdicts."row"
WHERE verdicts."row" > :first AND verdicts."row" < :end AND verdicts.status = 'invalid'
ORDER BY item_rows.item LIMIT :limit`;

const ROWS = `
SELECT "row" AS "row", EXISTS (
  SELECT 1 FROM verdicts WHERE verdicts."row" = item_rows."row" AND status = 'invalid') AS invalid
FROM item_rows WHERE item = ? ORDER BY "row"`;

export interface InvalidItem {
  readonly item: number;
  readonly rows: readonly number[];
  /** Those of the rows that are invalid. */
  readonly invalid: readonly number[];
}

/** Items that invalid rows still have, until none is left: whoever reads must take each off its rows or out. */
export async function* itemsOfInvalidRows(db: Database, run: number): AsyncGenerator<InvalidItem> {
  for (;;) {
    const range = { ...idRange(run), limit: ITEMS_AT_ONCE };
    const found = db.read(() => db.allNamed<{ item: number }>(ITEMS, range));
    if (found.length === 0) return;
    for (const { item } of found) {
      const rows = db.read(() => db.all<{ row: number; invalid: number }>(ROWS, item));
      yield {
        item: unpackId(item),
        rows: rows.map((it) => unpackId(it.row)),
        invalid: rows.filter((it) => it.invalid === 1).map((it) => unpackId(it.row)),
      };
    }
  }
}
