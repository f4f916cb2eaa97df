import type { KeyHolder } from '../contract/key-holder.js';
import { runOf } from '../shared/ids.js';
import { HOLDER_JOINS, toHolder } from '../shared/key-holder.js';
import type { Database } from './database.js';
import { type ClaimLine, HOLDER_COLUMNS } from './key-holder.js';
import type { RunNumbers } from './run-numbers.js';

const CLAIM = 'INSERT INTO item_keys (scope, item_key, item) VALUES (?, ?, ?)';

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

/** Makes the claim on the batch of an item unusable: whoever relies on it must look at its keys first. */
const CONTEST = `
INSERT INTO contested_batches (batch) SELECT batch FROM batch_items WHERE item = ?
ON CONFLICT (batch) DO NOTHING`;

/** Who holds the key by what it sent has it until it lets go. */
const STAND_BEHIND = `
UPDATE item_keys SET prior_item = ?1, prior_kept_json = NULL
WHERE scope = ?2 AND item_key = ?3 AND item <> ?1 AND prior_item IS NULL`;

/**
 * Who may send the items of a key. Within one scope a key belongs to one item at a time, so that of two runs with the
 * same order only one sends it. A key that is only claimed (claims-ahead.ts) is taken by whoever needs it: of two runs
 * the one has it whose intent is durable first. All methods run inside a transaction.
 */
export class Claims {
  readonly #db: Database;
  readonly #numbers: RunNumbers;

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  /**
   * The key is the item's when undefined comes back; else another holds it.
   * @param kindred scopes whose keys hold in this one too, unless this one has them itself
   */
  claim(scope: number, key: string, item: number, kindred: readonly number[]): KeyHolder | undefined {
    const [own, ...elsewhere] = [scope, ...kindred].map((it) => this.#holderBesideClaims(it, key, item));
    const holder = own ?? elsewhere.find((it) => it !== undefined);
    if (holder && holder.item !== item) return toHolder(holder, this.#numbers.name(runOf(holder.item)));
    if (!holder) this.#db.run(CLAIM, scope, key, item);
    return undefined;
  }

  /**
   * The key is the item's by what is known to have come of it: at once, or as soon as another one that has sent the same
   * lets go of it. Where nothing of the other has left yet, it doesn't.
   */
  keep(scope: number, key: string, item: number, kindred: readonly number[]): void {
    const [own] = [scope, ...kindred].map((it) => this.#holderBesideClaims(it, key, item));
    if (own) this.#db.run(STAND_BEHIND, item, scope, key);
    else this.#db.run(CLAIM, scope, key, item);
  }

  /** Whoever holds a key in a scope. What another one has only claimed is taken from it. */
  #holderBesideClaims(scope: number, key: string, item: number): ClaimLine | undefined {
    const held = this.#db.get<ClaimLine>(HOLDER, scope, key);
    if (!held?.only_claimed || held.item === item) return held;
    this.#db.run(CONTEST, held.item);
    this.#db.run(
      'DELETE FROM item_keys WHERE scope = ? AND item_key = ? AND item = ?',
      scope,
      key,
      held.item,
    );
    return undefined;
  }

  /** The item that holds the key, if it is another one; one that has only claimed it doesn't count. */
  otherHolder(scope: number, key: string, item: number): KeyHolder | undefined {
    const held = this.#db.get<ClaimLine>(HOLDER, scope, key);
    return held && held.item !== item && !held.only_claimed
      ? toHolder(held, this.#numbers.name(runOf(held.item)))
      : undefined;
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
