import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { ClaimOptions, Cleared } from '../contract/execution.js';
import type { KeyHolder } from '../contract/key-holder.js';
import { isRetry } from '../rules/attempts.js';
import { heldOutcome, mayTakeOver } from '../rules/keys.js';
import { packId, unpackId } from '../shared/ids.js';
import { TO_BE_SENT } from '../shared/item-standing.js';
import { type Claims, lockKindred } from './claims.js';
import { type AskedIntent, refusalOf } from './intents.js';
import { finishBatches, writeOutcomes } from './outcomes.js';
import type { Queryable } from './transaction.js';

/** While it is locked nobody else begins, ends or settles anything of the batch. */
const LOCK_BATCH = 'SELECT id FROM batches WHERE id = $1 FOR UPDATE';

const OPEN_ATTEMPT = 'SELECT attempt, nonce FROM attempts WHERE batch = $1 AND ended_at IS NULL';

/** In the order of their keys: two that claim the same keys must not wait for each other in turn. */
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

interface Unsettled {
  readonly item: number;
  readonly key: string | null;
  readonly content: string;
}

export interface Looked extends AskedIntent {
  readonly options: ClaimOptions;
  readonly slot: number;
}

/**
 * Begins one intent by all that is known of its batch, where some key of it is held, or it isn't its batch's plain next
 * attempt. Also finds what an earlier try of the same intent has written. Runs inside a transaction of its own.
 * @throws ProductError internal where the batch isn't to be sent
 */
export async function openLooking(tx: Queryable, claims: Claims, asked: Looked): Promise<Cleared> {
  const { intent, run, kindred, options, slot } = asked;
  const refused = await refusalOf(tx, asked);
  if (refused) return { withheld: [], refused };
  const batch = packId(run.number, intent.batch);
  await tx.get(LOCK_BATCH, [batch]);
  const open = await tx.get<{ attempt: number; nonce: string }>(OPEN_ATTEMPT, [batch]);
  if (open?.attempt === intent.attempt && open.nonce === intent.nonce) return { withheld: [] };
  const items = open ? [] : await tx.all<Unsettled>(TO_SEND, [batch]);
  if (items.length === 0) throw notPending(asked);
  if (kindred.length > 0) await lockKindred(tx, run);
  const withheld: { item: number; holder: KeyHolder; outcome: ReturnType<typeof heldOutcome> }[] = [];
  for (const { item, key, content } of items) {
    if (key === null) continue;
    const claim = { scope: run.scope, key, item };
    const holder = await claims.claim(tx, claim, kindred);
    if (!holder) continue;
    if (mayTakeOver(holder, options)) await claims.takeOver(tx, claim);
    else withheld.push({ item, holder, outcome: heldOutcome(holder, content) });
  }
  withheld.sort((one, other) => one.item - other.item);
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
    if ((await tx.run(BEGIN, line)) === 0) throw notPending(asked);
    await tx.run(COUNT, [run.number, slot, isRetry(intent) ? 1 : 0]);
  }
  return { withheld: withheld.map(({ item, holder }) => ({ item: unpackId(item), holder })) };
}

function notPending({ intent: { run, batch } }: AskedIntent): ProductError {
  return new ProductError('internal', message('ledger.batch_not_pending', { run, batch }));
}
