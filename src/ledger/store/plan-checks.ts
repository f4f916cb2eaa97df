import type { InvalidItem, RepeatedKey } from '../contract/plan.js';
import { CHUNK, chunksOf } from './chunks.js';
import { idRange, unpackId } from './ids.js';
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

/** Items that share a key or subject with other items of the run. `first`: the first of them. Permanent table on a server. */
const REPEATS: InsertTarget = {
  table: 'plan_repeats',
  columns: { run: 'bigint', first: 'bigint', item: 'bigint' },
};

const CREATE_REPEATS = `
CREATE TEMP TABLE IF NOT EXISTS plan_repeats (
  run INTEGER NOT NULL,
  first INTEGER NOT NULL,
  item INTEGER NOT NULL,
  PRIMARY KEY (run, first, item)
) WITHOUT ROWID`;

const FORGET_REPEATS = 'DELETE FROM plan_repeats WHERE run = $1';

/** SQLite sorts the keys in temporary files. */
const SORT_KEYS = `
INSERT INTO plan_repeats (run, first, item)
SELECT $1, first, id FROM (
  SELECT id, min(id) OVER same_key AS first, count(*) OVER same_key AS times FROM items
  WHERE id > $2 AND id < $3 AND item_key IS NOT NULL
  WINDOW same_key AS (PARTITION BY item_key)
) WHERE times > 1`;

/** On a server sorting all keys of a large run would be one long statement, so each key is looked up in the index. */
const LOOK_UP_KEYS = `
INSERT INTO plan_repeats (run, first, item)
SELECT $1::bigint, first, id FROM (
  SELECT id,
    (SELECT min(same.id) FROM items AS same
      WHERE same.item_key = items.item_key AND same.id > $2::bigint AND same.id < $3::bigint) AS first,
    (SELECT max(same.id) FROM items AS same
      WHERE same.item_key = items.item_key AND same.id > $2::bigint AND same.id < $3::bigint) AS last
  FROM items WHERE id > $4::bigint AND id <= $5::bigint AND item_key IS NOT NULL) AS chunk
WHERE first <> last`;

const MERGE_TEXTS = `SELECT text, item FROM merges WHERE run = $1 AND text > $2 ORDER BY text LIMIT ${CHUNK}`;

const LAST_FIRST = `
SELECT max(first) AS last FROM (
  SELECT DISTINCT first FROM plan_repeats WHERE run = $1 AND first > $2 ORDER BY first LIMIT 200) AS page`;

const PAGE = `
SELECT plan_repeats.first, plan_repeats.item, item_rows."row" AS "row"
FROM plan_repeats JOIN item_rows ON item_rows.item = plan_repeats.item
WHERE plan_repeats.run = $1 AND plan_repeats.first > $2 AND plan_repeats.first <= $3
ORDER BY plan_repeats.first, plan_repeats.item, item_rows."row"`;

interface RepeatLine {
  readonly first: number;
  readonly item: number;
  readonly row: number;
}

/** Keys of more than one item, in order of first appearance. Items may be withdrawn while it is read. */
export function repeatedKeys(db: StoreRunner, run: string): AsyncGenerator<RepeatedKey> {
  return repeats(db, run, async (number) => {
    const range = idRange(number);
    const { first, end } = range;
    await db.writeRun(run, () => fileOnly(SORT_KEYS, number, first, end), 'scratch');
    for await (const { after, last } of chunksOf(db, 'items', range))
      await db.writeRun(run, () => serverOnly(LOOK_UP_KEYS, number, first, end, after, last), 'scratch');
  });
}

/** Subjects of items with different content. Items with the same subject and content are merged. */
export function contradictions(db: StoreRunner, run: string): AsyncGenerator<RepeatedKey> {
  return repeats(db, run, async (number) => {
    // Texts with the same subject are consecutive.
    let subject = '';
    let items: number[] = [];
    const found: (readonly [number, number, number])[] = [];
    const finishSubject = (): void => {
      if (items.length > 1) {
        const first = Math.min(...items);
        for (const item of items) found.push([number, first, item]);
      }
      items = [];
    };
    for (let after = ''; ; ) {
      const lines = await db.read(() => query<{ text: string; item: number }>(MERGE_TEXTS, number, after));
      for (const { text, item } of lines) {
        const nextSubject = text.slice(0, text.indexOf('\n'));
        if (nextSubject !== subject) finishSubject();
        subject = nextSubject;
        items.push(item);
      }
      const last = lines.at(-1);
      if (!last) finishSubject();
      if (found.length > 0) {
        const rows = found.splice(0);
        await db.writeRun(run, () => insertAll(REPEATS, rows), 'scratch');
      }
      if (!last) return;
      after = last.text;
    }
  });
}

/** Writes the result into a table first, because the caller withdraws items, which would change a later result. */
async function* repeats(
  db: StoreRunner,
  run: string,
  find: (number: number) => Promise<void>,
): AsyncGenerator<RepeatedKey> {
  const { number } = await db.read(() => db.runs.of(run));
  const forget = (): Store<unknown> => execute(FORGET_REPEATS, number);
  const begin = function* (): Store<void> {
    yield* fileOnly(CREATE_REPEATS);
    yield* forget();
  };
  await db.writeRun(run, begin, 'scratch');
  await find(number);
  try {
    for (let after = idRange(number).first; ; ) {
      const sql = LAST_FIRST;
      const last = (await db.read(() => queryOne<{ last: number | null }>(sql, number, after)))?.last;
      if (typeof last !== 'number') return;
      yield* groups(await db.read(() => query<RepeatLine>(PAGE, number, after, last)));
      after = last;
    }
  } finally {
    await db.writeRun(run, forget, 'scratch');
  }
}

/** @param lines by first item, item and row */
function* groups(lines: readonly RepeatLine[]): Generator<RepeatedKey> {
  const byFirst = new Map<number, Map<number, number[]>>();
  for (const { first, item, row } of lines) {
    const items = byFirst.get(first) ?? new Map<number, number[]>();
    byFirst.set(first, items);
    const rows = items.get(item);
    if (rows) rows.push(unpackId(row));
    else items.set(item, [unpackId(row)]);
  }
  for (const items of byFirst.values())
    yield { items: [...items].map(([item, rows]) => ({ item: unpackId(item), rows })) };
}

const IS_NOT_SENT = "status IN ('invalid', 'not_sent')";

const INVALID_ITEMS = `
SELECT DISTINCT item_rows.item FROM verdicts JOIN item_rows ON item_rows."row" = verdicts."row"
WHERE verdicts."row" > $1 AND verdicts."row" < $2 AND verdicts.${IS_NOT_SENT}
ORDER BY item_rows.item LIMIT 500`;

const ROWS_OF_ITEM = `
SELECT "row" AS "row", CASE WHEN EXISTS (
  SELECT 1 FROM verdicts WHERE verdicts."row" = item_rows."row" AND ${IS_NOT_SENT}) THEN 1 ELSE 0 END AS invalid
FROM item_rows WHERE item = $1 ORDER BY "row"`;

interface RowOfItem {
  readonly row: number;
  readonly invalid: number;
}

/**
 * Items with rows that must not be sent (invalid, or `not_sent` by another step), until none is left: the caller must unlink
 * these rows from each item.
 */
export async function* itemsOfInvalidRows(db: StoreRunner, run: string): AsyncGenerator<InvalidItem> {
  const { first, end } = idRange((await db.read(() => db.runs.of(run))).number);
  for (;;) {
    const found = await db.read(() => query<{ item: number }>(INVALID_ITEMS, first, end));
    if (found.length === 0) return;
    for (const { item } of found) {
      const rows = await db.read(() => query<RowOfItem>(ROWS_OF_ITEM, item));
      const invalid = rows.filter((it) => it.invalid === 1).map((it) => unpackId(it.row));
      yield { item: unpackId(item), rows: rows.map((it) => unpackId(it.row)), invalid };
    }
  }
}
