import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { cutText } from '../../util/cut-text.js';
import { exactStringify } from '../../util/exact-json.js';
import type { AttemptEnd, Intent } from '../contract/attempt.js';
import { isDoubtful, isRetry, REPLY_BYTES } from '../rules/attempts.js';
import { releasesKey } from '../rules/keys.js';
import { idRange, packId } from '../shared/ids.js';
import { AttemptFold } from './attempt-fold.js';
import { Claims } from './claims.js';
import type { Database } from './database.js';
import type { RunNumbers } from './run-numbers.js';

/*
 * How attempts are written.
 *
 * Sending touches two tables only, both at their end: `attempts_begun` takes the intent, `attempts_ended` what came of
 * it. That is one statement each, however many items the batch has. All that is asked for in one turn of the event loop
 * shares a transaction (group-commit.ts), and no request leaves before its intent's commit has returned.
 *
 * `attempts`, `outcomes`, `records`, `batches.done`, keys and the run's sums follow later: `fold` brings what was
 * appended into them, set by set, and empties both tables, in one transaction (when: group-commit.ts). So whoever
 * reads, in whatever process, sees tables that tell all; there is no second form of an attempt to be read.
 *
 * What a crash leaves:
 * - killed before an intent's commit: nothing left, the batch is pending;
 * - killed between intent and end: folded, the attempt is open, and `recover` decides as for any open attempt;
 * - killed between append and fold: both lie there, durable; the next reader folds them;
 * - killed within a fold: it is rolled back, and done again. Of two processes that fold at once the second finds nothing.
 *
 * A line that can't be folded must not hold up all others: it is set aside, and what is still to be sent of its batch is
 * told as unknown.
 *
 * A batch has at most one line in each table. A further attempt is begun only after a fold, by the slow way that looks
 * at all that is known of the batch (attempt-writer.ts); so the order of lines of different batches doesn't matter.
 */

/** Results that are folded together. More of them touch fewer pages each, and hold up what is in flight for longer. */
const FOLD_AT = 1000;

/**
 * The intent of a batch that was never tried, whose keys the process holds by its token (claims-ahead.ts). Nothing is
 * appended where the token is gone or a key was taken from the claim, or the batch is done, was tried before or is being
 * tried: then it must be looked at.
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

/** Only an attempt that is open can end. */
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

/** Appends attempts and what they came to, and folds them behind. Runs inside transactions. */
export class AttemptJournal {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #folding: AttemptFold;
  #ended = 0;

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
    this.#folding = new AttemptFold(db, new Claims(db, numbers));
  }

  /** @param token by which the keys of the batch are held; false: they may not be, or the batch isn't to be begun */
  beginClaimed(intent: Intent, token: number): boolean {
    const { number } = this.#numbers.of(intent.run);
    return this.#db.run(BEGIN_CLAIMED, ...lineOf(number, intent), number, token) > 0;
  }

  /** The caller has seen to it that the batch is to be sent, that nothing of it lies here, and that it has its keys. */
  begin(intent: Intent): void {
    this.#db.run(BEGIN, ...lineOf(this.#numbers.of(intent.run).number, intent));
  }

  /** @throws ProductError internal when the attempt isn't open */
  end(end: AttemptEnd): void {
    const { number } = this.#numbers.of(end.run);
    const doubtful = isDoubtful(end);
    const releases = !doubtful || end.outcomes.some(({ outcome }) => releasesKey(outcome.status));
    const ended = this.#db.run(
      END,
      packId(number, end.batch),
      end.attempt,
      end.endedAt,
      end.httpStatus ?? null,
      end.event,
      end.sent ? 1 : 0,
      doubtful ? 1 : 0,
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

  /** So much lies here that it should be folded. */
  get isFull(): boolean {
    return this.#ended >= FOLD_AT;
  }

  /** Whether there is anything to fold, of whatever process. Needs no transaction. */
  get holdsAny(): boolean {
    return this.#db.get<{ found: number }>(ANY)?.found === 1;
  }

  /** Whether anything lies here of a run's batches after one. */
  holdsAfter(run: number, batch: number): boolean {
    const after = packId(run, batch);
    return this.#db.get<{ found: number }>(ANY_AFTER, after, idRange(run).end)?.found === 1;
  }

  /** @throws UnfoldableLine: the transaction is to be begun again. */
  fold(): void {
    this.#ended = 0;
    if (this.holdsAny) this.#folding.fold();
  }
}

function lineOf(run: number, intent: Intent): [number, number, string, number, number] {
  const { attempt, nonce, startedAt } = intent;
  return [packId(run, intent.batch), attempt, nonce, startedAt, isRetry(intent) ? 1 : 0];
}

/** Half a surrogate pair has no UTF-8. Where text is bound it is replaced on the way; what goes as JSON would be spoilt. */
function wellFormed(text: string | undefined): string | null {
  return text?.replace(/\p{Surrogate}/gu, '\ufffd') ?? null;
}

/** null where there are none. */
function outcomesJson(run: number, { outcomes }: AttemptEnd): string | null {
  if (outcomes.length === 0) return null;
  return JSON.stringify(
    outcomes.map(({ item, outcome: { status, licenseOrderId, code, message: said, columns } }) => [
      packId(run, item),
      status,
      wellFormed(licenseOrderId),
      wellFormed(code),
      said === undefined ? null : JSON.stringify(said),
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
