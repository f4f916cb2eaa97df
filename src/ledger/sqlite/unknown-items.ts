import type { ItemTrace, UnknownItem } from '../contract/resolutions.js';
import { packId } from '../shared/ids.js';
import { isUnresolved, mayHaveHadEffect } from '../shared/item-standing.js';
import { type TraceLine, toTraces, toUnknownItems, type UnknownLine } from '../shared/unknown-items.js';
import type { Database } from './database.js';
import { envelopeOf } from './pending.js';

const UNKNOWN_AT_ONCE = 200;
const TRACES_AT_ONCE = 500;

/** Ids of an item's rows, as JSON. */
export const rowsOf = (item: string): string =>
  `(SELECT json_group_array("row") FROM item_rows WHERE item_rows.item = ${item})`;

const UNKNOWN = `
SELECT items.id, items.envelope, bodies.json, ${rowsOf('items.id')} AS rows_json,
  (SELECT json_group_array(json_array(started_at, ended_at, event) ORDER BY attempt) FROM attempts
    WHERE attempts.batch = batch_items.batch AND coalesce(attempts.doubtful, 1) = 1) AS attempts_json
FROM items
CROSS JOIN batch_items ON batch_items.item = items.id
CROSS JOIN bodies ON bodies.item = items.id
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.id > :after AND items.id < :end AND ${isUnresolved('batch_items.batch')}
  AND (:row = 0 OR EXISTS (SELECT 1 FROM item_rows WHERE item_rows."row" = :row AND item_rows.item = items.id))
ORDER BY items.id LIMIT :limit`;

/** Items of a run that may be settled, or those of one row; by number. They may be settled while it is read. */
export function unknownItems(db: Database, run: number, row?: number): AsyncGenerator<UnknownItem> {
  const of = row === undefined ? 0 : packId(run, row);
  return toUnknownItems(run, {
    page: (after, end) =>
      db.read(() => db.allNamed<UnknownLine>(UNKNOWN, { after, end, row: of, limit: UNKNOWN_AT_ONCE })),
    envelope: (id) => db.read(() => envelopeOf(db, id)),
  });
}

const TRACES = `
SELECT items.id, items.first_row, items.envelope, bodies.json, outcomes.status, outcomes.message_json,
  (SELECT max(ended_at) FROM attempts WHERE attempts.batch = batch_items.batch) AS ended_at,
  CASE WHEN :records THEN (SELECT json_group_array(json(records.json) ORDER BY records.n) FROM records
    WHERE records.item = items.id) END AS records_json
FROM items
CROSS JOIN batch_items ON batch_items.item = items.id
CROSS JOIN bodies ON bodies.item = items.id
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.id > :after AND items.id < :end AND ${mayHaveHadEffect('items.id')}
ORDER BY items.id LIMIT :limit`;

/** Items of a run that had an effect or may have had one, by number. */
export function itemTraces(
  db: Database,
  run: number,
  records: boolean,
): AsyncGenerator<readonly ItemTrace[]> {
  const options = { records: records ? 1 : 0, limit: TRACES_AT_ONCE };
  return toTraces(run, {
    page: (after, end) => db.read(() => db.allNamed<TraceLine>(TRACES, { after, end, ...options })),
    envelope: (id) => db.read(() => envelopeOf(db, id)),
  });
}
