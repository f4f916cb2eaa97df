import type { ItemOutcome } from '../../model/item.js';
import { exactStringify } from '../../util/exact-json.js';
import { TO_BE_SENT } from '../store/item-state.js';
import type { Database } from './database.js';

const WRITE = `
INSERT INTO outcomes (item, status, attempts, license_order_id, code, message_json, columns_json)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (item) DO UPDATE SET status = excluded.status, attempts = excluded.attempts,
  license_order_id = excluded.license_order_id, code = excluded.code, message_json = excluded.message_json,
  columns_json = excluded.columns_json
WHERE status = 'not_sent'`;

/** Marks the batch as done if none of its items is still to be sent. */
const FINISH_BATCH = `
UPDATE batches SET done = 1 WHERE id = ?1 AND NOT EXISTS (
  SELECT 1 FROM batch_items LEFT JOIN outcomes ON outcomes.item = batch_items.item
  WHERE batch_items.batch = ?1 AND ${TO_BE_SENT})`;

/**
 * Writes the outcome of an item; false if it already has one. `not_sent` is not an outcome: the item is still to be sent, and
 * only the report shows why it was not sent yet. Runs inside a transaction.
 */
export function writeOutcome(db: Database, item: number, outcome: ItemOutcome, attempts: number): boolean {
  const columns = outcome.columns && Object.keys(outcome.columns).length > 0 ? outcome.columns : undefined;
  const written = db.run(
    WRITE,
    item,
    outcome.status,
    attempts,
    outcome.licenseOrderId ?? null,
    outcome.code ?? null,
    outcome.message === undefined ? null : JSON.stringify(outcome.message),
    columns === undefined ? null : JSON.stringify(columns),
  );
  if (written === 0) return false;
  let n = 0;
  for (const record of outcome.records ?? []) {
    n += 1;
    db.run('INSERT INTO records (item, n, json) VALUES (?, ?, ?)', item, n, exactStringify(record));
  }
  return true;
}

export function finishBatch(db: Database, batch: number): void {
  db.run(FINISH_BATCH, batch);
}
