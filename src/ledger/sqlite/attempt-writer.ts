import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { ItemOutcome } from '../../model/item.js';
import type { ClaimOptions, Cleared, Intent } from '../contract/execution.js';
import type { KeyHolder } from '../contract/plan.js';
import { endOfDead } from '../rules/attempts.js';
import { heldOutcome, mayTakeOver, releasesKey } from '../rules/keys.js';
import { claimKey, releaseKey, takeOverKey } from '../store/claims.js';
import { idRange, packId, type RunNumber, unpackId } from '../store/ids.js';
import { TO_BE_SENT } from '../store/item-state.js';
import type { AttemptJournal } from './attempt-journal.js';
import type { Database } from './database.js';
import { executeStore } from './execute-store.js';
import { finishBatch, writeOutcome } from './outcomes.js';
import type { PrefetchedClaims } from './prefetched-claims.js';
import type { RunNumbers } from './runner.js';

/** The items of batch `?1` that are still to be sent. */
const unfinishedItems = (condition: string): string => `
SELECT items.id AS item, items.item_key AS key, items.content
FROM batch_items CROSS JOIN items ON items.id = batch_items.item
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE batch_items.batch = ?1 AND ${TO_BE_SENT}${condition}
ORDER BY batch_items.item`;

const UNFINISHED = unfinishedItems('');

/** No items if the batch is done or has an open attempt. This prevents sending twice. */
const TO_SEND = unfinishedItems(`
  AND EXISTS (SELECT 1 FROM batches WHERE id = ?1 AND done = 0)
  AND NOT EXISTS (SELECT 1 FROM attempts WHERE batch = ?1 AND ended_at IS NULL)`);

/** Batches that wait to be sent again although an attempt may have taken effect. */
const UNCERTAIN = `
SELECT batches.id AS batch, max(attempts.attempt) AS attempt
FROM attempts JOIN batches ON batches.id = attempts.batch
WHERE attempts.doubtful = 1 AND batches.done = 0 AND attempts.batch > ? AND attempts.batch < ?
GROUP BY batches.id`;

interface UnfinishedItem {
  readonly item: number;
  readonly key: string | null;
  readonly content: string;
}

const END = `
UPDATE attempts SET ended_at = ?, http_status = ?, event = ?, sent = ?, doubtful = ?, reply = ?
WHERE batch = ? AND attempt = ? AND ended_at IS NULL`;

const NOTHING_WITHHELD: Cleared = { withheld: [] };

/** Writes attempts. All methods run inside a transaction, many of them in the same one. */
export class AttemptWriter {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #journal: AttemptJournal;
  readonly #ahead: PrefetchedClaims;

  constructor(db: Database, numbers: RunNumbers, journal: AttemptJournal, ahead: PrefetchedClaims) {
    this.#db = db;
    this.#numbers = numbers;
    this.#journal = journal;
    this.#ahead = ahead;
  }

  /** If the keys of a batch are claimed and it was never tried, one statement is sufficient; otherwise all is checked. */
  open(intent: Intent, options: ClaimOptions): Cleared {
    const run = this.#numbers.of(intent.run);
    const token = this.#ahead.tokenFor(run.number, packId(run.number, intent.batch));
    if (token !== undefined && this.#journal.beginClaimed(intent, token)) return NOTHING_WITHHELD;
    this.#journal.compact();
    return this.#openChecked(run, intent, options);
  }

  #openChecked(run: RunNumber, intent: Intent, options: ClaimOptions): Cleared {
    const { number, scope } = run;
    const related = this.#numbers.relatedScopes(run);
    const batch = packId(number, intent.batch);
    const items = this.#db.all<UnfinishedItem>(TO_SEND, batch);
    if (items.length === 0) {
      const params = { run: intent.run, batch: intent.batch };
      throw new ProductError('internal', message('ledger.batch_not_pending', params));
    }
    this.#ahead.clear(run);
    const withheld: { item: number; holder: KeyHolder }[] = [];
    for (const { item, key, content } of items) {
      if (key === null) continue;
      const claim = { scope, key, item };
      const holder = executeStore(this.#db, claimKey(this.#numbers.known, claim, related));
      if (!holder) continue;
      if (mayTakeOver(holder, options)) {
        executeStore(this.#db, takeOverKey(claim));
        continue;
      }
      withheld.push({ item: unpackId(item), holder });
      writeOutcome(this.#db, item, heldOutcome(holder, content), intent.attempt - 1);
    }
    if (withheld.length === items.length) finishBatch(this.#db, batch);
    else this.#journal.begin(intent);
    this.#ahead.after(run, batch);
    return { withheld };
  }

  /** Releases keys that were claimed ahead for the run. */
  release(run: string): void {
    this.#journal.compact();
    this.#ahead.giveBack(this.#numbers.of(run).number);
  }

  /** @param lost the outcome of the items of open attempts; undefined: they are sent again */
  recover(run: string, lost: ItemOutcome | undefined, now: number): number {
    this.release(run);
    const { number, scope } = this.#numbers.of(run);
    const { first, end } = idRange(number);
    const open = this.#db.all<{ batch: number; attempt: number }>(
      'SELECT batch, attempt FROM attempts WHERE ended_at IS NULL AND batch > ? AND batch < ?',
      first,
      end,
    );
    const { event, sent, uncertain } = endOfDead(lost === undefined);
    for (const { batch, attempt } of open)
      this.#db.run(END, now, null, event, sent ? 1 : 0, uncertain ? 1 : 0, null, batch, attempt);
    if (lost) {
      for (const { batch, attempt } of this.#db.all<{ batch: number; attempt: number }>(
        UNCERTAIN,
        first,
        end,
      )) {
        for (const { item } of this.#db.all<UnfinishedItem>(UNFINISHED, batch))
          this.#recordOutcome(scope, item, lost, attempt);
        finishBatch(this.#db, batch);
      }
    }
    return open.length;
  }

  #recordOutcome(scope: number, item: number, outcome: ItemOutcome, attempt: number): void {
    if (!writeOutcome(this.#db, item, outcome, attempt) || !releasesKey(outcome.status)) return;
    const key = this.#db.get<{ item_key: string | null }>(
      'SELECT item_key FROM items WHERE id = ?',
      item,
    )?.item_key;
    if (typeof key === 'string') executeStore(this.#db, releaseKey({ scope, key, item }));
  }
}
