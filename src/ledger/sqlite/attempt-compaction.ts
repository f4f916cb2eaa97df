import { message } from '../../errors/message.js';
import { endOfDead } from '../rules/attempts.js';
import { RELEASES_KEY } from '../rules/keys.js';
import { type Claim, releaseKey } from '../store/claims.js';
import { packId } from '../store/ids.js';
import { sqlList, TO_BE_SENT } from '../store/item-state.js';
import type { Database } from './database.js';
import { executeStore } from './execute-store.js';
import { isOfContent } from './failures.js';
import { finishBatch, writeOutcome } from './outcomes.js';

const ALL = [0, Number.MAX_SAFE_INTEGER] as const;

/** These statements compact the batches from ?1 to ?2. First the ends of attempts that were compacted while open. */
const COMPACT_ENDS = `
UPDATE attempts SET ended_at = ended.ended_at, http_status = ended.http_status, event = ended.event,
  sent = ended.sent, doubtful = ended.doubtful, reply = ended.reply
FROM attempts_ended AS ended
WHERE ended.batch BETWEEN ?1 AND ?2 AND attempts.batch = ended.batch AND attempts.attempt = ended.attempt
  AND attempts.ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM attempts_begun WHERE batch = ended.batch)`;

const COMPACT_ATTEMPTS = `
INSERT INTO attempts (batch, attempt, nonce, started_at, ended_at, http_status, event, sent, doubtful, reply)
SELECT begun.batch, begun.attempt, begun.nonce, begun.started_at, ended.ended_at, ended.http_status, ended.event,
  ended.sent, ended.doubtful, ended.reply
FROM attempts_begun AS begun LEFT JOIN attempts_ended AS ended ON ended.batch = begun.batch
WHERE begun.batch BETWEEN ?1 AND ?2
ORDER BY begun.batch`;

/** Before the outcomes: an item that already has an outcome keeps the records of that outcome. */
const COMPACT_RECORDS = `
INSERT INTO records (item, n, json)
SELECT line.value ->> 0, line.value ->> 1, line.value ->> 2
FROM attempts_ended AS ended, json_each(ended.records_json) AS line
WHERE ended.batch BETWEEN ?1 AND ?2 AND ended.records_json IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM outcomes WHERE outcomes.item = line.value ->> 0 AND outcomes.status <> 'not_sent')`;

const COMPACT_OUTCOMES = `
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

const COMPACT_BATCHES = `
UPDATE batches SET done = 1
WHERE id IN (SELECT batch FROM attempts_ended WHERE batch BETWEEN ?1 AND ?2 AND outcomes_json IS NOT NULL) AND NOT EXISTS (
  SELECT 1 FROM batch_items LEFT JOIN outcomes ON outcomes.item = batch_items.item
  WHERE batch_items.batch = batches.id AND ${TO_BE_SENT})`;

const COMPACT_SUMS = `
UPDATE runs SET requests = runs.requests + made.requests, retries = runs.retries + made.retries
FROM (SELECT batch / ${packId(1, 0)} AS run, count(*) AS requests, sum(retry) AS retries FROM attempts_begun
  WHERE batch BETWEEN ?1 AND ?2 GROUP BY 1) AS made
WHERE runs.id = made.run`;

/**
 * Keys to release: of items that ended without an effect, and of items that wait for another attempt when no attempt may have
 * taken effect.
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

const APPENDED = 'SELECT batch FROM attempts_begun UNION SELECT batch FROM attempts_ended';

const SET_ASIDE = `
INSERT INTO attempts_set_aside (batch, begun_json, ended_json, reason)
SELECT ?1,
  (SELECT json_array(attempt, nonce, started_at, retry) FROM attempts_begun WHERE batch = ?1),
  (SELECT json_array(attempt, ended_at, http_status, event, sent, doubtful, reply, outcomes_json, records_json, releases)
    FROM attempts_ended WHERE batch = ?1),
  ?2`;

/** Adds the attempt of a row that is set aside. */
const ADD_UNCERTAIN = `
INSERT INTO attempts (batch, attempt, nonce, started_at, ended_at, event, sent, doubtful)
SELECT batch, (SELECT coalesce(max(attempt), 0) + 1 FROM attempts WHERE batch = ?1), nonce, started_at, started_at,
  ?2, ?3, ?4
FROM attempts_begun WHERE batch = ?1`;

const END_UNCERTAIN = `
UPDATE attempts SET ended_at = started_at, event = ?2, sent = ?3, doubtful = ?4 WHERE batch = ?1 AND ended_at IS NULL`;

const LAST_ATTEMPT = 'SELECT max(attempt) AS attempt FROM attempts WHERE batch = ?';

const UNFINISHED_ITEMS = `
SELECT batch_items.item FROM batch_items LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE batch_items.batch = ? AND ${TO_BE_SENT}`;

/** Merges the appended rows into the tables that are read (attempt-journal.ts). Runs inside transactions. */
export class AttemptCompaction {
  readonly #db: Database;
  /** The last compaction failed at a row, so the next one handles each batch alone. */
  #careful = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws IncompressibleLine: the transaction must be started again; the next call sets aside rows that can't be compacted */
  compact(): void {
    if (this.#careful) {
      for (const { batch } of this.#db.all<{ batch: number }>(APPENDED)) this.#compactBatch(batch);
      this.#careful = false;
      return;
    }
    try {
      this.#compactRange(...ALL);
    } catch (error) {
      if (!isOfContent(error)) throw error;
      this.#careful = true;
      throw new IncompressibleLine(error);
    }
  }

  #compactBatch(batch: number): void {
    try {
      this.#db.savepoint(() => this.#compactRange(batch, batch));
    } catch (error) {
      if (!isOfContent(error)) throw error;
      this.#db.run(SET_ASIDE, batch, String(error));
      try {
        this.#db.savepoint(() => this.#makeUnknown(batch));
      } catch (failure) {
        // Its run or batch was removed.
        if (!isOfContent(failure)) throw failure;
      }
      this.#empty(batch, batch);
    }
  }

  #compactRange(first: number, last: number): void {
    this.#db.run(COMPACT_ENDS, first, last);
    this.#db.run(COMPACT_ATTEMPTS, first, last);
    this.#db.run(COMPACT_RECORDS, first, last);
    this.#db.run(COMPACT_OUTCOMES, first, last);
    this.#db.run(COMPACT_BATCHES, first, last);
    this.#db.run(COMPACT_SUMS, first, last);
    for (const claim of this.#db.all<Claim>(RELEASED, first, last)) executeStore(this.#db, releaseKey(claim));
    this.#empty(first, last);
  }

  #empty(first: number, last: number): void {
    this.#db.run('DELETE FROM attempts_begun WHERE batch BETWEEN ?1 AND ?2', first, last);
    // Replies contain personal data, which must not stay in free pages after their run is pruned.
    this.#db.pragma('secure_delete = ON');
    this.#db.run('DELETE FROM attempts_ended WHERE batch BETWEEN ?1 AND ?2', first, last);
    this.#db.pragma('secure_delete = OFF');
  }

  /** As if its process had died: the attempt may have been executed, and the batch isn't sent again. */
  #makeUnknown(batch: number): void {
    const { event, sent, uncertain } = endOfDead(false);
    const ended = [event, sent ? 1 : 0, uncertain ? 1 : 0] as const;
    this.#db.run(ADD_UNCERTAIN, batch, ...ended);
    this.#db.run(END_UNCERTAIN, batch, ...ended);
    this.#db.run(COMPACT_SUMS, batch, batch);
    const lost = { status: 'unknown', message: message('ledger.attempt_set_aside') } as const;
    const { attempt } = this.#db.get<{ attempt: number }>(LAST_ATTEMPT, batch) ?? { attempt: 0 };
    for (const { item } of this.#db.all<{ item: number }>(UNFINISHED_ITEMS, batch))
      writeOutcome(this.#db, item, lost, attempt);
    finishBatch(this.#db, batch);
  }
}

/** A row violates the constraints of the tables that it is compacted into. */
export class IncompressibleLine extends Error {
  constructor(cause: unknown) {
    super(String(cause), { cause });
  }
}
