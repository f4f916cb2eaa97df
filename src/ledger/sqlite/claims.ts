import type { ItemStatus } from '../../model/outcome.js';
import type { KeyHolder } from '../contract.js';
import type { Database } from './database.js';
import { type HeldKey, type KeyState, toHolder } from './key-holder.js';
import type { RunNumbers } from './run-numbers.js';

/** An item that is about to travel under a key. */
export interface Claimant {
  readonly scope: number;
  readonly key: string;
  readonly item: number;
  readonly row: number;
  readonly content: string;
}

/** Statuses that keep the key: the item had its effect, or may have had it. */
const KEEPS: Readonly<Partial<Record<ItemStatus, KeyState>>> = {
  succeeded: 'succeeded',
  accepted: 'accepted',
  unknown: 'unknown',
};

const CLAIM_FREE = `
INSERT INTO item_keys (scope, item_key, item, "row", content, state) VALUES (?, ?, ?, ?, ?, 'sending')
ON CONFLICT (scope, item_key) DO UPDATE SET state = 'sending' WHERE item = excluded.item`;

/** What another item had got through is put aside, and comes back if this one has no effect after all. */
const TAKE_OVER = `
INSERT INTO item_keys (scope, item_key, item, "row", content, state) VALUES (?, ?, ?, ?, ?, 'sending')
ON CONFLICT (scope, item_key) DO UPDATE SET
  prior_json = iif(item = excluded.item, prior_json, json_object('item', item, 'row', "row", 'content', content,
    'state', state, 'license_order_id', license_order_id)),
  item = excluded.item, "row" = excluded."row", content = excluded.content, state = 'sending',
  license_order_id = NULL`;

const PUT_BACK = `
UPDATE item_keys SET
  item = json_extract(prior_json, '$.item'), "row" = json_extract(prior_json, '$.row'),
  content = json_extract(prior_json, '$.content'), state = json_extract(prior_json, '$.state'),
  license_order_id = json_extract(prior_json, '$.license_order_id'), prior_json = NULL
WHERE scope = ? AND item_key = ? AND item = ? AND prior_json IS NOT NULL`;

/**
 * Who may send the items of a key. Within one scope a key belongs to one item at a time, so that of two runs with the
 * same order only one sends it. All methods run inside a transaction.
 */
export class Claims {
  readonly #db: Database;
  readonly #numbers: RunNumbers;

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  /** The key is the item's when undefined comes back; else another holds it. */
  claim({ scope, key, item, row, content }: Claimant): KeyHolder | undefined {
    if (this.#db.run(CLAIM_FREE, scope, key, item, row, content) > 0) return undefined;
    const held = this.#db.get<HeldKey>(
      `SELECT item, "row" AS "row", content, state, license_order_id FROM item_keys
       WHERE scope = ? AND item_key = ?`,
      scope,
      key,
    );
    return held && toHolder(held, this.#numbers);
  }

  takeOver({ scope, key, item, row, content }: Claimant): void {
    this.#db.run(TAKE_OVER, scope, key, item, row, content);
  }

  /** What the item came to decides whether it keeps its key. */
  settle(scope: number, key: string, item: number, status: ItemStatus, licenseOrderId?: string): void {
    const state = KEEPS[status];
    if (state === undefined) {
      this.release(scope, key, item);
      return;
    }
    const sql =
      'UPDATE item_keys SET state = ?, license_order_id = ? WHERE scope = ? AND item_key = ? AND item = ?';
    this.#db.run(sql, state, licenseOrderId ?? null, scope, key, item);
  }

  /** Lets go of a key, if it is the item's. */
  release(scope: number, key: string, item: number): void {
    if (this.#db.run(PUT_BACK, scope, key, item) > 0) return;
    this.#db.run('DELETE FROM item_keys WHERE scope = ? AND item_key = ? AND item = ?', scope, key, item);
  }
}
