import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { ItemTrace, UnknownItem } from '../contract/resolutions.js';
import { effectOf } from '../rules/item-standing.js';
import type { Database } from './database.js';
import { idRange, packId, unpackId, unpackRows } from './ids.js';
import { isUnresolved, mayHaveHadEffect } from './item-standing.js';
import { pagesOf } from './pages.js';
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

interface UnknownLine {
  readonly id: number;
  readonly envelope: number;
  readonly json: string;
  readonly rows_json: string;
  readonly attempts_json: string;
}

/** Items of a run that may be settled, or those of one row; by number. They may be settled while it is read. */
export async function* unknownItems(db: Database, run: number, row?: number): AsyncGenerator<UnknownItem> {
  const { first, end } = idRange(run);
  const of = row === undefined ? 0 : packId(run, row);
  const envelopes = new Map<number, JsonObject>();
  const read = (after: number): readonly UnknownLine[] =>
    db.read(() => db.allNamed(UNKNOWN, { after, end, row: of, limit: UNKNOWN_AT_ONCE }));
  for await (const lines of pagesOf(first, read, (it) => it.id)) {
    for (const it of lines) {
      yield {
        item: unpackId(it.id),
        rows: unpackRows(it.rows_json),
        envelope: db.read(() => envelopeOf(db, it.envelope, envelopes)),
        body: exactParse(it.json) as Json,
        attempts: attemptsOf(it.attempts_json),
      };
    }
  }
}

function attemptsOf(json: string): UnknownItem['attempts'] {
  const lines = JSON.parse(json) as [number, number | null, string | null][];
  return lines.map(([startedAt, endedAt, event]) => ({
    startedAt,
    ...(endedAt === null ? {} : { endedAt }),
    ...(event === null ? {} : { event }),
  }));
}

const TRACES = `
SELECT items.id, items.first_row, items.envelope, bodies.json, outcomes.status,
  (SELECT max(ended_at) FROM attempts WHERE attempts.batch = batch_items.batch) AS ended_at,
  CASE WHEN :records THEN (SELECT json_group_array(json(records.json) ORDER BY records.n) FROM records
    WHERE records.item = items.id) END AS records_json
FROM items
CROSS JOIN batch_items ON batch_items.item = items.id
CROSS JOIN bodies ON bodies.item = items.id
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.id > :after AND items.id < :end AND ${mayHaveHadEffect('items.id')}
ORDER BY items.id LIMIT :limit`;

interface TraceLine {
  readonly id: number;
  readonly first_row: number;
  readonly envelope: number;
  readonly json: string;
  readonly status: string | null;
  readonly ended_at: number | null;
  readonly records_json: string | null;
}

/** Items of a run that had an effect or may have had one, by number. */
export async function* itemTraces(
  db: Database,
  run: number,
  records: boolean,
): AsyncGenerator<readonly ItemTrace[]> {
  const { first, end } = idRange(run);
  const envelopes = new Map<number, JsonObject>();
  const read = (after: number): readonly TraceLine[] =>
    db.read(() => db.allNamed(TRACES, { after, end, limit: TRACES_AT_ONCE, records: records ? 1 : 0 }));
  for await (const lines of pagesOf(first, read, (it) => it.id)) {
    yield lines.map((it) => ({
      item: unpackId(it.id),
      row: unpackId(it.first_row),
      envelope: db.read(() => envelopeOf(db, it.envelope, envelopes)),
      body: exactParse(it.json) as Json,
      status: effectOf(it.status),
      ...(it.ended_at === null ? {} : { endedAt: it.ended_at }),
      records: it.records_json === null ? [] : (exactParse(it.records_json) as readonly JsonObject[]),
    }));
  }
}
