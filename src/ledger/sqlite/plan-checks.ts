import type { RepeatedKey } from '../contract/plan.js';
import { idRange } from '../shared/ids.js';
import {
  groups,
  type InvalidItem,
  type RepeatLine,
  type RowOfItem,
  toInvalidItem,
} from '../shared/plan-checks.js';
import type { Database } from './database.js';

const GROUPS_AT_ONCE = 200;

const TABLE = `
CREATE TEMP TABLE IF NOT EXISTS repeats (
  run INTEGER NOT NULL,
  first INTEGER NOT NULL,
  item INTEGER NOT NULL,
  PRIMARY KEY (run, first, item)
) WITHOUT ROWID`;

/** Sorted on disk by SQLite; only repeated keys are kept. `first`: the first item of its key. */
const FIND = `
INSERT INTO temp.repeats (run, first, item)
SELECT :run, first, id FROM (
  SELECT id, min(id) OVER same_key AS first, count(*) OVER same_key AS times FROM items
  WHERE id > :first AND id < :end AND item_key IS NOT NULL
  WINDOW same_key AS (PARTITION BY item_key)
) WHERE times > 1`;

/** Items of one subject and content are one: of those that are left, each says something else. */
const FIND_CONTRADICTIONS = `
INSERT INTO temp.repeats (run, first, item)
SELECT :run, first, item FROM (
  SELECT item, min(item) OVER same_subject AS first, count(*) OVER same_subject AS times FROM merges
  WHERE run = :run
  WINDOW same_subject AS (PARTITION BY substr(text, 1, instr(text, char(10))))
) WHERE times > 1`;

const PAGE = `
SELECT repeats.first, repeats.item, item_rows."row" AS "row"
FROM temp.repeats JOIN item_rows ON item_rows.item = repeats.item
WHERE repeats.run = :run AND repeats.first IN (
  SELECT DISTINCT first FROM temp.repeats WHERE run = :run AND first > :after ORDER BY first LIMIT :limit)
ORDER BY repeats.first, repeats.item, item_rows."row"`;

/** Keys that stand on more than one item, in order of first appearance; items may be withdrawn while it is read. */
export function repeatedKeys(db: Database, run: number): AsyncGenerator<RepeatedKey> {
  return repeats(db, run, () => db.runNamed(FIND, { run, ...idRange(run) }));
}

/** The same for subjects that stand on items of different content. */
export function contradictions(db: Database, run: number): AsyncGenerator<RepeatedKey> {
  return repeats(db, run, () => db.runNamed(FIND_CONTRADICTIONS, { run }));
}

async function* repeats(db: Database, run: number, find: () => unknown): AsyncGenerator<RepeatedKey> {
  db.read(() => {
    db.exec(TABLE);
    find();
  });
  try {
    let after = idRange(run).first;
    for (;;) {
      const lines = db.read(() => db.allNamed<RepeatLine>(PAGE, { run, after, limit: GROUPS_AT_ONCE }));
      const last = lines.at(-1);
      if (!last) return;
      yield* groups(lines);
      after = last.first;
    }
  } finally {
    db.read(() => db.run('DELETE FROM temp.repeats WHERE run = ?', run));
  }
}

const ITEMS_AT_ONCE = 500;

const INVALID_ITEMS = `
SELECT DISTINCT item_rows.item FROM verdicts JOIN item_rows ON item_rows."row" = verdicts."row"
WHERE verdicts."row" > :first AND verdicts."row" < :end AND verdicts.status IN ('invalid', 'not_sent')
ORDER BY item_rows.item LIMIT :limit`;

const ROWS_OF_ITEM = `
SELECT "row" AS "row", EXISTS (
  SELECT 1 FROM verdicts WHERE verdicts."row" = item_rows."row" AND status IN ('invalid', 'not_sent')) AS invalid
FROM item_rows WHERE item = ? ORDER BY "row"`;

/** Items that rows still have that aren't to be sent (invalid, or `not_sent` by another step), until none is left: whoever reads must take each off its rows or out. */
export async function* itemsOfInvalidRows(db: Database, run: number): AsyncGenerator<InvalidItem> {
  for (;;) {
    const range = { ...idRange(run), limit: ITEMS_AT_ONCE };
    const found = db.read(() => db.allNamed<{ item: number }>(INVALID_ITEMS, range));
    if (found.length === 0) return;
    for (const { item } of found) {
      const rows = db.read(() => db.all<RowOfItem>(ROWS_OF_ITEM, item));
      yield toInvalidItem(item, rows);
    }
  }
}
