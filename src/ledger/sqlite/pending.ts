import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { PendingBatch } from '../contract/execution.js';
import type { Database } from './database.js';
import { idRange, packId, unpackId } from './ids.js';
import { TO_BE_SENT } from './item-standing.js';

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

interface BatchLine {
  readonly batch: number;
  readonly envelope: number;
  readonly json: string;
  readonly attempts: number | null;
  readonly doubtful: number | null;
  /** Of the last attempt. */
  readonly http_status: number | null;
  readonly sent: number | null;
}

interface ItemLine {
  readonly batch: number;
  readonly item: number;
  readonly item_key: string | null;
  readonly json: string;
}

type Items = { item: number; body: Json; key?: string }[];

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
  const batches = db.all<BatchLine>(tried ? PAGE : UNTRIED_PAGE, packId(run, after), end, limit);
  const last = batches.at(-1);
  if (!last) return [];
  const items = new Map<number, Items>(batches.map(({ batch }) => [batch, []]));
  const lines = tried
    ? db.all<ItemLine>(ITEMS, JSON.stringify([...items.keys()]))
    : db.all<ItemLine>(UNTRIED_ITEMS, packId(run, after), last.batch);
  for (const line of lines) {
    const item = { item: unpackId(line.item), body: exactParse(line.json) as Json };
    items.get(line.batch)?.push(line.item_key === null ? item : { ...item, key: line.item_key });
  }
  const envelopes = new Map<number, JsonObject>();
  return batches.map(({ batch, envelope, json, attempts, doubtful, http_status: status, sent }) => {
    const read = envelopes.get(envelope) ?? (exactParse(json) as JsonObject);
    envelopes.set(envelope, read);
    return {
      batch: unpackId(batch),
      envelope: read,
      items: items.get(batch)!,
      attempts: attempts ?? 0,
      doubtful: doubtful === 1,
      ...(status === 429 ? { paused: true } : {}),
      ...(sent === 1 ? { sent: true } : {}),
    };
  });
}

/** The stored envelope; those of one page are read once. */
export function envelopeOf(db: Database, id: number, read: Map<number, JsonObject>): JsonObject {
  const known = read.get(id);
  if (known) return known;
  const found = db.get<{ json: string }>('SELECT json FROM envelopes WHERE id = ?', id);
  const envelope = found ? (exactParse(found.json) as JsonObject) : {};
  read.set(id, envelope);
  return envelope;
}
