import { randomInt } from 'node:crypto';
import { releasePrefetched, untriedItems } from '../store/claims.js';
import { idRange, type RunNumber } from '../store/ids.js';
import type { Database } from './database.js';
import { executeStore } from './execute-store.js';
import type { RunNumbers } from './runner.js';

/*
 * Keys are claimed for many batches before they are sent (when: group-commit.ts): one statement for a thousand items
 * instead of one for each, with their pages written once. A claim is not an intent and has no effect on other runs:
 * - planning ignores it, because nothing has happened to the items;
 * - another run that is about to send such a key, or a resolution of an earlier item, takes the key (store/claims.ts) and
 *   marks the batch as contested in the same transaction, whether the claiming process is running or not;
 * - remaining claims are released when the stage ends or starts again.
 *
 * Danger: a process sends a key that another one has taken since. So each claim has a random token, and an intent that
 * relies on the claim is written only if the token is still valid and the batch isn't contested (attempt-journal.ts).
 *
 * Only free keys are claimed here. A batch with a key that any other item has is contested, too: it is checked in full
 * before it is sent. By then the key may be free, or its holder is reported in the row (attempt-writer.ts).
 */

/** Items whose keys are claimed at once. */
const ITEMS_AHEAD = 2000;
const TOKENS = 2 ** 47;

/** The batch of the last of the next items. */
const LAST_AHEAD = `
SELECT max(batch) AS batch FROM (SELECT batch FROM batch_items WHERE batch > ? AND batch < ? ORDER BY batch LIMIT ?)`;

const UNTRIED = untriedItems('?2', '?3');

/** ?4: related scopes as a JSON array. */
const CLAIM = `
INSERT INTO item_keys (scope, item_key, item)
SELECT ?1, item_key, item FROM (${UNTRIED}) AS untried
WHERE NOT EXISTS (SELECT 1 FROM json_each(?4) AS related
  JOIN item_keys AS theirs ON theirs.scope = related.value AND theirs.item_key = untried.item_key)
ORDER BY item_key
ON CONFLICT (scope, item_key) DO NOTHING`;

/** Batches with a key that could not be claimed. */
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

/** A claim of this process for a run: keys of the batches from `after` (excluded) to `last`. */
interface Held {
  readonly token: number;
  readonly run: RunNumber;
  readonly after: number;
  last: number;
  /** When this batch begins, the next ones are claimed. */
  claimMoreAt: number;
}

/** The claims of this process. All methods but `tokenFor` run inside a transaction. */
export class PrefetchedClaims {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #held = new Map<number, Held>();
  readonly #due = new Set<Held>();

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  /** The token of the claim of a batch's keys. Whether it is still valid must be checked in the ledger. */
  tokenFor(run: number, batch: number): number | undefined {
    const held = this.#held.get(run);
    if (!held || batch <= held.after || batch > held.last) return undefined;
    if (batch >= held.claimMoreAt) this.#due.add(held);
    return held.token;
  }

  get isDue(): boolean {
    return this.#due.size > 0;
  }

  /** Extends the claims of the runs that are due. */
  claimFurther(): void {
    const due = [...this.#due];
    this.#due.clear();
    for (const held of due) {
      if (this.#isValid(held)) this.#claim(held, held.last);
    }
  }

  /** Releases claims that another process has left for the run, before this one claims. */
  clear(run: RunNumber): void {
    const held = this.#held.get(run.number);
    if (!held || !this.#isValid(held)) this.giveBack(run.number);
  }

  /** Ensures that the batches after this one are claimed. */
  after(run: RunNumber, batch: number): void {
    const held = this.#held.get(run.number);
    if (held && batch <= held.last) return;
    // Beyond the current claim a new one is needed, or batches in between would be treated as claimed.
    if (held) this.giveBack(run.number);
    const claim = { token: randomInt(1, TOKENS), run, after: batch, last: batch, claimMoreAt: batch };
    this.#held.set(run.number, claim);
    this.#claim(claim, batch);
  }

  giveBack(run: number): void {
    this.#held.delete(run);
    executeStore(this.#db, releasePrefetched(run));
  }

  /** False if the claim was released, or its transaction was rolled back. */
  #isValid(held: Held): boolean {
    const { token, run } = held;
    const sql = 'SELECT 1 FROM claims_ahead WHERE run = ? AND token = ? AND last_batch >= ?';
    if (this.#db.get(sql, run.number, token, held.last)) return true;
    if (this.#held.get(run.number) === held) this.#held.delete(run.number);
    return false;
  }

  /** Claims the free keys of the batches after `after`. */
  #claim(held: Held, after: number): void {
    const { number, scope } = held.run;
    const { end } = idRange(number);
    const last = this.#db.get<{ batch: number | null }>(LAST_AHEAD, after, end, ITEMS_AHEAD)?.batch;
    // Without further batches the claim reaches to the end of the run.
    const upTo = last ?? end - 1;
    const related = JSON.stringify(this.#numbers.relatedScopes(held.run));
    this.#db.run(CLAIM, scope, after, upTo, related);
    this.#db.run(CONTEST, scope, after, upTo);
    this.#db.run(KEEP, number, held.token, held.after, upTo);
    held.last = upTo;
    held.claimMoreAt = last === null || last === undefined ? end : after + Math.floor((upTo - after) / 2);
  }
}
