import { randomInt } from 'node:crypto';
import { idRange, type RunNumber } from '../shared/ids.js';
import type { Database } from './database.js';
import type { RunNumbers } from './run-numbers.js';

/*
 * Keys are claimed for many batches at once, before these may leave (when: group-commit.ts): one statement for a
 * thousand items instead of one for each, with their pages written once. A claim is no intent, and binds nobody but its
 * own run:
 * - whoever plans doesn't see it: nothing has happened to the items;
 * - whoever needs such a key - another run that is about to send it, or somebody who settles what an earlier one came
 *   to - takes it (claims.ts), and marks the batch as contested in the same transaction, whether its process lives or not;
 * - what is left of it is given back when the stage ends, or is begun anew.
 *
 * Danger: a process would send what another one holds since. So each claim bears a random token, and an intent that
 * relies on the claim is written only where the token still stands and the batch isn't contested (attempt-journal.ts).
 *
 * Only keys that are free are claimed here. A batch of which any key is held, by whomever, is contested, too: it is
 * looked at when its turn comes; then its holder may have let go, or must be told in the row (attempt-writer.ts).
 */

/** Items whose keys are claimed at once. */
const ITEMS_AHEAD = 2000;
const TOKENS = 2 ** 47;

/** The batch of the last item of the next so many. */
const LAST_AHEAD = `
SELECT max(batch) AS batch FROM (SELECT batch FROM batch_items WHERE batch > ? AND batch < ? ORDER BY batch LIMIT ?)`;

/** Items of batches in (?2, ?3] that were never tried and have a key. */
const UNTRIED = `
SELECT items.item_key, items.id AS item, batches.id AS batch
FROM batches
CROSS JOIN batch_items ON batch_items.batch = batches.id
CROSS JOIN items ON items.id = batch_items.item
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE batches.id > ?2 AND batches.id <= ?3 AND batches.done = 0 AND items.item_key IS NOT NULL
  AND outcomes.status IS NULL AND NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = batches.id)
  AND NOT EXISTS (SELECT 1 FROM attempts_begun WHERE attempts_begun.batch = batches.id)`;

/** ?4: the scopes whose keys hold in this one too, as a JSON array. */
const CLAIM = `
INSERT INTO item_keys (scope, item_key, item)
SELECT ?1, item_key, item FROM (${UNTRIED}) AS untried
WHERE NOT EXISTS (SELECT 1 FROM json_each(?4) AS kindred
  JOIN item_keys AS theirs ON theirs.scope = kindred.value AND theirs.item_key = untried.item_key)
ORDER BY item_key
ON CONFLICT (scope, item_key) DO NOTHING`;

/** Batches of which a key could not be claimed. */
const CONTEST = `
INSERT INTO contested_batches (batch)
SELECT DISTINCT untried.batch FROM (${UNTRIED}) AS untried
LEFT JOIN item_keys ON item_keys.scope = ?1 AND item_keys.item_key = untried.item_key
WHERE item_keys.item IS NOT untried.item
ON CONFLICT (batch) DO NOTHING`;

const KEEP = `
INSERT INTO claims_ahead (run, token, after_batch, last_batch) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (run) DO UPDATE SET token = excluded.token, after_batch = excluded.after_batch,
  last_batch = excluded.last_batch`;

const GIVE_BACK = `
WITH unsent AS MATERIALIZED (${UNTRIED})
DELETE FROM item_keys
WHERE scope = ?1 AND item_key IN (SELECT item_key FROM unsent) AND item IN (SELECT item FROM unsent)
  AND prior_item IS NULL`;

/** What this process holds for a run. */
interface Held {
  readonly token: number;
  readonly run: RunNumber;
  readonly after: number;
  last: number;
  /** Once this batch is begun it is time to claim further. */
  further: number;
}

/**
 * Lets go of the keys of all that was claimed for a run and never begun, by whatever process. Runs inside a transaction,
 * with all that was appended folded.
 */
export function giveBackClaims(db: Database, run: number): void {
  const claim = db.get<{ scope: number; after_batch: number; last_batch: number }>(
    'SELECT scope, after_batch, last_batch FROM claims_ahead JOIN runs ON runs.id = run WHERE run = ?',
    run,
  );
  if (claim) {
    db.run(GIVE_BACK, claim.scope, claim.after_batch, claim.last_batch);
    db.run('DELETE FROM claims_ahead WHERE run = ?', run);
  }
  // Only now that no intent can rely on the claim.
  const { first, end } = idRange(run);
  db.run('DELETE FROM contested_batches WHERE batch > ? AND batch < ?', first, end);
}

/** The claims of this process. All methods but `tokenFor` run inside a transaction. */
export class ClaimsAhead {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #held = new Map<number, Held>();
  readonly #due = new Set<Held>();

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  /** By what the keys of a batch are claimed; whether they still are is told by the ledger. */
  tokenFor(run: number, batch: number): number | undefined {
    const held = this.#held.get(run);
    if (!held || batch <= held.after || batch > held.last) return undefined;
    if (batch >= held.further) this.#due.add(held);
    return held.token;
  }

  /** The claim of some run reaches not much further than what it has begun. */
  get isDue(): boolean {
    return this.#due.size > 0;
  }

  /** Claims further for the runs that are due. */
  further(): void {
    const due = [...this.#due];
    this.#due.clear();
    for (const held of due) {
      if (this.#stands(held)) this.#claim(held, held.last);
    }
  }

  /** What another process has left claimed of the run is given back, before this one claims anything of it. */
  clear(run: RunNumber): void {
    const held = this.#held.get(run.number);
    if (!held || !this.#stands(held)) this.giveBack(run.number);
  }

  /** Sees to it that the batches after this one are claimed. */
  after(run: RunNumber, batch: number): void {
    const held = this.#held.get(run.number);
    if (held && batch <= held.last) return;
    // Beyond what is claimed it is begun anew: else batches between would pass for claimed.
    if (held) this.giveBack(run.number);
    const fresh = { token: randomInt(1, TOKENS), run, after: batch, last: batch, further: batch };
    this.#held.set(run.number, fresh);
    this.#claim(fresh, batch);
  }

  giveBack(run: number): void {
    this.#held.delete(run);
    giveBackClaims(this.#db, run);
  }

  /** False where the claim was given back meanwhile, or its transaction was undone. */
  #stands(held: Held): boolean {
    const { token, run } = held;
    const sql = 'SELECT 1 FROM claims_ahead WHERE run = ? AND token = ? AND last_batch >= ?';
    if (this.#db.get(sql, run.number, token, held.last)) return true;
    if (this.#held.get(run.number) === held) this.#held.delete(run.number);
    return false;
  }

  /** Claims the keys of the batches after one, as far as they are free. */
  #claim(held: Held, after: number): void {
    const { number, scope } = held.run;
    const { end } = idRange(number);
    const last = this.#db.get<{ batch: number | null }>(LAST_AHEAD, after, end, ITEMS_AHEAD)?.batch;
    // Beyond the last batch nothing is to be claimed any more.
    const upTo = last ?? end - 1;
    const kindred = JSON.stringify(this.#numbers.kindredScopes(held.run));
    this.#db.run(CLAIM, scope, after, upTo, kindred);
    this.#db.run(CONTEST, scope, after, upTo);
    this.#db.run(KEEP, number, held.token, held.after, upTo);
    held.last = upTo;
    held.further = last === null || last === undefined ? end : after + Math.floor((upTo - after) / 2);
  }
}
