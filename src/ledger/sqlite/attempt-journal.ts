import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { exactStringify } from '../../util/exact-json.js';
import { cutText } from '../../util/text.js';
import type { AttemptEnd, Intent } from '../contract/execution.js';
import { isRetry, isUncertain, REPLY_BYTES } from '../rules/attempts.js';
import { releasesKey } from '../rules/keys.js';
import { idRange, packId } from '../store/ids.js';
import { AttemptCompaction } from './attempt-compaction.js';
import type { Database } from './database.js';
import type { RunNumbers } from './runner.js';

/*
 * How attempts are written.
 *
 * Sending appends to two tables only: `attempts_begun` receives intents, `attempts_ended` ends. Each is one statement for
 * any number of items. All writes requested in one turn of the event loop share a transaction (group-commit.ts), and no
 * request is sent before its intent's commit has returned.
 *
 * `attempts`, `outcomes`, `records`, `batches.done`, keys and the run's totals follow later: `compact` merges the appended
 * rows into them and empties both tables, in one transaction (when: group-commit.ts). It always runs before a read, so no
 * reader in any process needs to know of the journal.
 *
 * After a crash:
 * - killed before an intent's commit: nothing was sent, the batch is pending;
 * - killed between intent and end: after compaction the attempt is open, and `recover` handles it like any open attempt;
 * - killed between append and compaction: both rows are durable; the next reader compacts them;
 * - killed during compaction: it is rolled back and repeated. If two processes compact, the second finds nothing.
 *
 * A row that can't be compacted must not block the others: it is set aside, and the items of its batch that are still to be
 * sent become unknown.
 *
 * A batch has at most one row in each table. A further attempt begins only after compaction, with the slower statements
 * that check everything known of the batch (attempt-writer.ts). So the order of rows of different batches doesn't matter.
 */

/** Number of ends that are compacted together. More of them touch fewer pages each, but delay requests for longer. */
const COMPACT_AT = 1000;

/**
 * Appends the intent of a batch that was never tried and whose keys the process has claimed with its token
 * (prefetched-claims.ts). Appends nothing if the token is no longer valid, a key was taken from the claim, or the batch is
 * done, was tried before or is being tried. Then the batch must be checked in full.
 */
const BEGIN_CLAIMED = `
INSERT INTO attempts_begun (batch, attempt, nonce, started_at, retry)
SELECT ?1, ?2, ?3, ?4, ?5
WHERE EXISTS (SELECT 1 FROM claims_ahead WHERE run = ?6 AND token = ?7 AND after_batch < ?1 AND last_batch >= ?1)
  AND NOT EXISTS (SELECT 1 FROM contested_batches WHERE batch = ?1)
  AND EXISTS (SELECT 1 FROM batches WHERE id = ?1 AND done = 0)
  AND NOT EXISTS (SELECT 1 FROM attempts WHERE batch = ?1)
  AND NOT EXISTS (SELECT 1 FROM attempts_ended WHERE batch = ?1)
ON CONFLICT (batch) DO NOTHING`;

const BEGIN = 'INSERT INTO attempts_begun (batch, attempt, nonce, started_at, retry) VALUES (?, ?, ?, ?, ?)';

/** Only an open attempt can end. */
const END = `
INSERT INTO attempts_ended (batch, attempt, ended_at, http_status, event, sent, doubtful, reply, outcomes_json,
  records_json, releases)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
WHERE EXISTS (SELECT 1 FROM attempts_begun WHERE batch = ?1 AND attempt = ?2)
  OR EXISTS (SELECT 1 FROM attempts WHERE batch = ?1 AND attempt = ?2 AND ended_at IS NULL)
ON CONFLICT (batch) DO NOTHING`;

const ANY = 'SELECT EXISTS (SELECT 1 FROM attempts_begun) OR EXISTS (SELECT 1 FROM attempts_ended) AS found';

const ANY_AFTER = `
SELECT EXISTS (SELECT 1 FROM attempts_begun WHERE batch > ?1 AND batch < ?2)
  OR EXISTS (SELECT 1 FROM attempts_ended WHERE batch > ?1 AND batch < ?2) AS found`;

/** Appends intents and ends of attempts, and compacts them. Runs inside transactions. */
export class AttemptJournal {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #compaction: AttemptCompaction;
  #ended = 0;

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
    this.#compaction = new AttemptCompaction(db);
  }

  /**
   * @param token of the claim of the batch's keys
   * @returns false when the keys may not be claimed, or the batch must not begin
   */
  beginClaimed(intent: Intent, token: number): boolean {
    const { number } = this.#numbers.of(intent.run);
    return this.#db.run(BEGIN_CLAIMED, ...lineOf(number, intent), number, token) > 0;
  }

  /** The caller must have checked that the batch may be sent, has no row in the journal, and has its keys. */
  begin(intent: Intent): void {
    this.#db.run(BEGIN, ...lineOf(this.#numbers.of(intent.run).number, intent));
  }

  /** @throws ProductError internal when the attempt isn't open */
  end(end: AttemptEnd): void {
    const { number } = this.#numbers.of(end.run);
    const uncertain = isUncertain(end);
    const releases = !uncertain || end.outcomes.some(({ outcome }) => releasesKey(outcome.status));
    const ended = this.#db.run(
      END,
      packId(number, end.batch),
      end.attempt,
      end.endedAt,
      end.httpStatus ?? null,
      end.event,
      end.sent ? 1 : 0,
      uncertain ? 1 : 0,
      end.reply === undefined ? null : cutText(end.reply, REPLY_BYTES),
      outcomesJson(number, end),
      recordsJson(number, end),
      releases ? 1 : 0,
    );
    if (ended === 0) {
      const params = { run: end.run, batch: end.batch, attempt: end.attempt };
      throw new ProductError('internal', message('ledger.attempt_not_open', params));
    }
    this.#ended += 1;
  }

  get isFull(): boolean {
    return this.#ended >= COMPACT_AT;
  }

  /** Whether there is anything to compact, of any process. Needs no transaction. */
  get holdsAny(): boolean {
    return this.#db.get<{ found: number }>(ANY)?.found === 1;
  }

  /** Whether the journal has rows of a run's batches after `batch`. */
  holdsAfter(run: number, batch: number): boolean {
    const after = packId(run, batch);
    return this.#db.get<{ found: number }>(ANY_AFTER, after, idRange(run).end)?.found === 1;
  }

  /** @throws IncompressibleLine: the transaction must be started again */
  compact(): void {
    this.#ended = 0;
    if (this.holdsAny) this.#compaction.compact();
  }
}

function lineOf(run: number, intent: Intent): [number, number, string, number, number] {
  const { attempt, nonce, startedAt } = intent;
  return [packId(run, intent.batch), attempt, nonce, startedAt, isRetry(intent) ? 1 : 0];
}

/** Replaces lone surrogates, which UTF-8 cannot encode. Binding replaces them in text, but JSON text would become invalid. */
function wellFormed(text: string | undefined): string | null {
  return text?.replace(/\p{Surrogate}/gu, '\ufffd') ?? null;
}

/** null where there are none. */
function outcomesJson(run: number, { outcomes }: AttemptEnd): string | null {
  if (outcomes.length === 0) return null;
  return JSON.stringify(
    outcomes.map(({ item, outcome: { status, licenseOrderId, code, message: text, columns } }) => [
      packId(run, item),
      status,
      wellFormed(licenseOrderId),
      wellFormed(code),
      text === undefined ? null : JSON.stringify(text),
      columns && Object.keys(columns).length > 0 ? JSON.stringify(columns) : null,
    ]),
  );
}

/** null where there are none. */
function recordsJson(run: number, { outcomes }: AttemptEnd): string | null {
  const lines = outcomes.flatMap(({ item, outcome }) =>
    (outcome.records ?? []).map((record, at) => [packId(run, item), at + 1, exactStringify(record)]),
  );
  return lines.length === 0 ? null : JSON.stringify(lines);
}
