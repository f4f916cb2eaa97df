import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { ItemTrace } from '../contract/resolutions.js';
import { effectOf } from '../rules/item-standing.js';
import type { Database } from './database.js';
import { idRange, unpackId } from './ids.js';
import { pause } from './pause.js';
import { envelopeOf } from './pending.js';

const ITEMS_AT_ONCE = 500;

/** True of an item (of `items` and `outcomes`) that had its effect, or whose attempt may have had it. */
export const MAY_HAVE_HAD_EFFECT = `(outcomes.status IN ('succeeded', 'accepted', 'unknown')
  OR (coalesce(outcomes.status, 'not_sent') = 'not_sent' AND EXISTS (
    SELECT 1 FROM batch_items AS own JOIN attempts ON attempts.batch = own.batch
    WHERE own.item = items.id AND (attempts.ended_at IS NULL OR attempts.doubtful = 1))))`;

const TRACES = `
SELECT items.id, items.first_row, items.envelope, bodies.json, outcomes.status,
  (SELECT max(ended_at) FROM attempts WHERE attempts.batch = batch_items.batch) AS ended_at,
  CASE WHEN :records THEN (SELECT json_group_array(json(records.json) ORDER BY records.n) FROM records
    WHERE records.item = items.id) END AS records_json
FROM items
CROSS JOIN batch_items ON batch_items.item = items.id
CROSS JOIN bodies ON bodies.item = items.id
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.id > :after AND items.id < :end AND ${MAY_HAVE_HAD_EFFECT}
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
  let after = first;
  for (;;) {
    const values = { after, end, limit: ITEMS_AT_ONCE, records: records ? 1 : 0 };
    const lines = db.read(() => db.allNamed<TraceLine>(TRACES, values));
    const last = lines.at(-1);
    if (!last) return;
    yield lines.map((it) => ({
      item: unpackId(it.id),
      row: unpackId(it.first_row),
      envelope: db.read(() => envelopeOf(db, it.envelope, envelopes)),
      body: exactParse(it.json) as Json,
      status: effectOf(it.status),
      ...(it.ended_at === null ? {} : { endedAt: it.ended_at }),
      records: it.records_json === null ? [] : (exactParse(it.records_json) as readonly JsonObject[]),
    }));
    after = last.id;
    await pause();
  }
}
