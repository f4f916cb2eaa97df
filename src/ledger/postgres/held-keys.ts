import type { HeldItem } from '../contract/key-holder.js';
import { idRange, runOf } from '../shared/ids.js';
import { type HeldLine, HOLDER_JOINS, NO_SCOPE, toHeld } from '../shared/key-holder.js';
import type { Database } from './database.js';
import { HOLDER_COLUMNS } from './key-holder.js';
import { lastOfPiece, lookUp } from './pieces.js';
import type { RunNumbers } from './run-numbers.js';
import { rowsOf } from './unknown-items.js';

/** $1: scopes whose keys hold for the run; $6: a scope that, where it has the key itself, is the one to tell of. */
const PIECE = `
SELECT items.id, items.content AS own_content, ${HOLDER_COLUMNS}, ${rowsOf('items.id')} AS rows_json
FROM items ${lookUp('item_keys', 'item_keys.scope = $1::bigint AND item_keys.item_key = items.item_key')}
${HOLDER_JOINS}
WHERE items.id > $2::bigint AND items.id <= $3::bigint AND NOT (item_keys.item > $4::bigint AND item_keys.item < $5::bigint)
  AND NOT EXISTS (SELECT 1 FROM item_keys AS own WHERE own.scope = $6::bigint AND own.item_key = items.item_key)
ORDER BY items.id`;

/**
 * Items whose key another run holds, piece by piece: one of the same scope, else of a scope whose keys hold in this one
 * too. Items may be withdrawn while it is read.
 *
 * A key is told as it is when its piece is read. One that another process claims later isn't; its item is withheld when
 * this run is about to send it.
 */
export async function* heldKeys(db: Database, numbers: RunNumbers, run: string): AsyncGenerator<HeldItem> {
  const at = await numbers.of(run);
  const kindred = await numbers.kindredScopes(at);
  const { first, end } = idRange(at.number);
  for (let after = first; ; ) {
    const last = await lastOfPiece(db, 'items', after, end);
    if (last === undefined) return;
    const told = new Set<number>();
    for (const scope of [at.scope, ...kindred]) {
      const unless = scope === at.scope ? NO_SCOPE : at.scope;
      for (const it of await db.all<HeldLine>(PIECE, [scope, after, last, first, end, unless])) {
        if (told.has(it.id)) continue;
        told.add(it.id);
        yield toHeld(it, await numbers.name(runOf(it.item)));
      }
    }
    after = last;
  }
}
