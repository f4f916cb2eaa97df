import type { Database } from './database.js';
import { idRange, packId, unpackId } from './ids.js';
import { pause } from './pause.js';

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
export async function* sharedRows(db: Database, run: number): AsyncGenerator<readonly number[]> {
  const { first, end } = idRange(run);
  let after = first;
  for (;;) {
    const values = { after, end, limit: ITEMS_AT_ONCE };
    const lines = db.read(() => db.allNamed<{ item: number; rows_json: string }>(SHARED, values));
    for (const it of lines) yield (JSON.parse(it.rows_json) as number[]).map(unpackId).sort((a, b) => a - b);
    const last = lines.at(-1);
    if (!last) return;
    after = last.item;
    await pause();
  }
}
