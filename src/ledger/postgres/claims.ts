import type { KeyHolder } from '../contract/key-holder.js';
import { type RunNumber, runOf } from '../shared/ids.js';
import { HOLDER_JOINS, type HolderLine, toHolder } from '../shared/key-holder.js';
import { HOLDER_COLUMNS } from './key-holder.js';
import type { Queryable } from './transaction.js';

const CLAIM = `
INSERT INTO item_keys (scope, item_key, item) VALUES ($1, $2, $3) ON CONFLICT (scope, item_key) DO NOTHING`;

const LOCK = 'SELECT item FROM item_keys WHERE scope = $1 AND item_key = $2 FOR UPDATE';

const HOLDER = `
SELECT ${HOLDER_COLUMNS} FROM item_keys ${HOLDER_JOINS}
WHERE item_keys.scope = $1 AND item_keys.item_key = $2`;

const NAME = 'SELECT name FROM runs WHERE id = $1';

const TAKE_OVER = `
INSERT INTO item_keys (scope, item_key, item) VALUES ($1, $2, $3)
ON CONFLICT (scope, item_key) DO UPDATE SET prior_item = item_keys.item, prior_kept_json = item_keys.kept_json,
  item = excluded.item, kept_json = NULL
WHERE item_keys.item <> excluded.item`;

const PUT_BACK = `
UPDATE item_keys SET item = prior_item, kept_json = prior_kept_json, prior_item = NULL, prior_kept_json = NULL
WHERE scope = $1 AND item_key = $2 AND item = $3 AND prior_item IS NOT NULL`;

const LET_GO = 'DELETE FROM item_keys WHERE scope = $1 AND item_key = $2 AND item = $3';

const FORGET_PRIOR = `
UPDATE item_keys SET prior_item = NULL, prior_kept_json = NULL
WHERE scope = $1 AND item_key = $2 AND prior_item = $3`;

/** The same of many; they are locked in their order first, as by all who lock several. */
const GIVEN_UP = 'unnest($1::bigint[], $2::text[], $3::bigint[]) AS let (scope, key, item)';
const IS_GIVEN_UP = 'item_keys.scope = let.scope AND item_keys.item_key = let.key';
const LOCK_ALL = `
SELECT 1 AS one FROM item_keys JOIN ${GIVEN_UP} ON ${IS_GIVEN_UP}
ORDER BY item_keys.scope, item_keys.item_key FOR UPDATE OF item_keys`;
const FORGET_ALL = `
UPDATE item_keys SET prior_item = NULL, prior_kept_json = NULL FROM ${GIVEN_UP}
WHERE ${IS_GIVEN_UP} AND item_keys.prior_item = let.item`;
const PUT_ALL_BACK = `
UPDATE item_keys SET item = prior_item, kept_json = prior_kept_json, prior_item = NULL, prior_kept_json = NULL
FROM ${GIVEN_UP} WHERE ${IS_GIVEN_UP} AND item_keys.item = let.item AND item_keys.prior_item IS NOT NULL`;
const LET_ALL_GO = `DELETE FROM item_keys USING ${GIVEN_UP} WHERE ${IS_GIVEN_UP} AND item_keys.item = let.item`;

/** Who holds the key by what it sent has it until it lets go. */
const STAND_BEHIND = `
UPDATE item_keys SET prior_item = $1, prior_kept_json = NULL
WHERE scope = $2 AND item_key = $3 AND item <> $1 AND prior_item IS NULL`;

/**
 * Runs whose host isn't known keep those of known hosts of their connection's name waiting, and they them; those don't wait
 * for each other.
 */
const LOCK_KINDRED = `
SELECT CASE WHEN scopes.name = runs.connection
  THEN pg_advisory_xact_lock(hashtextextended('keys of ' || runs.connection, 0))
  ELSE pg_advisory_xact_lock_shared(hashtextextended('keys of ' || runs.connection, 0)) END
FROM runs JOIN scopes ON scopes.id = runs.scope WHERE runs.id = $1`;

/**
 * Who may send the items of a key. Within one scope a key belongs to one item at a time, so that of two runs with the
 * same order only one sends it. All methods run inside a transaction, which takes the keys of a batch in their order.
 */
export class Claims {
  /** Names of runs by their numbers; they never change. */
  readonly #names = new Map<number, string>();

  /**
   * The key is the item's when undefined comes back; else another holds it.
   * @param kindred scopes whose keys hold in this one too, unless this one has them itself
   */
  async claim(
    tx: Queryable,
    { scope, key, item }: Claim,
    kindred: readonly number[],
  ): Promise<KeyHolder | undefined> {
    const own = await this.#locked(tx, scope, key);
    if (own) return own.item === item ? undefined : this.#told(tx, own);
    for (const other of kindred) {
      const theirs = await this.#locked(tx, other, key);
      if (theirs) return theirs.item === item ? undefined : this.#told(tx, theirs);
    }
    // Another one may have claimed it since: then that one is looked at.
    if ((await tx.run(CLAIM, [scope, key, item])) > 0) return undefined;
    return this.claim(tx, { scope, key, item }, kindred);
  }

  /**
   * The key is the item's by what is known to have come of it: at once, or as soon as another one that has sent the same
   * lets go of it.
   */
  async keep(tx: Queryable, { scope, key, item }: Claim): Promise<void> {
    if ((await tx.run(CLAIM, [scope, key, item])) > 0) return;
    await tx.run(STAND_BEHIND, [item, scope, key]);
  }

  /** The item that holds the key, if it is another one. */
  async otherHolder(tx: Queryable, { scope, key, item }: Claim): Promise<KeyHolder | undefined> {
    const held = await tx.get<HolderLine>(HOLDER, [scope, key]);
    return held && held.item !== item ? this.#told(tx, held) : undefined;
  }

  /** The key is the item's, whoever had it; what another had got through is remembered. */
  async takeOver(tx: Queryable, { scope, key, item }: Claim): Promise<void> {
    await tx.run(TAKE_OVER, [scope, key, item]);
  }

  /** Lets go of a key for good, also where another item has taken it over and might give it back. */
  async giveUp(tx: Queryable, claim: Claim): Promise<void> {
    await tx.run(FORGET_PRIOR, [claim.scope, claim.key, claim.item]);
    await this.release(tx, claim);
  }

  /** `giveUp` of many. */
  async giveUpAll(tx: Queryable, claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    const each = [claims.map((it) => it.scope), claims.map((it) => it.key), claims.map((it) => it.item)];
    for (const sql of [LOCK_ALL, FORGET_ALL, PUT_ALL_BACK, LET_ALL_GO]) await tx.run(sql, each);
  }

  /** Lets go of a key, if it is the item's. */
  async release(tx: Queryable, { scope, key, item }: Claim): Promise<void> {
    if ((await tx.run(PUT_BACK, [scope, key, item])) > 0) return;
    await tx.run(LET_GO, [scope, key, item]);
  }

  /**
   * The holder as it is now; it stays so until the transaction ends. Two statements: the first one may wait for whoever
   * changes the key, and only the second sees what that wrote beside it.
   */
  async #locked(tx: Queryable, scope: number, key: string): Promise<HolderLine | undefined> {
    if (!(await tx.get(LOCK, [scope, key]))) return undefined;
    return tx.get<HolderLine>(HOLDER, [scope, key]);
  }

  async #told(tx: Queryable, held: HolderLine): Promise<KeyHolder> {
    const run = runOf(held.item);
    const name = this.#names.get(run) ?? (await tx.get<{ name: string }>(NAME, [run]))?.name ?? String(run);
    this.#names.set(run, name);
    return toHolder(held, name);
  }
}

export interface Claim {
  readonly scope: number;
  readonly key: string;
  readonly item: number;
}

/**
 * Nobody claims a key in one scope while another claims it in a kindred one: no index of the tables forbids that. Comes
 * before what claims, as a statement of its own, so that this sees what the other has claimed.
 */
export async function lockKindred(tx: Queryable, run: RunNumber): Promise<void> {
  await tx.get(LOCK_KINDRED, [run.number]);
}
