import type { KeyHolder } from '../contract/key-holder.js';
import type { Database } from './database.js';
import { runOf } from './ids.js';
import { HOLDER_COLUMNS, HOLDER_JOINS, type HolderLine, toHolder } from './key-holder.js';
import type { RunNumbers } from './run-numbers.js';

/** Changes a row when the key is free or the item's own. */
const CLAIM = `
INSERT INTO item_keys (scope, item_key, item) VALUES (?, ?, ?)
ON CONFLICT (scope, item_key) DO UPDATE SET item = excluded.item WHERE item = excluded.item`;

const HOLDER = `
SELECT ${HOLDER_COLUMNS} FROM item_keys ${HOLDER_JOINS}
WHERE item_keys.scope = ? AND item_keys.item_key = ?`;

const TAKE_OVER = `
INSERT INTO item_keys (scope, item_key, item) VALUES (?, ?, ?)
ON CONFLICT (scope, item_key) DO UPDATE SET
  prior_item = item, prior_kept_json = kept_json, item = excluded.item, kept_json = NULL
WHERE item <> excluded.item`;

const PUT_BACK = `
UPDATE item_keys SET item = prior_item, kept_json = prior_kept_json, prior_item = NULL, prior_kept_json = NULL
WHERE scope = ? AND item_key = ? AND item = ? AND prior_item IS NOT NULL`;

const FORGET_PRIOR = `
UPDATE item_keys SET prior_item = NULL, prior_kept_json = NULL
WHERE scope = ? AND item_key = ? AND prior_item = ?`;

/** A key of a kindred scope, unless the scope itself has had it since. */
const KINDRED_HOLDER = `
SELECT ${HOLDER_COLUMNS} FROM item_keys ${HOLDER_JOINS}
WHERE item_keys.scope = ?1 AND item_keys.item_key = ?2
  AND NOT EXISTS (SELECT 1 FROM item_keys AS own WHERE own.scope = ?3 AND own.item_key = ?2)`;

/**
 * Who may send the items of a key. Within one scope a key belongs to one item at a time, so that of two runs with the
 * same order only one sends it. All methods run inside a transaction.
 */
export class Claims {
  readonly #db: Database;
  readonly #numbers: RunNumbers;

  readonly #abandoned: (run: number) => boolean;

  /**
   * @param abandoned called where a run has only claimed a key: gives its claims back if no process is at work on it,
   * and says whether it did
   */
  constructor(db: Database, numbers: RunNumbers, abandoned: (run: number) => boolean = () => false) {
    this.#db = db;
    this.#numbers = numbers;
    this.#abandoned = abandoned;
  }

  /**
   * The key is the item's when undefined comes back; else another holds it.
   * @param kindred scopes whose keys hold in this one too
   */
  claim(scope: number, key: string, item: number, kindred: readonly number[] = []): KeyHolder | undefined {
    for (const other of kindred) {
      const before = this.#db.get<HolderLine>(KINDRED_HOLDER, other, key, scope);
      if (before) return this.#held(before, scope, key, item, kindred);
    }
    if (this.#db.run(CLAIM, scope, key, item) > 0) return undefined;
    const held = this.#db.get<HolderLine>(HOLDER, scope, key);
    return held && this.#held(held, scope, key, item, kindred);
  }

  #held(
    by: HolderLine,
    scope: number,
    key: string,
    item: number,
    kindred: readonly number[],
  ): KeyHolder | undefined {
    if (by.only_claimed && this.#abandoned(runOf(by.item))) return this.claim(scope, key, item, kindred);
    return toHolder(by, this.#numbers);
  }

  /** The item that holds the key, if it is another one; one that has only claimed it doesn't count. */
  otherHolder(scope: number, key: string, item: number): KeyHolder | undefined {
    const held = this.#db.get<HolderLine>(HOLDER, scope, key);
    return held && held.item !== item && !held.only_claimed ? toHolder(held, this.#numbers) : undefined;
  }

  /** The key is the item's, whoever had it; what another had got through is remembered. */
  takeOver(scope: number, key: string, item: number): void {
    this.#db.run(TAKE_OVER, scope, key, item);
  }

  /** Lets go of a key for good, also where another item has taken it over and might give it back. */
  giveUp(scope: number, key: string, item: number): void {
    this.#db.run(FORGET_PRIOR, scope, key, item);
    this.release(scope, key, item);
  }

  /** Lets go of a key, if it is the item's. */
  release(scope: number, key: string, item: number): void {
    if (this.#db.run(PUT_BACK, scope, key, item) > 0) return;
    this.#db.run('DELETE FROM item_keys WHERE scope = ? AND item_key = ? AND item = ?', scope, key, item);
  }
}
