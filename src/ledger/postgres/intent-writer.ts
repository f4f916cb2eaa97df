import { randomInt } from 'node:crypto';
import pLimit from 'p-limit';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { ClaimOptions, Cleared, Intent } from '../contract/execution.js';
import type { KeyHolder } from '../contract/plan.js';
import { isRetry } from '../rules/attempts.js';
import { heldOutcome, mayTakeOver } from '../rules/keys.js';
import { claimKey, lockRelatedScopes, takeOverKey } from '../store/claims.js';
import { type KnownRuns, packId, unpackId } from '../store/ids.js';
import { TO_BE_SENT } from '../store/item-state.js';
import type { Database } from './database.js';
import { executeStore } from './execute-store.js';
import { ConnectionLost, LostCommit } from './failures.js';
import type { GroupResult } from './group-write.js';
import { beginIntents, type IntentAnswer, type IntentRequest, isContested, refusalOf } from './intents.js';
import { finishBatches, writeOutcomes } from './outcomes.js';
import type { RunNumbers } from './runner.js';
import type { SpooledReplies } from './spooled-replies.js';
import type { Queryable } from './transaction.js';

/** How many intents may be checked at once. */
const CHECKS = 4;
/** Each process counts requests in separate rows of a run's totals. With one row, all processes would wait for each other. */
const SLOTS = 32_000;
const SENDING = { closed: 'safety' } as const;

export interface WritableIntent extends IntentRequest {
  readonly options: ClaimOptions;
  /** The newest scope that `related` contains. */
  readonly newestScope: number;
}

export interface SendLease {
  readonly kept: Pick<SpooledReplies, 'prepare' | 'keepUnsent'>;
}

/** Writes intents, many at once. The result of a COMMIT without a reply is looked up before the caller's promise resolves. */
export class IntentWriter {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #place: SendLease;
  readonly #checks = pLimit(CHECKS);
  readonly #slot = randomInt(SLOTS);
  readonly #relatedScopes = new Map<string, Pick<WritableIntent, 'related' | 'newestScope'>>();

  constructor(db: Database, numbers: RunNumbers, place: SendLease) {
    this.#db = db;
    this.#numbers = numbers;
    this.#place = place;
  }

  async prepare(intent: Intent, options: ClaimOptions): Promise<WritableIntent> {
    const run = await this.#numbers.of(intent.run);
    await this.#place.kept.prepare(intent.run);
    const known = this.#relatedScopes.get(intent.run) ?? (await this.#readRelatedScopes(intent.run));
    return { intent, options, run, ...known, lock: this.#numbers.lock(run.whole ?? intent.run) };
  }

  async #readRelatedScopes(run: string): Promise<Pick<WritableIntent, 'related' | 'newestScope'>> {
    const newest = await this.#db.get<{ id: number }>('SELECT max(id) AS id FROM scopes');
    const related = await this.#numbers.relatedScopes(await this.#numbers.of(run));
    const known = { related, newestScope: newest?.id ?? 0 };
    this.#relatedScopes.set(run, known);
    return known;
  }

  /** @param lane differs between concurrent calls */
  async write(
    requests: readonly WritableIntent[],
    lane: number,
  ): Promise<readonly GroupResult<IntentAnswer>[]> {
    const withRelated = requests.flatMap(({ run, related }) => (related.length > 0 ? [run] : []));
    const runs = [...new Set(withRelated)].sort((a, b) => a.number - b.number);
    try {
      const answers =
        runs.length === 0
          ? await this.begin((sql, params = []) => this.#db.alone(sql, params), requests, lane)
          : await this.#db.transaction(async (tx) => {
              for (const run of runs) await executeStore(tx, lockRelatedScopes(run));
              return this.begin((sql, params) => tx.all(sql, params), requests, lane);
            }, SENDING);
      return answers.map((value) => ({ value }));
    } catch (error) {
      if (!isContested(error) && !(error instanceof LostCommit) && requests.length === 1) throw error;
      return this.failed(requests, error);
    }
  }

  begin(
    all: Queryable['all'],
    requests: readonly WritableIntent[],
    lane: number,
  ): Promise<readonly IntentAnswer[]> {
    const newestScope = Math.min(...requests.map((it) => it.newestScope));
    return beginIntents(all, requests, { newestScope, slot: this.#slot - lane });
  }

  /** After a failure each intent is checked alone: one must not make the others fail, and some may have been written. */
  async failed(
    requests: readonly WritableIntent[],
    error: unknown,
  ): Promise<readonly GroupResult<IntentAnswer>[]> {
    if (error instanceof LostCommit) await this.#resolveLostCommit(error, requests);
    else if (error instanceof ConnectionLost) throw error;
    return requests.map(() => ({ value: 'look' }));
  }

  look(request: WritableIntent): Promise<Cleared> {
    return this.#checks(() => this.#look(request));
  }

  async #look(request: WritableIntent): Promise<Cleared> {
    try {
      const { related } = await this.#readRelatedScopes(request.intent.run);
      const checked = { ...request, related, slot: this.#slot };
      return await this.#db.transaction((tx) => beginChecked(tx, this.#numbers.known, checked), SENDING);
    } catch (error) {
      // An earlier attempt may have written it.
      if (error instanceof LostCommit || error instanceof ConnectionLost)
        this.#place.kept.keepUnsent(request.intent);
      throw error;
    }
  }

  /** Resolves when it is certain whether the intents were written. Until then the server may still commit them. */
  async #resolveLostCommit(lost: LostCommit, requests: readonly WritableIntent[]): Promise<void> {
    try {
      await this.#db.resolveLostCommit(lost);
    } catch (error) {
      for (const { intent } of requests) this.#place.kept.keepUnsent(intent);
      throw error;
    }
  }
}

/** While it is locked, no other process begins, ends or resolves anything of the batch. */
const LOCK_BATCH = 'SELECT id FROM batches WHERE id = $1 FOR UPDATE';

const OPEN_ATTEMPT = 'SELECT attempt, nonce FROM attempts WHERE batch = $1 AND ended_at IS NULL';

/** In the order of keys, so that two processes that claim the same keys cannot deadlock. */
const TO_SEND = `
SELECT items.id AS item, items.item_key AS key, items.content
FROM batch_items JOIN items ON items.id = batch_items.item
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE batch_items.batch = $1 AND ${TO_BE_SENT} AND EXISTS (SELECT 1 FROM batches WHERE id = $1 AND done = 0)
ORDER BY items.item_key, items.id`;

const BEGIN = `
INSERT INTO attempts (batch, attempt, nonce, started_at, lease, token) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT DO NOTHING`;

const COUNT = `
INSERT INTO run_sums (run, slot, requests, retries) VALUES ($1, $2, 1, $3)
ON CONFLICT (run, slot) DO UPDATE SET requests = run_sums.requests + 1, retries = run_sums.retries + excluded.retries`;

interface UnfinishedItem {
  readonly item: number;
  readonly key: string | null;
  readonly content: string;
}

export interface CheckedIntent extends IntentRequest {
  readonly options: ClaimOptions;
  readonly slot: number;
}

/**
 * Begins one intent after a full check of its batch: when another item has one of its keys, or when it isn't the first attempt.
 * Also detects that an earlier call has written the same intent. Runs inside a separate transaction.
 * @throws ProductError internal when the batch must not be sent
 */
export async function beginChecked(tx: Queryable, runs: KnownRuns, request: CheckedIntent): Promise<Cleared> {
  const { intent, run, related, options, slot } = request;
  const refused = await refusalOf(tx, request);
  if (refused) return { withheld: [], refused };
  const batch = packId(run.number, intent.batch);
  await tx.get(LOCK_BATCH, [batch]);
  const open = await tx.get<{ attempt: number; nonce: string }>(OPEN_ATTEMPT, [batch]);
  if (open?.attempt === intent.attempt && open.nonce === intent.nonce) return { withheld: [] };
  const items = open ? [] : await tx.all<UnfinishedItem>(TO_SEND, [batch]);
  if (items.length === 0) throw notPending(request);
  if (related.length > 0) await executeStore(tx, lockRelatedScopes(run));
  const withheld: { item: number; holder: KeyHolder; outcome: ReturnType<typeof heldOutcome> }[] = [];
  for (const { item, key, content } of items) {
    if (key === null) continue;
    const claim = { scope: run.scope, key, item };
    const holder = await executeStore(tx, claimKey(runs, claim, related));
    if (!holder) continue;
    if (mayTakeOver(holder, options)) await executeStore(tx, takeOverKey(claim));
    else withheld.push({ item, holder, outcome: heldOutcome(holder, content) });
  }
  withheld.sort((a, b) => a.item - b.item);
  await writeOutcomes(
    tx,
    withheld.map(({ item, outcome }) => ({ item, attempts: intent.attempt - 1, outcome })),
  );
  if (withheld.length === items.length) await finishBatches(tx, [batch]);
  else {
    const { lease } = intent;
    const line = [
      batch,
      intent.attempt,
      intent.nonce,
      intent.startedAt,
      lease?.chunk ?? null,
      lease?.token ?? null,
    ];
    if ((await tx.run(BEGIN, line)) === 0) throw notPending(request);
    await tx.run(COUNT, [run.number, slot, isRetry(intent) ? 1 : 0]);
  }
  return { withheld: withheld.map(({ item, holder }) => ({ item: unpackId(item), holder })) };
}

function notPending({ intent: { run, batch } }: IntentRequest): ProductError {
  return new ProductError('internal', message('ledger.batch_not_pending', { run, batch }));
}
