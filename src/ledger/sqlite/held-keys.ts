import type { HeldItem } from '../contract/key-holder.js';
import { idRange, type RunNumber, runOf } from '../shared/ids.js';
import { type HeldLine, HOLDER_JOINS, NO_SCOPE, toHeld } from '../shared/key-holder.js';
import { pause } from '../shared/pages.js';
import type { Database } from './database.js';
import { HOLDER_COLUMNS, ONLY_CLAIMED } from './key-holder.js';
import type { RunNumbers } from './run-numbers.js';

/** Items looked up at a time; all of them may be held. */
const ITEMS_AT_ONCE = 2000;

const LAST_OF_PAGE = `
SELECT max(id) AS id FROM (SELECT id FROM items WHERE id > ? AND id < ? ORDER BY id LIMIT ?)`;

const PAGE = `
SELECT items.id, items.content AS own_content, ${HOLDER_COLUMNS},
  (SELECT json_group_array("row") FROM item_rows WHERE item_rows.item = items.id) AS rows_json
FROM items CROSS JOIN item_keys ON item_keys.scope = ?1 AND item_keys.item_key = items.item_key
${HOLDER_JOINS}
WHERE items.id > ?2 AND items.id <= ?3 AND NOT (item_keys.item > ?4 AND item_keys.item < ?5)
  AND NOT EXISTS (SELECT 1 FROM item_keys AS own WHERE own.scope = ?6 AND own.item_key = items.item_key)
  AND NOT ${ONLY_CLAIMED}
ORDER BY items.id`;

const WHICH = `
SELECT item_keys.item_key FROM item_keys ${HOLDER_JOINS}
WHERE item_keys.scope IN (SELECT value FROM json_each(?1)) AND item_keys.item_key IN (SELECT value FROM json_each(?2))
  AND NOT ${ONLY_CLAIMED}`;

/** Which of these keys are held within the scopes. */
export function whichHeld(
  db: Database,
  scopes: readonly number[],
  keys: readonly string[],
): ReadonlySet<string> {
  const held = db.all<{ item_key: string }>(WHICH, JSON.stringify(scopes), JSON.stringify(keys));
  return new Set(held.map((it) => it.item_key));
}

/**
 * Items whose key another run holds, page by page: one of the same scope, else of a scope whose keys hold in this one
 * too. Items may be withdrawn while it is read. `catchUp` comes before each page: what has ended meanwhile must not be
 * told as unknown.
 */
export async function* heldKeys(
  db: Database,
  numbers: RunNumbers,
  run: RunNumber,
  catchUp: () => void,
): AsyncGenerator<HeldItem> {
  const { number, scope } = run;
  const kindred = db.read(() => numbers.kindredScopes(run));
  const { first, end } = idRange(number);
  let after = first;
  for (;;) {
    const last = db.read(() => db.get<{ id: number | null }>(LAST_OF_PAGE, after, end, ITEMS_AT_ONCE))?.id;
    if (typeof last !== 'number') return;
    catchUp();
    const page = (of: number, unless: number): readonly HeldLine[] =>
      db.read(() => db.all<HeldLine>(PAGE, of, after, last, first, end, unless));
    const held = page(scope, NO_SCOPE);
    const told = new Set<number>();
    for (const it of [...held, ...kindred.flatMap((other) => page(other, scope))]) {
      if (told.has(it.id)) continue;
      told.add(it.id);
      yield toHeld(it, numbers.name(runOf(it.item)));
    }
    after = last;
    await pause();
  }
}
