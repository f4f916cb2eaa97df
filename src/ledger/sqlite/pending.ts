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
import type { Database } from './database.js';

/** Batches that are neither done nor on their way, each with its envelope and what its attempts came to. */
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

/** Whether any was tried. While sending, batches after the last one taken are untried (group-commit.ts). */
const TRIED = 'SELECT 1 FROM attempts WHERE batch > ? AND batch < ? LIMIT 1';

/** The same where none was: five look-ups fewer for each. */
const UNTRIED_PAGE = `
SELECT batches.id AS batch, batches.envelope, envelopes.json, NULL AS attempts, NULL AS doubtful, NULL AS http_status,
  NULL AS sent
FROM batches CROSS JOIN envelopes ON envelopes.id = batches.envelope
WHERE batches.id > ? AND batches.id < ? AND done = 0
ORDER BY batches.id LIMIT ?`;

/** Their items without an outcome. */
const ITEMS = `
SELECT batch_items.batch, batch_items.item, items.item_key, bodies.json
FROM json_each(?) AS page
CROSS JOIN batch_items ON batch_items.batch = page.value
CROSS JOIN items ON items.id = batch_items.item
CROSS JOIN bodies ON bodies.item = batch_items.item
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE ${TO_BE_SENT}
ORDER BY page.key, batch_items.item`;

/** The same of batches in (?, ?] that were never tried. */
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

/** A stored envelope. */
export function envelopeOf(db: Database, id: number): JsonObject {
  return toEnvelope(db.get<EnvelopeLine>('SELECT json FROM envelopes WHERE id = ?', id));
}
