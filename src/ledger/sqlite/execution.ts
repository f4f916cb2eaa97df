import type { ItemOutcome, ItemStatus } from '../../model/outcome.js';
import type { Clock } from '../../util/clock.js';
import { type AttemptClosed, type AttemptEnd, ENDED, type Intent } from '../contract/attempt.js';
import type { ClaimOptions, Cleared, ExecutionStore, PendingBatch } from '../contract/execution.js';
import type { LedgerGuard } from '../marks/ledger-guard.js';
import { idRange } from '../shared/ids.js';
import { TO_BE_SENT } from '../shared/item-standing.js';
import type { AttemptJournal } from './attempt-journal.js';
import { AttemptWriter } from './attempt-writer.js';
import type { ClaimsAhead } from './claims-ahead.js';
import type { Database } from './database.js';
import { IdRegister } from './given-ids.js';
import type { GroupCommit } from './group-commit.js';
import { pendingBatches } from './pending.js';
import type { RunNumbers } from './run-numbers.js';

const REMAINING = `
SELECT
  (SELECT count(*) FROM batches WHERE id > :first AND id < :end AND done = 0) AS batches,
  (SELECT count(*) FROM batch_items WHERE batch > :first AND batch < :end)
    - (SELECT count(*) FROM outcomes WHERE item > :first AND item < :end AND status <> 'not_sent') AS items`;

const SETTLED = `
SELECT status, count(*) AS n FROM outcomes
WHERE item > :first AND item < :end AND status <> 'not_sent' GROUP BY status`;

const OPEN = `
SELECT count(*) AS n FROM attempts
JOIN batch_items ON batch_items.batch = attempts.batch
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE attempts.ended_at IS NULL AND attempts.batch > :first AND attempts.batch < :end
  AND ${TO_BE_SENT}`;

export class SqliteExecutionStore implements ExecutionStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #group: GroupCommit;
  readonly #journal: AttemptJournal;
  readonly #clock: Clock;
  readonly #attempts: AttemptWriter;
  readonly #guard: LedgerGuard;
  readonly #given: IdRegister;

  constructor(
    db: Database,
    numbers: RunNumbers,
    group: GroupCommit,
    {
      journal,
      ahead,
      guard,
    }: { readonly journal: AttemptJournal; readonly ahead: ClaimsAhead; readonly guard: LedgerGuard },
    clock: Clock,
  ) {
    this.#db = db;
    this.#numbers = numbers;
    this.#group = group;
    this.#journal = journal;
    this.#clock = clock;
    this.#guard = guard;
    this.#attempts = new AttemptWriter(db, numbers, journal, ahead);
    this.#given = new IdRegister(db, numbers);
  }

  async pending(run: string, after: number, limit: number, upTo?: number): Promise<readonly PendingBatch[]> {
    // Asked for window by window while a run sends: what is appended is of batches before them.
    this.#group.flush();
    const { number } = this.#numbers.of(run);
    if (this.#db.read(() => this.#journal.holdsAfter(number, after))) this.#group.catchUp();
    return this.#db.read(() =>
      pendingBatches(this.#db, this.#numbers.of(run).number, { after, limit, upTo }),
    );
  }

  async open(intent: Intent, options: ClaimOptions): Promise<Cleared> {
    const cleared = await this.#group.add(() => this.#attempts.open(intent, options), { sends: true });
    // Without an attempt where all of it is withheld.
    if (cleared.withheld.length === 0) this.#guard.committed(intent);
    return cleared;
  }

  close(end: AttemptEnd): Promise<AttemptClosed> {
    // A known outcome must not be lost to somebody who holds the ledger for a while.
    return this.#group.add(
      () => {
        this.#journal.end(this.#given.register(end));
        return ENDED;
      },
      { patient: true },
    );
  }

  async recover(run: string, repeatable: boolean, lost: ItemOutcome): Promise<number> {
    return this.#group.write(() =>
      this.#attempts.recover(run, repeatable ? undefined : lost, this.#clock.now()),
    );
  }

  async release(run: string): Promise<void> {
    this.#group.write(() => this.#attempts.release(run));
  }

  async remaining(run: string): Promise<{ readonly batches: number; readonly items: number }> {
    this.#group.catchUp();
    return this.#db.read(() => this.#remaining(this.#numbers.of(run).number));
  }

  async itemCounts(run: string): Promise<Readonly<Partial<Record<ItemStatus | 'pending' | 'open', number>>>> {
    this.#group.catchUp();
    return this.#db.read(() => {
      const { number } = this.#numbers.of(run);
      const counts: Partial<Record<ItemStatus | 'pending' | 'open', number>> = {};
      for (const it of this.#db.allNamed<{ status: ItemStatus; n: number }>(SETTLED, idRange(number))) {
        counts[it.status] = it.n;
      }
      const open = this.#db.allNamed<{ n: number }>(OPEN, idRange(number))[0]?.n ?? 0;
      const pending = this.#remaining(number).items - open;
      if (open > 0) counts.open = open;
      if (pending > 0) counts.pending = pending;
      return counts;
    });
  }

  #remaining(run: number): { batches: number; items: number } {
    const found = this.#db.allNamed<{ batches: number; items: number }>(REMAINING, idRange(run))[0];
    return { batches: found?.batches ?? 0, items: found?.items ?? 0 };
  }
}
