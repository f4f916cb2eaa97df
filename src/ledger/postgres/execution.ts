import type { ItemOutcome, ItemStatus } from '../../model/outcome.js';
import type { Clock } from '../../util/clock.js';
import type { AttemptClosed, AttemptEnd, Intent } from '../contract/attempt.js';
import type { ClaimOptions, Cleared, ExecutionStore, PendingBatch } from '../contract/execution.js';
import type { LedgerGuard } from '../marks/ledger-guard.js';
import { idRange } from '../shared/ids.js';
import { TO_BE_SENT } from '../shared/item-standing.js';
import { AttemptWriter } from './attempt-writer.js';
import type { Claims } from './claims.js';
import type { Database } from './database.js';
import type { EndPlace } from './end-writer.js';
import type { IntentPlace } from './intent-writer.js';
import { pendingBatches } from './pending.js';
import { recoverBatches } from './recover.js';
import { type RunNumbers, requireTurn } from './run-numbers.js';
import type { ServerWatch } from './server-watch.js';

const REMAINING = `
SELECT
  (SELECT count(*) FROM batches WHERE id > $1 AND id < $2 AND done = 0) AS batches,
  (SELECT count(*) FROM batch_items WHERE batch > $1 AND batch < $2)
    - (SELECT count(*) FROM outcomes WHERE item > $1 AND item < $2 AND status <> 'not_sent') AS items`;

const SETTLED = `
SELECT status, count(*) AS n FROM outcomes
WHERE item > $1 AND item < $2 AND status <> 'not_sent' GROUP BY status`;

const OPEN = `
SELECT count(*) AS n FROM attempts
JOIN batch_items ON batch_items.batch = attempts.batch
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE attempts.ended_at IS NULL AND attempts.batch > $1 AND attempts.batch < $2
  AND ${TO_BE_SENT}`;

interface Watching {
  readonly server?: ServerWatch;
  readonly guard?: LedgerGuard;
}

type ItemCounts = Partial<Record<ItemStatus | 'pending' | 'open', number>>;

export class PostgresExecutionStore implements ExecutionStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #clock: Clock;
  readonly #claims: Claims;
  readonly #place: IntentPlace & Watching;
  readonly #attempts: AttemptWriter;

  constructor(
    db: Database,
    {
      numbers,
      claims,
      clock,
    }: { readonly numbers: RunNumbers; readonly claims: Claims; readonly clock: Clock },
    place: IntentPlace & EndPlace & Watching,
  ) {
    this.#db = db;
    this.#numbers = numbers;
    this.#clock = clock;
    this.#claims = claims;
    this.#place = place;
    this.#attempts = new AttemptWriter(db, { numbers, claims, clock }, place);
  }

  async pending(run: string, after: number, limit: number, upTo?: number): Promise<readonly PendingBatch[]> {
    const { number } = await this.#numbers.of(run);
    return pendingBatches(this.#db, number, { after, limit, upTo });
  }

  async open(intent: Intent, options: ClaimOptions): Promise<Cleared> {
    const { server, guard } = this.#place;
    const marksHold = async (): Promise<boolean> => (await guard?.marksHold()) ?? false;
    await server?.refuseChanged(marksHold);
    const cleared = await this.#attempts.open(intent, options);
    // Without an attempt where all of it is withheld.
    if (!cleared.refused && cleared.withheld.length === 0) guard?.committed(intent);
    // The connection may have broken meanwhile, and the next one may have led elsewhere.
    try {
      await server?.refuseChanged(marksHold);
      return cleared;
    } catch (error) {
      this.#place.kept.keepUnsent(intent);
      throw error;
    }
  }

  close(end: AttemptEnd): Promise<AttemptClosed> {
    return this.#attempts.close(end);
  }

  /** What was kept on this machine while the ledger couldn't be reached. */
  closeKept(end: AttemptEnd): Promise<AttemptClosed> {
    return this.#attempts.close(end, 'kept');
  }

  async recover(run: string, repeatable: boolean, lost: ItemOutcome, turn?: number): Promise<number> {
    const at = await this.#numbers.of(run);
    const now = this.#clock.now();
    return this.#db.transaction(async (tx) => {
      if (turn !== undefined) await requireTurn(tx, at.number, turn);
      return recoverBatches(tx, this.#claims, at, idRange(at.number), repeatable ? undefined : lost, now);
    });
  }

  /** No key is claimed here but with its intent. */
  async release(): Promise<void> {}

  async remaining(run: string): Promise<{ readonly batches: number; readonly items: number }> {
    const { number } = await this.#numbers.of(run);
    return remainingOf(this.#db, number);
  }

  async itemCounts(run: string): Promise<Readonly<ItemCounts>> {
    const { number } = await this.#numbers.of(run);
    const { first, end } = idRange(number);
    return this.#db.snapshot(async (tx) => {
      const counts: ItemCounts = {};
      for (const it of await tx.all<{ status: ItemStatus; n: number }>(SETTLED, [first, end])) {
        counts[it.status] = it.n;
      }
      const open = (await tx.get<{ n: number }>(OPEN, [first, end]))?.n ?? 0;
      const pending = (await remainingOf(tx, number)).items - open;
      if (open > 0) counts.open = open;
      if (pending > 0) counts.pending = pending;
      return counts;
    });
  }

  /** All that was asked for is in the ledger, or was refused. */
  async idle(): Promise<void> {
    await this.#attempts.idle();
  }
}

async function remainingOf(
  db: Pick<Database, 'get'>,
  run: number,
): Promise<{ batches: number; items: number }> {
  const { first, end } = idRange(run);
  const found = await db.get<{ batches: number; items: number }>(REMAINING, [first, end]);
  return { batches: found?.batches ?? 0, items: found?.items ?? 0 };
}
