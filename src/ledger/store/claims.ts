import type { KeyHolder } from '../contract/plan.js';
import type { Dialect } from './dialect.js';
import { idRange, type KnownRuns, type RunNumber, runOf } from './ids.js';
import { HOLDER_COLUMNS, HOLDER_JOINS, type HolderLine, toHolder } from './key-holder.js';
import { execute, fileOnly, queryOne, type Store, serverOnly } from './statement.js';

/*
 * Decides which run may send the items of a key. Within one scope a key belongs to one item at a time, so that only one of two
 * runs with the same order sends it. In a file, any run takes a key that is only claimed ahead (sqlite/prefetched-claims.ts):
 * the run whose intent is durable first gets it. On a server the transaction takes the keys of a batch in order.
 */

export interface Claim {
  readonly scope: number;
  readonly key: string;
  readonly item: number;
}

const LOCK = 'SELECT item FROM item_keys WHERE scope = $1 AND item_key = $2 FOR UPDATE';

const HOLDER = ({ onlyClaimed }: Dialect) => `
SELECT ${HOLDER_COLUMNS}, CASE WHEN ${onlyClaimed} THEN 1 END AS only_claimed FROM item_keys ${HOLDER_JOINS}
WHERE item_keys.scope = $1 AND item_keys.item_key = $2`;

type ClaimLine = HolderLine & {
  /** 1 if the key is claimed for an item that was not sent yet. */
  readonly only_claimed: 1 | null;
};

const CLAIM = `
INSERT INTO item_keys (scope, item_key, item) VALUES ($1, $2, $3) ON CONFLICT (scope, item_key) DO NOTHING`;

const TAKE_OVER = `
INSERT INTO item_keys (scope, item_key, item) VALUES ($1, $2, $3)
ON CONFLICT (scope, item_key) DO UPDATE SET prior_item = item_keys.item, prior_kept_json = item_keys.kept_json,
  item = excluded.item, kept_json = NULL
WHERE item_keys.item <> excluded.item`;

const PUT_BACK = `
UPDATE item_keys SET item = prior_item, kept_json = prior_kept_json, prior_item = NULL, prior_kept_json = NULL
WHERE scope = $1 AND item_key = $2 AND item = $3 AND prior_item IS NOT NULL`;

const RELEASE = 'DELETE FROM item_keys WHERE scope = $1 AND item_key = $2 AND item = $3';

const FORGET_PRIOR = `
UPDATE item_keys SET prior_item = NULL, prior_kept_json = NULL
WHERE scope = $1 AND item_key = $2 AND prior_item = $3`;

/** Sets the item that gets the key after its current holder, which was sent and keeps the key until it releases it. */
const WAIT_FOR_HOLDER = `
UPDATE item_keys SET prior_item = $1, prior_kept_json = NULL
WHERE scope = $2 AND item_key = $3 AND item <> $1 AND prior_item IS NULL`;

const BY_ANOTHER = ({
  onlyClaimed,
}: Dialect) => `item_keys ${HOLDER_JOINS} JOIN batch_items ON batch_items.item = item_keys.item
WHERE item_keys.scope = $1 AND item_keys.item_key = $2 AND item_keys.item <> $3 AND ${onlyClaimed}`;

/** Invalidates the claim on an item's batch: a process that relies on it must check its keys first. */
const CONTEST = (dialect: Dialect) => `
INSERT INTO contested_batches (batch) SELECT batch_items.batch FROM ${BY_ANOTHER(dialect)}
ON CONFLICT (batch) DO NOTHING`;

const TAKE_CLAIMED = (dialect: Dialect) => `
DELETE FROM item_keys WHERE scope = $1 AND item_key = $2 AND item IN (SELECT item_keys.item FROM ${BY_ANOTHER(dialect)})`;

/**
 * Runs of an unknown host and runs of known hosts with the same connection name wait for each other. Runs of known hosts don't
 * wait for each other.
 */
const LOCK_RELATED_SCOPES = `
SELECT CASE WHEN scopes.name = runs.connection
  THEN pg_advisory_xact_lock(hashtextextended('keys of ' || runs.connection, 0))
  ELSE pg_advisory_xact_lock_shared(hashtextextended('keys of ' || runs.connection, 0)) END
FROM runs JOIN scopes ON scopes.id = runs.scope WHERE runs.id = $1`;

/**
 * On a server, prevents two processes from claiming a key in related scopes at the same time, which no index forbids. A
 * separate statement before the one that claims, so that the latter sees what another process has claimed.
 */
export function* lockRelatedScopes({ number }: RunNumber): Store<void> {
  yield* serverOnly(LOCK_RELATED_SCOPES, number);
}

/**
 * Claims a key for an item, or returns its holder if that is another item.
 * @param related other scopes whose keys apply, unless the claim's scope has the key itself
 */
export function* claimKey(
  runs: KnownRuns,
  claim: Claim,
  related: readonly number[],
): Store<KeyHolder | undefined> {
  for (;;) {
    const holder = yield* firstHolder(claim, related);
    if (holder)
      return holder.item === claim.item ? undefined : toHolder(holder, yield* runs.name(runOf(holder.item)));
    if ((yield* execute(CLAIM, claim.scope, claim.key, claim.item)) > 0) return undefined;
    // Another process has claimed it since; check its item.
  }
}

/** The holder in the claim's scope, otherwise in a related one. */
function* firstHolder(claim: Claim, related: readonly number[]): Store<ClaimLine | undefined> {
  let first: ClaimLine | undefined;
  for (const scope of [claim.scope, ...related]) first ??= yield* holderWithOutcome({ ...claim, scope });
  return first;
}

/**
 * The current holder of a key; on a server locked until the transaction ends. Two statements, because the first may wait for a
 * process that changes the key, and only the second sees what that process wrote. In a file, a key that another item has only
 * claimed ahead is taken from it.
 */
function* holderWithOutcome({ scope, key, item }: Claim): Store<ClaimLine | undefined> {
  if ((yield* serverOnly(LOCK, scope, key)) === 0) return undefined;
  const held = yield* queryOne<ClaimLine>(HOLDER, scope, key);
  if (!held?.only_claimed || held.item === item) return held;
  yield* takeClaimed({ scope, key, item });
  return undefined;
}

/** Takes a key from another item that has only claimed it. */
function* takeClaimed({ scope, key, item }: Claim): Store<void> {
  yield* fileOnly(CONTEST, scope, key, item);
  yield* fileOnly(TAKE_CLAIMED, scope, key, item);
}

/**
 * Gives the key to an item because of its known outcome: at once, or when another item that was sent with the same key releases
 * it. An item that was not sent yet loses the key.
 * @param related other scopes whose keys apply; needed in a file, where keys are claimed ahead
 */
export function* keepKey(claim: Claim, related: readonly number[] = []): Store<void> {
  const { scope, key, item } = claim;
  for (const each of [scope, ...related]) yield* takeClaimed({ ...claim, scope: each });
  if ((yield* execute(CLAIM, scope, key, item)) > 0) return;
  yield* execute(WAIT_FOR_HOLDER, item, scope, key);
}

/** Gives the key to the item; the previous holder is remembered as `prior_item`. */
export function* takeOverKey({ scope, key, item }: Claim): Store<void> {
  yield* execute(TAKE_OVER, scope, key, item);
}

/** Releases a key permanently, even if another item has taken it over and might give it back. */
export function* giveUpKey(claim: Claim): Store<void> {
  yield* execute(FORGET_PRIOR, claim.scope, claim.key, claim.item);
  yield* releaseKey(claim);
}

const CLAIMS = 'unnest($1::bigint[], $2::text[], $3::bigint[]) AS released (scope, key, item)';
const IS_RELEASED = 'item_keys.scope = released.scope AND item_keys.item_key = released.key';

/** Locks the keys in order first, like every transaction that locks several. */
const LOCK_ALL = `
SELECT 1 AS locked FROM item_keys JOIN ${CLAIMS} ON ${IS_RELEASED}
ORDER BY item_keys.scope, item_keys.item_key FOR UPDATE OF item_keys`;

const GIVE_UP_ALL = [
  `UPDATE item_keys SET prior_item = NULL, prior_kept_json = NULL FROM ${CLAIMS}
   WHERE ${IS_RELEASED} AND item_keys.prior_item = released.item`,
  `UPDATE item_keys SET item = prior_item, kept_json = prior_kept_json, prior_item = NULL, prior_kept_json = NULL
   FROM ${CLAIMS} WHERE ${IS_RELEASED} AND item_keys.item = released.item AND item_keys.prior_item IS NOT NULL`,
  `DELETE FROM item_keys USING ${CLAIMS} WHERE ${IS_RELEASED} AND item_keys.item = released.item`,
];

/** `giveUpKey` for many claims; on a server in a few statements. */
export function* giveUpKeys(claims: readonly Claim[]): Store<void> {
  if (claims.length === 0) return;
  const columns = [claims.map((it) => it.scope), claims.map((it) => it.key), claims.map((it) => it.item)];
  if ((yield* serverOnly(LOCK_ALL, ...columns)) === undefined) for (const it of claims) yield* giveUpKey(it);
  for (const sql of GIVE_UP_ALL) yield* serverOnly(sql, ...columns);
}

/** Releases a key if the item has it. */
export function* releaseKey({ scope, key, item }: Claim): Store<void> {
  if ((yield* execute(PUT_BACK, scope, key, item)) > 0) return;
  yield* execute(RELEASE, scope, key, item);
}

/** Items with a key, of batches after `after` and up to `last` that were never tried. */
export const untriedItems = (after: string, last: string): string => `
SELECT items.item_key, items.id AS item, batches.id AS batch
FROM batches
CROSS JOIN batch_items ON batch_items.batch = batches.id
CROSS JOIN items ON items.id = batch_items.item
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE batches.id > ${after} AND batches.id <= ${last} AND batches.done = 0 AND items.item_key IS NOT NULL
  AND outcomes.status IS NULL AND NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = batches.id)
  AND NOT EXISTS (SELECT 1 FROM attempts_begun WHERE attempts_begun.batch = batches.id)`;

const prefetched = (column: string): string => `(SELECT ${column} FROM claims_ahead WHERE run = $1)`;

const RELEASE_PREFETCHED = `
WITH unsent AS MATERIALIZED (${untriedItems(prefetched('after_batch'), prefetched('last_batch'))})
DELETE FROM item_keys
WHERE scope = (SELECT scope FROM runs WHERE id = $1) AND item_key IN (SELECT item_key FROM unsent)
  AND item IN (SELECT item FROM unsent) AND prior_item IS NULL`;

/** Releases keys that any process claimed ahead for items of a run that never began. The journal must be compacted. */
export function* releasePrefetched(run: number): Store<void> {
  yield* fileOnly(RELEASE_PREFETCHED, run);
  yield* fileOnly('DELETE FROM claims_ahead WHERE run = $1', run);
  // Only now, when no intent can rely on the claim.
  const { first, end } = idRange(run);
  yield* fileOnly('DELETE FROM contested_batches WHERE batch > $1 AND batch < $2', first, end);
}
