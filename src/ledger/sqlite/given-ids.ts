import type { AttemptEnd } from '../contract/attempt.js';
import type { Settlement } from '../contract/resolutions.js';
import { type GivenTwice, givenTwiceAtOnce, withoutIdsOfOthers } from '../rules/given-ids.js';
import { packId, type RunNumber, runOf, unpackId } from '../shared/ids.js';
import type { Database } from './database.js';
import type { RunNumbers } from './run-numbers.js';

const TAKE = 'INSERT INTO given_ids (owner, id, item) VALUES (?, ?, ?) ON CONFLICT (owner, id) DO NOTHING';

const WITHDRAW = 'DELETE FROM given_ids WHERE owner = ? AND id = ? AND item = ?';

const HOLDER = `
SELECT given_ids.item, holders.first_row,
  own.item_key IS NOT NULL AND (holders.item_key = own.item_key OR holders.content = own.content OR EXISTS (
    SELECT 1 FROM item_keys WHERE item_keys.item_key = own.item_key
      AND (item_keys.item = given_ids.item OR item_keys.prior_item = given_ids.item))) AS same
FROM given_ids JOIN items AS own ON own.id = ?3 LEFT JOIN items AS holders ON holders.id = given_ids.item
WHERE given_ids.owner = ?1 AND given_ids.id = ?2`;

/** Ids that a platform gave to items. Each belongs to one of them. Runs inside the transaction that writes the outcomes. */
export class IdRegister {
  readonly #db: Database;
  readonly #numbers: RunNumbers;

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  /** Registers the ids of an attempt's items; items that were given an id of another one become unknown. */
  register(end: AttemptEnd): AttemptEnd {
    const { given } = end;
    if (!given) return end;
    const { number, scope } = this.#numbers.of(end.run);
    const twice: GivenTwice[] = givenTwiceAtOnce(end).map(({ other, ...it }) => ({
      ...it,
      other: { run: end.run, row: this.#rowOf(packId(number, other)) },
    }));
    for (const { item, ids } of given.items) {
      for (const id of ids) {
        const other =
          this.#take(number, id, packId(number, item)) ??
          (given.acrossRuns ? this.#take(-scope, id, packId(number, item)) : undefined);
        if (other) twice.push({ item, id, other });
      }
    }
    return withoutIdsOfOthers(end, twice);
  }

  /** Registers what a person found out. The id of another item stays with that one. */
  settle({ number, scope }: RunNumber, item: number, ids: NonNullable<Settlement['ids']>): void {
    for (const owner of ids.acrossRuns ? [number, -scope] : [number]) {
      for (const id of ids.withdrawn) this.#db.run(WITHDRAW, owner, id, item);
      for (const id of ids.given) this.#db.run(TAKE, owner, id, item);
    }
  }

  /** Who has the id, if another item does. A platform may well give one id again to the same order. */
  #take(owner: number, id: string, item: number): GivenTwice['other'] | undefined {
    if (this.#db.run(TAKE, owner, id, item) > 0) return undefined;
    const found = this.#db.get<{ item: number; first_row: number | null; same: number }>(
      HOLDER,
      owner,
      id,
      item,
    );
    if (!found || found.item === item || (owner < 0 && found.same === 1)) return undefined;
    const run = this.#numbers.name(runOf(found.item));
    return found.first_row === null ? { run } : { run, row: unpackId(found.first_row) };
  }

  #rowOf(item: number): number {
    const found = this.#db.get<{ first_row: number }>('SELECT first_row FROM items WHERE id = ?', item);
    return unpackId(found?.first_row ?? 0);
  }
}
