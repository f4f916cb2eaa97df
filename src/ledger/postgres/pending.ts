import type { JsonObject } from '../../model/json.js';
import type { PendingBatch } from '../contract/execution.js';
import { idRange, packId } from '../shared/ids.js';
import { TO_BE_SENT } from '../shared/item-standing.js';
import {
  type EnvelopeLine,
  type PendingBatchLine,
  type PendingItemLine,
  toEnvelope,
  toPendingBatches,
} from '../shared/pending.js';
import type { Queryable } from './transaction.js';

/** Batches that are neither done nor on their way, each with its envelope and what its attempts came to. */
const PAGE = `
SELECT batches.id AS batch, batches.envelope, envelopes.json, made.attempts, made.doubtful, made.sent,
  (SELECT http_status FROM attempts WHERE attempts.batch = batches.id AND attempts.attempt = made.attempts) AS http_status
FROM batches JOIN envelopes ON envelopes.id = batches.envelope
CROSS JOIN LATERAL (SELECT max(attempt) AS attempts, max(doubtful) AS doubtful, max(sent) AS sent,
  bool_or(ended_at IS NULL) AS open FROM attempts WHERE attempts.batch = batches.id) AS made
WHERE batches.id > $1 AND batches.id < $2 AND done = 0 AND made.open IS NOT TRUE
ORDER BY batches.id LIMIT $3`;

/** Their items without an outcome. */
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
    // Those without an item were settled since; the page may have been of nothing else.
    if (batches.length > 0) return batches;
    from = last.batch;
  }
}

export async function envelopeOf(db: Queryable, id: number): Promise<JsonObject> {
  return toEnvelope(await db.get<EnvelopeLine>('SELECT json FROM envelopes WHERE id = $1', [id]));
}
