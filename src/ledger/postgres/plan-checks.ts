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
import { lastOfPiece, PIECE } from './pieces.js';

/**
 * Items of a piece whose key stands on others too. First and last item of a key are looked up in the index, for each item:
 * sorting all keys of a large run would be one long statement.
 */
const FIND = `
INSERT INTO plan_repeats (run, first, item)
SELECT $1::bigint, first, id FROM (
  SELECT id,
    (SELECT min(same.id) FROM items AS same
      WHERE same.item_key = items.item_key AND same.id > $2::bigint AND same.id < $3::bigint) AS first,
    (SELECT max(same.id) FROM items AS same
      WHERE same.item_key = items.item_key AND same.id > $2::bigint AND same.id < $3::bigint) AS last
  FROM items WHERE id > $4::bigint AND id <= $5::bigint AND item_key IS NOT NULL) AS piece
WHERE first <> last`;

const LAST_TEXT = `
SELECT max(text) AS last FROM (
  SELECT text FROM merges WHERE run = $1::bigint AND text > $2::text ORDER BY text LIMIT ${PIECE}) AS piece`;

/** Texts of one subject stand together: from the subject with its line end to the next character after that. */
const sameSubject = (of: string): string => `
  SELECT ${of} FROM merges AS same WHERE same.run = $1::bigint
    AND same.text >= piece.subject || chr(10) AND same.text < piece.subject || chr(11)`;

/** Items of one subject and content are one: of those that are left, each says something else. */
const FIND_CONTRADICTIONS = `
INSERT INTO plan_repeats (run, first, item)
SELECT $1::bigint, first, item FROM (
  SELECT item, (${sameSubject('min(same.item)')}) AS first, (${sameSubject('count(*)')}) AS times FROM (
    SELECT item, left(text, position(chr(10) IN text) - 1) AS subject FROM merges
    WHERE run = $1::bigint AND text > $2::text AND text <= $3::text) AS piece) AS found
WHERE times > 1`;

const FIRSTS = `
SELECT max(first) AS last FROM (
  SELECT DISTINCT first FROM plan_repeats WHERE run = $1::bigint AND first > $2::bigint ORDER BY first LIMIT 200) AS page`;

const PAGE = `
SELECT plan_repeats.first, plan_repeats.item, item_rows."row" AS "row"
FROM plan_repeats JOIN item_rows ON item_rows.item = plan_repeats.item
WHERE plan_repeats.run = $1::bigint AND plan_repeats.first > $2::bigint AND plan_repeats.first <= $3::bigint
ORDER BY plan_repeats.first, plan_repeats.item, item_rows."row"`;

const FORGET = 'DELETE FROM plan_repeats WHERE run = $1';

/** Keys that stand on more than one item, in order of first appearance; items may be withdrawn while it is read. */
export function repeatedKeys(db: Database, run: number): AsyncGenerator<RepeatedKey> {
  const { first, end } = idRange(run);
  return repeats(db, run, async () => {
    for (let after = first; ; ) {
      const last = await lastOfPiece(db, 'items', after, end);
      if (last === undefined) return;
      const piece = [run, first, end, after, last];
      await db.transaction((tx) => tx.run(FIND, piece));
      after = last;
    }
  });
}

/** The same for subjects that stand on items of different content. */
export function contradictions(db: Database, run: number): AsyncGenerator<RepeatedKey> {
  return repeats(db, run, async () => {
    for (let after = ''; ; ) {
      const last = (await db.get<{ last: string | null }>(LAST_TEXT, [run, after]))?.last;
      if (typeof last !== 'string') return;
      const piece = [run, after, last];
      await db.transaction((tx) => tx.run(FIND_CONTRADICTIONS, piece));
      after = last;
    }
  });
}

/** What is found stands in a table first: whoever reads withdraws items, and what is left would look like something else. */
async function* repeats(db: Database, run: number, find: () => Promise<void>): AsyncGenerator<RepeatedKey> {
  await db.transaction((tx) => tx.run(FORGET, [run]));
  await find();
  try {
    for (let after = idRange(run).first; ; ) {
      const last = (await db.get<{ last: number | null }>(FIRSTS, [run, after]))?.last;
      if (typeof last !== 'number') return;
      yield* groups(await db.all<RepeatLine>(PAGE, [run, after, last]));
      after = last;
    }
  } finally {
    await db.transaction((tx) => tx.run(FORGET, [run]));
  }
}

const INVALID_ITEMS = `
SELECT DISTINCT item_rows.item FROM verdicts JOIN item_rows ON item_rows."row" = verdicts."row"
WHERE verdicts."row" > $1::bigint AND verdicts."row" < $2::bigint AND verdicts.status IN ('invalid', 'not_sent')
ORDER BY item_rows.item LIMIT 500`;

const ROWS_OF_ITEM = `
SELECT "row" AS "row", (EXISTS (
  SELECT 1 FROM verdicts WHERE verdicts."row" = item_rows."row" AND status IN ('invalid', 'not_sent')))::int AS invalid
FROM item_rows WHERE item = $1 ORDER BY "row"`;

/** Items that rows still have that aren't to be sent (invalid, or `not_sent` by another step), until none is left: whoever reads must take each off its rows or out. */
export async function* itemsOfInvalidRows(db: Database, run: number): AsyncGenerator<InvalidItem> {
  const { first, end } = idRange(run);
  for (;;) {
    const found = await db.all<{ item: number }>(INVALID_ITEMS, [first, end]);
    if (found.length === 0) return;
    for (const { item } of found) yield toInvalidItem(item, await db.all<RowOfItem>(ROWS_OF_ITEM, [item]));
  }
}
