import type { ItemOutcome } from '../../model/item.js';
import type { Clock } from '../../util/clock.js';
import {
  type AttemptClosed,
  type AttemptEnd,
  type ClaimOptions,
  type Cleared,
  ENDED,
  type ExecutionStore,
  type Intent,
  type PendingBatch,
} from '../contract/execution.js';
import type { LedgerGuard } from '../marks/ledger-guard.js';
import { type DuplicateId, duplicatesInBatch, withoutIdsOfOthers } from '../rules/returned-ids.js';
import { idRange, packId, runOf, unpackId } from '../store/ids.js';
import { TO_BE_SENT } from '../store/item-state.js';
import { type PendingBatchLine, type PendingItemLine, toPendingBatches } from '../store/pending.js';
import { itemCounts, remaining } from '../store/row-counts.js';
import type { StoreRunner } from '../store/runner.js';
import type { AttemptJournal } from './attempt-journal.js';
import { AttemptWriter } from './attempt-writer.js';
import type { Database } from './database.js';
import type { GroupCommit } from './group-commit.js';
import type { PrefetchedClaims } from './prefetched-claims.js';
import type { RunNumbers } from './runner.js';

/** Batches still to be sent: not done and without an open attempt. Includes the envelope and a summary of the attempts. */
const PAGE = `
SELECT batches.id AS batch, batches.envelope, envelopes.json,
  (SELECT max(attempt) FROM attempts WHERE attempts.batch = batches.id) AS attempts,
  (SELECT max(doubtful) FROM attempts WHERE attempts.batch = batches.id) AS doubtful,
  (SELECT http_status FROM attempts WHERE attempts.batch = batches.id ORDER BY attempt DESC LIMIT 1) AS http_status,
  (SELECT max(sent) FROM attempts WHERE attempts.batch = batches.id) AS sent
FROM batches CROSS JOIN envelopes ON envelopes.id = batches.envelope
WHERE batches.id > ? AND batches.id < ? AND done = 0
  AND NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = batches.id AND ended_at IS NULL)
ORDER BY batches.id LIMIT ?`;

/** Whether any batch was tried. During sending, batches after the last one read are untried. */
const TRIED = 'SELECT 1 FROM attempts WHERE batch > ? AND batch < ? LIMIT 1';

/** If none was tried: saves five lookups for each batch. */
const UNTRIED_PAGE = `
SELECT batches.id AS batch, batches.envelope, envelopes.json, NULL AS attempts, NULL AS doubtful, NULL AS http_status,
  NULL AS sent
FROM batches CROSS JOIN envelopes ON envelopes.id = batches.envelope
WHERE batches.id > ? AND batches.id < ? AND done = 0
ORDER BY batches.id LIMIT ?`;

/** Items of the page that are still to be sent. */
const ITEMS = `
SELECT batch_items.batch, batch_items.item, items.item_key, bodies.json
FROM json_each(?) AS page
CROSS JOIN batch_items ON batch_items.batch = page.value
CROSS JOIN items ON items.id = batch_items.item
CROSS JOIN bodies ON bodies.item = batch_items.item
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE ${TO_BE_SENT}
ORDER BY page.key, batch_items.item`;

/** Items still to be sent, of batches in (?, ?] that were never tried. */
const UNTRIED_ITEMS = `
SELECT batch_items.batch, batch_items.item, items.item_key, bodies.json
FROM batch_items
CROSS JOIN items ON items.id = batch_items.item
CROSS JOIN bodies ON bodies.item = batch_items.item
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE batch_items.batch > ? AND batch_items.batch <= ? AND coalesce(outcomes.status, 'not_sent') = 'not_sent'
ORDER BY batch_items.batch, batch_items.item`;

/** The next batches of a run to be sent, after a batch number and up to another, by number. */
export function pendingBatches(
  db: Database,
  run: number,
  {
    after,
    limit,
    upTo,
  }: { readonly after: number; readonly limit: number; readonly upTo?: number | undefined },
): PendingBatch[] {
  const end = upTo === undefined ? idRange(run).end : packId(run, upTo) + 1;
  const tried = db.get(TRIED, packId(run, after), end) !== undefined;
  const batches = db.all<PendingBatchLine>(tried ? PAGE : UNTRIED_PAGE, packId(run, after), end, limit);
  const last = batches.at(-1);
  if (!last) return [];
  const lines = tried
    ? db.all<PendingItemLine>(ITEMS, JSON.stringify(batches.map(({ batch }) => batch)))
    : db.all<PendingItemLine>(UNTRIED_ITEMS, packId(run, after), last.batch);
  return toPendingBatches(batches, lines);
}

export class SqliteExecutionStore implements ExecutionStore {
  readonly #runner: StoreRunner;
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #group: GroupCommit;
  readonly #journal: AttemptJournal;
  readonly #clock: Clock;
  readonly #attempts: AttemptWriter;
  readonly #guard: LedgerGuard;
  readonly #given: IdRegister;

  constructor(
    runner: StoreRunner,
    db: Database,
    numbers: RunNumbers,
    group: GroupCommit,
    {
      journal,
      ahead,
      guard,
    }: { readonly journal: AttemptJournal; readonly ahead: PrefetchedClaims; readonly guard: LedgerGuard },
    clock: Clock,
  ) {
    this.#runner = runner;
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
    // Called for each window while a run sends. The journal then has rows of earlier batches only and need not be compacted.
    this.#group.flush();
    const { number } = this.#numbers.of(run);
    if (this.#db.read(() => this.#journal.holdsAfter(number, after))) this.#group.catchUp();
    return this.#db.read(() =>
      pendingBatches(this.#db, this.#numbers.of(run).number, { after, limit, upTo }),
    );
  }

  async open(intent: Intent, options: ClaimOptions): Promise<Cleared> {
    const cleared = await this.#group.add(() => this.#attempts.open(intent, options), { sends: true });
    // If all items are withheld there is no attempt.
    if (cleared.withheld.length === 0) this.#guard.committed(intent);
    return cleared;
  }

  close(end: AttemptEnd): Promise<AttemptClosed> {
    // A known outcome must not be lost because another process has locked the ledger for a while.
    return this.#group.add(
      () => {
        const written = this.#given.register(end);
        this.#journal.end(written);
        return written === end ? ENDED : { ...ENDED, outcomes: written.outcomes };
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

  remaining(run: string): ReturnType<ExecutionStore['remaining']> {
    return this.#runner.read(() => remaining(this.#runner.runs, run), 'outcomes');
  }

  itemCounts(run: string): ReturnType<ExecutionStore['itemCounts']> {
    return this.#runner.read(() => itemCounts(this.#runner.runs, run), 'snapshot');
  }
}

const TAKE = 'INSERT INTO given_ids (owner, id, item) VALUES (?, ?, ?) ON CONFLICT (owner, id) DO NOTHING';

const HOLDER = `
SELECT given_ids.item, holders.first_row,
  own.item_key IS NOT NULL AND (holders.item_key = own.item_key OR holders.content = own.content OR EXISTS (
    SELECT 1 FROM item_keys WHERE item_keys.item_key = own.item_key
      AND (item_keys.item = given_ids.item OR item_keys.prior_item = given_ids.item))) AS same
FROM given_ids JOIN items AS own ON own.id = ?3 LEFT JOIN items AS holders ON holders.id = given_ids.item
WHERE given_ids.owner = ?1 AND given_ids.id = ?2`;

/** Registers ids that a platform assigned to items. Each belongs to one item. Runs inside the transaction that writes outcomes. */
export class IdRegister {
  readonly #db: Database;
  readonly #numbers: RunNumbers;

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  /** Registers the ids of an attempt's items. Items whose id belongs to another item become unknown. */
  register(end: AttemptEnd): AttemptEnd {
    const { given } = end;
    if (!given) return end;
    const { number, scope } = this.#numbers.of(end.run);
    const duplicates: DuplicateId[] = duplicatesInBatch(end).map(({ other, ...pair }) => ({
      ...pair,
      other: { run: end.run, row: this.#rowOf(packId(number, other)) },
    }));
    for (const { item, ids } of given.items) {
      for (const id of ids) {
        const other =
          this.#take(number, id, packId(number, item)) ??
          (given.acrossRuns ? this.#take(-scope, id, packId(number, item)) : undefined);
        if (other) duplicates.push({ item, id, other });
      }
    }
    return withoutIdsOfOthers(end, duplicates);
  }

  /** The holder of the id, if it is another item. A platform may assign one id again to the same order. */
  #take(owner: number, id: string, item: number): DuplicateId['other'] | undefined {
    if (this.#db.run(TAKE, owner, id, item) > 0) return undefined;
    const found = this.#db.get<{ item: number; first_row: number | null; same: number }>(
      HOLDER,
      owner,
      id,
      item,
    );
    if (!found || found.item === item || (owner < 0 && found.same === 1)) return undefined;
    const run = this.#numbers.name(runOf(found.item));
    return found.first_row === null ? { run } : { run, row: unpackId(found.first_row) };
  }

  #rowOf(item: number): number {
    const found = this.#db.get<{ first_row: number }>('SELECT first_row FROM items WHERE id = ?', item);
    return unpackId(found?.first_row ?? 0);
  }
}
