import type { HeldItem } from '../contract/plan.js';
import { chunksOf } from './chunks.js';
import type { Dialect } from './dialect.js';
import { idRange, type KnownRuns, runOf } from './ids.js';
import { type HeldLine, HOLDER_COLUMNS, HOLDER_JOINS, NO_SCOPE, toHeld } from './key-holder.js';
import type { StoreRunner } from './runner.js';
import { query, type Store } from './statement.js';
import { rowsOf } from './unknown-items.js';

/** Items looked up at a time. */
const ITEMS_AT_ONCE = 2000;

/** $1: a scope whose keys apply to the run; $6: a scope that takes precedence if it has the key. */
const PAGE = (dialect: Dialect) => `
SELECT items.id, items.content AS own_content, ${HOLDER_COLUMNS}, ${rowsOf(dialect, 'items.id')} AS rows_json
FROM items ${dialect.join('item_keys', 'item_keys.scope = $1 AND item_keys.item_key = items.item_key')}
${HOLDER_JOINS}
WHERE items.id > $2 AND items.id <= $3 AND NOT (item_keys.item > $4 AND item_keys.item < $5)
  AND NOT EXISTS (SELECT 1 FROM item_keys AS own WHERE own.scope = $6 AND own.item_key = items.item_key)
  AND NOT ${dialect.onlyClaimed}
ORDER BY items.id`;

const WHICH = ({ in: among, onlyClaimed }: Dialect) => `
SELECT item_keys.item_key AS key FROM item_keys ${HOLDER_JOINS}
WHERE item_keys.scope ${among('$1', 'bigint')} AND item_keys.item_key ${among('$2', 'text')} AND NOT ${onlyClaimed}`;

/** See `SqlPlanStore.whichHeld`. */
export function* whichHeld(
  runs: KnownRuns,
  run: string,
  keys: readonly string[],
): Store<ReadonlySet<string>> {
  const held = yield* query<{ key: string }>(WHICH, yield* runs.scopes(run), keys);
  return new Set(held.map((it) => it.key));
}

/**
 * Items whose key another run has, in pages: a run of the same scope, otherwise of a related scope. Items may be withdrawn
 * while it is read.
 *
 * A key is reported with its state when its page is read. If another process claims a key later, the item is withheld before
 * it is sent.
 */
export async function* heldKeys(db: StoreRunner, run: string): AsyncGenerator<HeldItem> {
  const { runs } = db;
  const scopes = await db.read(() => runs.scopes(run));
  const { number } = await db.read(() => runs.of(run));
  const range = idRange(number);
  for await (const chunk of chunksOf(db, 'items', range, ITEMS_AT_ONCE))
    yield* await db.read(() => heldOf(runs, scopes, { ...chunk, ...range }), 'outcomes');
}

function* heldOf(
  runs: KnownRuns,
  scopes: readonly number[],
  { after, last, first, end }: Readonly<Record<'after' | 'last' | 'first' | 'end', number>>,
): Store<readonly HeldItem[]> {
  const found = new Map<number, HeldItem>();
  for (const [at, scope] of scopes.entries()) {
    const unless = at === 0 ? NO_SCOPE : scopes[0];
    for (const line of yield* query<HeldLine>(PAGE, scope, after, last, first, end, unless))
      if (!found.has(line.id)) found.set(line.id, toHeld(line, yield* runs.name(runOf(line.item))));
  }
  return [...found.values()];
}
