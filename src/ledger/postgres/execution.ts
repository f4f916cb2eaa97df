import type { ItemOutcome } from '../../model/item.js';
import type { Clock } from '../../util/clock.js';
import type {
  AttemptClosed,
  AttemptEnd,
  ClaimOptions,
  Cleared,
  ExecutionStore,
  Intent,
  PendingBatch,
} from '../contract/execution.js';
import type { LedgerGuard } from '../marks/ledger-guard.js';
import { idRange, packId } from '../store/ids.js';
import { TO_BE_SENT } from '../store/item-state.js';
import { type PendingBatchLine, type PendingItemLine, toPendingBatches } from '../store/pending.js';
import { itemCounts, remaining } from '../store/row-counts.js';
import { requireTurn } from '../store/runs.js';
import { AttemptWriter } from './attempt-writer.js';
import type { CompletionContext } from './completion-writer.js';
import type { Database } from './database.js';
import { executeStore } from './execute-store.js';
import type { SendLease } from './intent-writer.js';
import { recoverBatches } from './recover.js';
import type { PostgresRunner, RunNumbers } from './runner.js';
import type { ServerWatch } from './server-watch.js';
import type { Queryable } from './transaction.js';

/** Batches still to be sent: not done and without an open attempt. Includes the envelope and a summary of the attempts. */
const PAGE = `
SELECT batches.id AS batch, batches.envelope, envelopes.json, made.attempts, made.doubtful, made.sent,
  (SELECT http_status FROM attempts WHERE attempts.batch = batches.id AND attempts.attempt = made.attempts) AS http_status
FROM batches JOIN envelopes ON envelopes.id = batches.envelope
CROSS JOIN LATERAL (SELECT max(attempt) AS attempts, max(doubtful) AS doubtful, max(sent) AS sent,
  bool_or(ended_at IS NULL) AS open FROM attempts WHERE attempts.batch = batches.id) AS made
WHERE batches.id > $1 AND batches.id < $2 AND done = 0 AND made.open IS NOT TRUE
ORDER BY batches.id LIMIT $3`;

/** Items of the batches that are still to be sent. */
const ITEMS = `
SELECT batch_items.batch, batch_items.item, items.item_key, bodies.json
FROM unnest($1::bigint[]) AS page (batch)
JOIN batch_items ON batch_items.batch = page.batch
JOIN items ON items.id = batch_items.item
JOIN bodies ON bodies.item = batch_items.item
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE ${TO_BE_SENT}
ORDER BY batch_items.batch, batch_items.item`;

/** The next batches of a run to be sent, after a batch number and up to another, by number. */
export async function pendingBatches(
  db: Queryable,
  run: number,
  {
    after,
    limit,
    upTo,
  }: { readonly after: number; readonly limit: number; readonly upTo?: number | undefined },
): Promise<PendingBatch[]> {
  const end = upTo === undefined ? idRange(run).end : packId(run, upTo) + 1;
  for (let from = packId(run, after); ; ) {
    const lines = await db.all<PendingBatchLine>(PAGE, [from, end, limit]);
    const last = lines.at(-1);
    if (!last) return [];
    const items = await db.all<PendingItemLine>(ITEMS, [lines.map((it) => it.batch)]);
    const batches = toPendingBatches(lines, items).filter((it) => it.items.length > 0);
    // Batches without an item got their outcomes since the first read; that may apply to the whole page.
    if (batches.length > 0) return batches;
    from = last.batch;
  }
}

interface Watching {
  readonly server?: ServerWatch;
  readonly guard?: LedgerGuard;
}

export class PostgresExecutionStore implements ExecutionStore {
  readonly #runner: PostgresRunner;
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #clock: Clock;
  readonly #place: SendLease & Watching;
  readonly #attempts: AttemptWriter;

  constructor(
    runner: PostgresRunner,
    db: Database,
    { numbers, clock }: { readonly numbers: RunNumbers; readonly clock: Clock },
    place: SendLease & CompletionContext & Watching,
  ) {
    this.#runner = runner;
    this.#db = db;
    this.#numbers = numbers;
    this.#clock = clock;
    this.#place = place;
    this.#attempts = new AttemptWriter(db, { numbers, clock }, place);
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
    // If all items are withheld there is no attempt.
    if (!cleared.refused && cleared.withheld.length === 0) guard?.committed(intent);
    // The connection may have been replaced since, and the new one may lead to another server.
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

  /** Writes an end that was kept on this machine while the ledger was unreachable. */
  closeKept(end: AttemptEnd): Promise<AttemptClosed> {
    return this.#attempts.close(end, 'kept');
  }

  async recover(run: string, repeatable: boolean, lost: ItemOutcome, turn?: number): Promise<number> {
    const now = this.#clock.now();
    return this.#numbers.write(run, async (tx, at) => {
      if (turn !== undefined) await executeStore(tx, requireTurn(at.number, turn));
      return recoverBatches(tx, at, idRange(at.number), repeatable ? undefined : lost, now);
    });
  }

  /** Nothing to release: on a server keys are claimed only with their intent. */
  async release(): Promise<void> {}

  remaining(run: string): ReturnType<ExecutionStore['remaining']> {
    return this.#runner.read(() => remaining(this.#runner.runs, run), 'outcomes');
  }

  itemCounts(run: string): ReturnType<ExecutionStore['itemCounts']> {
    return this.#runner.read(() => itemCounts(this.#runner.runs, run), 'snapshot');
  }

  /** Resolves when all requested writes are in the ledger or were rejected. */
  async idle(): Promise<void> {
    await this.#attempts.idle();
  }
}
