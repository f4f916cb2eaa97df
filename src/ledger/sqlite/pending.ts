import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { PendingBatch } from '../contract.js';
import type { Database } from './database.js';
import { idRange, packId, unpackId } from './ids.js';

/** Items without an outcome, of batches that are neither done nor on their way. */
const PAGE = `
WITH page AS MATERIALIZED (
  SELECT id, envelope FROM batches
  WHERE id > ? AND id < ? AND done = 0
    AND NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = batches.id AND ended_at IS NULL)
  ORDER BY id LIMIT ?
)
SELECT page.id AS batch, page.envelope, batch_items.item, items.item_key, bodies.json
FROM page
CROSS JOIN batch_items ON batch_items.batch = page.id
CROSS JOIN items ON items.id = batch_items.item
CROSS JOIN bodies ON bodies.item = batch_items.item
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE coalesce(outcomes.status, 'not_sent') = 'not_sent'
ORDER BY page.id, batch_items.item`;

interface Line {
  readonly batch: number;
  readonly envelope: number;
  readonly item: number;
  readonly item_key: string | null;
  readonly json: string;
}

type Items = { item: number; body: Json; key?: string }[];

/** The next batches of a run to be sent, after a batch number, by number. */
export function pendingBatches(db: Database, run: number, after: number, limit: number): PendingBatch[] {
  const lines = db.all<Line>(PAGE, packId(run, after), idRange(run).end, limit);
  const found = new Map<number, { readonly envelope: number; readonly items: Items }>();
  for (const line of lines) {
    const batch = found.get(line.batch) ?? { envelope: line.envelope, items: [] };
    found.set(line.batch, batch);
    const item = { item: unpackId(line.item), body: exactParse(line.json) as Json };
    batch.items.push(line.item_key === null ? item : { ...item, key: line.item_key });
  }
  const envelopes = new Map<number, JsonObject>();
  return [...found].map(([id, { envelope, items }]) => ({
    batch: unpackId(id),
    envelope: envelopeOf(db, envelope, envelopes),
    items,
    ...attemptsOf(db, id),
  }));
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

function attemptsOf(db: Database, batch: number): Pick<PendingBatch, 'attempts' | 'doubtful'> {
  const sql = 'SELECT max(attempt) AS n, max(doubtful) AS doubtful FROM attempts WHERE batch = ?';
  const found = db.get<{ n: number | null; doubtful: number | null }>(sql, batch);
  return { attempts: found?.n ?? 0, doubtful: found?.doubtful === 1 };
}
