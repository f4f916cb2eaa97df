import type { ItemTrace, UnknownItem } from '../contract/resolutions.js';
import { packId } from '../shared/ids.js';
import { isUnresolved, mayHaveHadEffect } from '../shared/item-standing.js';
import { type TraceLine, toTraces, toUnknownItems, type UnknownLine } from '../shared/unknown-items.js';
import type { Database } from './database.js';
import { envelopeOf } from './pending.js';
import { firstFound, lookUp } from './pieces.js';

/** Ids of an item's rows, as JSON. */
export const rowsOf = (item: string): string =>
  `(SELECT coalesce(json_agg("row")::text, '[]') FROM item_rows WHERE item_rows.item = ${item})`;

const OF_ITEMS = `
FROM items
${lookUp('batch_items', 'batch_items.item = items.id')}
${lookUp('bodies', 'bodies.item = items.id')}
LEFT ${lookUp('outcomes', 'outcomes.item = items.id')}`;

const unknownSql = (of: string): string => `
SELECT items.id, items.envelope, bodies.json, ${rowsOf('items.id')} AS rows_json,
  (SELECT coalesce(json_agg(json_build_array(started_at, ended_at, event) ORDER BY attempt)::text, '[]') FROM attempts
    WHERE attempts.batch = batch_items.batch AND coalesce(attempts.doubtful, 1) = 1) AS attempts_json
${OF_ITEMS}
WHERE ${of} AND ${isUnresolved('batch_items.batch')}
ORDER BY items.id LIMIT 200`;

const UNKNOWN = unknownSql('items.id > $1::bigint AND items.id <= $2::bigint');
const UNKNOWN_OF_ROW = unknownSql(`items.id > $1::bigint AND items.id IN (
  SELECT item FROM item_rows WHERE item_rows."row" = $2::bigint)`);

/** Items of a run that may be settled, or those of one row; by number. They may be settled while it is read. */
export function unknownItems(db: Database, run: number, row?: number): AsyncGenerator<UnknownItem> {
  return toUnknownItems(run, {
    page: (after, end) =>
      row === undefined
        ? firstFound(db, 'items', { after, end }, (from, last) => db.all<UnknownLine>(UNKNOWN, [from, last]))
        : db.all<UnknownLine>(UNKNOWN_OF_ROW, [after, packId(run, row)]),
    envelope: (id) => envelopeOf(db, id),
  });
}

const TRACES = `
SELECT items.id, items.first_row, items.envelope, bodies.json, outcomes.status, outcomes.message_json,
  (SELECT max(ended_at) FROM attempts WHERE attempts.batch = batch_items.batch) AS ended_at,
  CASE WHEN $3::int = 1 THEN (
    SELECT coalesce('[' || string_agg(records.json, ',' ORDER BY records.n) || ']', '[]') FROM records
    WHERE records.item = items.id) END AS records_json
${OF_ITEMS}
WHERE items.id > $1::bigint AND items.id <= $2::bigint AND ${mayHaveHadEffect('items.id')}
ORDER BY items.id LIMIT 500`;

/** Items of a run that had an effect or may have had one, by number. */
export function itemTraces(
  db: Database,
  run: number,
  records: boolean,
): AsyncGenerator<readonly ItemTrace[]> {
  return toTraces(run, {
    page: (after, end) =>
      firstFound(db, 'items', { after, end }, (from, last) =>
        db.all<TraceLine>(TRACES, [from, last, records ? 1 : 0]),
      ),
    envelope: (id) => envelopeOf(db, id),
  });
}
