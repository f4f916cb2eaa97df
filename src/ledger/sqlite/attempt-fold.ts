import { message } from '../../errors/message.js';
import { endOfDead } from '../rules/attempts.js';
import { RELEASES_KEY } from '../rules/keys.js';
import { packId } from '../shared/ids.js';
import { sqlList, TO_BE_SENT } from '../shared/item-standing.js';
import type { Claims } from './claims.js';
import type { Database } from './database.js';
import { isOfContent } from './failures.js';
import { finishBatch, writeOutcome } from './outcomes.js';

/** Whatever lies there. */
const ALL = [0, Number.MAX_SAFE_INTEGER] as const;

/** Attempts that were folded while they were open. These statements fold the batches from ?1 to ?2. */
const FOLD_ENDS = `
UPDATE attempts SET ended_at = ended.ended_at, http_status = ended.http_status, event = ended.event,
  sent = ended.sent, doubtful = ended.doubtful, reply = ended.reply
FROM attempts_ended AS ended
WHERE ended.batch BETWEEN ?1 AND ?2 AND attempts.batch = ended.batch AND attempts.attempt = ended.attempt
  AND attempts.ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM attempts_begun WHERE batch = ended.batch)`;

const FOLD_ATTEMPTS = `
INSERT INTO attempts (batch, attempt, nonce, started_at, ended_at, http_status, event, sent, doubtful, reply)
SELECT begun.batch, begun.attempt, begun.nonce, begun.started_at, ended.ended_at, ended.http_status, ended.event,
  ended.sent, ended.doubtful, ended.reply
FROM attempts_begun AS begun LEFT JOIN attempts_ended AS ended ON ended.batch = begun.batch
WHERE begun.batch BETWEEN ?1 AND ?2
ORDER BY begun.batch`;

/** Before the outcomes: an item that had its outcome already keeps the records that came with that. */
const FOLD_RECORDS = `
INSERT INTO records (item, n, json)
SELECT line.value ->> 0, line.value ->> 1, line.value ->> 2
FROM attempts_ended AS ended, json_each(ended.records_json) AS line
WHERE ended.batch BETWEEN ?1 AND ?2 AND ended.records_json IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM outcomes WHERE outcomes.item = line.value ->> 0 AND outcomes.status <> 'not_sent')`;

const FOLD_OUTCOMES = `
INSERT INTO outcomes (item, status, attempts, license_order_id, code, message_json, columns_json)
SELECT line.value ->> 0, line.value ->> 1, ended.attempt, line.value ->> 2, line.value ->> 3, line.value ->> 4,
  line.value ->> 5
FROM attempts_ended AS ended, json_each(ended.outcomes_json) AS line
WHERE ended.batch BETWEEN ?1 AND ?2 AND ended.outcomes_json IS NOT NULL
ORDER BY ended.batch
ON CONFLICT (item) DO UPDATE SET status = excluded.status, attempts = excluded.attempts,
  license_order_id = excluded.license_order_id, code = excluded.code, message_json = excluded.message_json,
  columns_json = excluded.columns_json
WHERE status = 'not_sent'`;

const FOLD_BATCHES = `
UPDATE batches SET done = 1
WHERE id IN (SELECT batch FROM attempts_ended WHERE batch BETWEEN ?1 AND ?2 AND outcomes_json IS NOT NULL) AND NOT EXISTS (
  SELECT 1 FROM batch_items LEFT JOIN outcomes ON outcomes.item = batch_items.item
  WHERE batch_items.batch = batches.id AND ${TO_BE_SENT})`;

const FOLD_SUMS = `
UPDATE runs SET requests = runs.requests + made.requests, retries = runs.retries + made.retries
FROM (SELECT batch / ${packId(1, 0)} AS run, count(*) AS requests, sum(retry) AS retries FROM attempts_begun
  WHERE batch BETWEEN ?1 AND ?2 GROUP BY 1) AS made
WHERE runs.id = made.run`;

/**
 * Keys that nobody needs any more: of items that ended without an effect, and of those that wait for another attempt
 * while none before may have had one.
 */
const RELEASED = `
SELECT runs.scope, items.item_key AS key, items.id AS item
FROM attempts_ended AS ended
CROSS JOIN batch_items ON batch_items.batch = ended.batch
CROSS JOIN items ON items.id = batch_items.item
CROSS JOIN runs ON runs.id = ended.batch / ${packId(1, 0)}
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE ended.batch BETWEEN ?1 AND ?2 AND ended.releases = 1 AND items.item_key IS NOT NULL
  AND (outcomes.status IN (${sqlList(RELEASES_KEY)}) OR (${TO_BE_SENT}
    AND NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = ended.batch AND attempts.doubtful = 1)))
ORDER BY items.id`;

const LYING = 'SELECT batch FROM attempts_begun UNION SELECT batch FROM attempts_ended';

const SET_ASIDE = `
INSERT INTO attempts_set_aside (batch, begun_json, ended_json, reason)
SELECT ?1,
  (SELECT json_array(attempt, nonce, started_at, retry) FROM attempts_begun WHERE batch = ?1),
  (SELECT json_array(attempt, ended_at, http_status, event, sent, doubtful, reply, outcomes_json, records_json, releases)
    FROM attempts_ended WHERE batch = ?1),
  ?2`;

/** The attempt of a line that is set aside: whatever else is known of its batch stays. */
const TELL_DOUBTFUL = `
INSERT INTO attempts (batch, attempt, nonce, started_at, ended_at, event, sent, doubtful)
SELECT batch, (SELECT coalesce(max(attempt), 0) + 1 FROM attempts WHERE batch = ?1), nonce, started_at, started_at,
  ?2, ?3, ?4
FROM attempts_begun WHERE batch = ?1`;

const END_DOUBTFUL = `
UPDATE attempts SET ended_at = started_at, event = ?2, sent = ?3, doubtful = ?4 WHERE batch = ?1 AND ended_at IS NULL`;

const LAST_ATTEMPT = 'SELECT max(attempt) AS attempt FROM attempts WHERE batch = ?';

const UNSETTLED_ITEMS = `
SELECT batch_items.item FROM batch_items LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE batch_items.batch = ? AND ${TO_BE_SENT}`;

/** Brings what was appended into the tables that are read (attempt-journal.ts). Runs inside transactions. */
export class AttemptFold {
  readonly #db: Database;
  readonly #claims: Claims;
  /** The last fold met a line that couldn't be folded: the next one looks at each alone. */
  #careful = false;

  constructor(db: Database, claims: Claims) {
    this.#db = db;
    this.#claims = claims;
  }

  /** @throws UnfoldableLine: the transaction is to be begun again; this sets aside then what can't be folded. */
  fold(): void {
    if (this.#careful) {
      for (const { batch } of this.#db.all<{ batch: number }>(LYING)) this.#foldOne(batch);
      this.#careful = false;
      return;
    }
    try {
      this.#fold(...ALL);
    } catch (error) {
      if (!isOfContent(error)) throw error;
      this.#careful = true;
      throw new UnfoldableLine(error);
    }
  }

  #foldOne(batch: number): void {
    try {
      this.#db.part(() => this.#fold(batch, batch));
    } catch (error) {
      if (!isOfContent(error)) throw error;
      this.#db.run(SET_ASIDE, batch, String(error));
      try {
        this.#db.part(() => this.#tellUnknown(batch));
      } catch (untold) {
        // Its run or its batch is gone.
        if (!isOfContent(untold)) throw untold;
      }
      this.#empty(batch, batch);
    }
  }

  #fold(first: number, last: number): void {
    this.#db.run(FOLD_ENDS, first, last);
    this.#db.run(FOLD_ATTEMPTS, first, last);
    this.#db.run(FOLD_RECORDS, first, last);
    this.#db.run(FOLD_OUTCOMES, first, last);
    this.#db.run(FOLD_BATCHES, first, last);
    this.#db.run(FOLD_SUMS, first, last);
    for (const it of this.#db.all<{ scope: number; key: string; item: number }>(RELEASED, first, last)) {
      this.#claims.release(it.scope, it.key, it.item);
    }
    this.#empty(first, last);
  }

  #empty(first: number, last: number): void {
    this.#db.run('DELETE FROM attempts_begun WHERE batch BETWEEN ?1 AND ?2', first, last);
    // Replies hold personal data, which must not linger in free pages once their run is pruned.
    this.#db.pragma('secure_delete = ON');
    this.#db.run('DELETE FROM attempts_ended WHERE batch BETWEEN ?1 AND ?2', first, last);
    this.#db.pragma('secure_delete = OFF');
  }

  /** As if its process had died: the attempt may have been carried out, and the batch isn't sent again. */
  #tellUnknown(batch: number): void {
    const { event, sent, doubtful } = endOfDead(false);
    const ended = [event, sent ? 1 : 0, doubtful ? 1 : 0] as const;
    this.#db.run(TELL_DOUBTFUL, batch, ...ended);
    this.#db.run(END_DOUBTFUL, batch, ...ended);
    this.#db.run(FOLD_SUMS, batch, batch);
    const lost = { status: 'unknown', message: message('ledger.attempt_set_aside') } as const;
    const { attempt } = this.#db.get<{ attempt: number }>(LAST_ATTEMPT, batch) ?? { attempt: 0 };
    for (const { item } of this.#db.all<{ item: number }>(UNSETTLED_ITEMS, batch)) {
      writeOutcome(this.#db, item, lost, attempt);
    }
    finishBatch(this.#db, batch);
  }
}

/** A line breaks the rules of the tables that it is to be folded into. */
export class UnfoldableLine extends Error {
  constructor(cause: unknown) {
    super(String(cause), { cause });
  }
}
