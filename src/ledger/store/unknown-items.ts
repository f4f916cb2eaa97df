import type { Message } from '../../errors/message.js';
import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { ItemTrace, UnknownItem } from '../contract/resolutions.js';
import { effectOf } from '../rules/item-state.js';
import { firstMatchingChunk, pagesOf } from './chunks.js';
import type { Dialect } from './dialect.js';
import { idRange, packId, unpackId, unpackRows } from './ids.js';
import { isUnresolved, mayHaveHadEffect } from './item-state.js';
import { recordsOf } from './key-holder.js';
import { envelopeOf } from './row-history.js';
import type { StoreRunner } from './runner.js';
import { list, query } from './statement.js';

/** Ids of an item's rows, as JSON. */
export const rowsOf = ({ jsonArray }: Dialect, item: string): string =>
  `(SELECT ${jsonArray('"row"')} FROM item_rows WHERE item_rows.item = ${item})`;

const OF_ITEMS = ({ join, leftJoin }: Dialect): string => `
FROM items
${join('batch_items', 'batch_items.item = items.id')}
${join('bodies', 'bodies.item = items.id')}
${leftJoin('outcomes', 'outcomes.item = items.id')}`;

/** attempts: `[[started_at, ended_at, event], …]`, of attempts that may have taken effect. */
const unknownSql = (of: string) => (dialect: Dialect) =>
  `
SELECT items.id, items.envelope, bodies.json, ${rowsOf(dialect, 'items.id')} AS "rows",
  (SELECT ${dialect.jsonArray(dialect.jsonList('started_at', 'ended_at', 'event'), 'attempt')} FROM attempts
    WHERE attempts.batch = batch_items.batch AND coalesce(attempts.doubtful, 1) = 1) AS attempts
${OF_ITEMS(dialect)}
WHERE ${of} AND ${isUnresolved('batch_items.batch')}
ORDER BY items.id LIMIT 200`;

const UNKNOWN = unknownSql('items.id > $1 AND items.id <= $2');
const UNKNOWN_OF_ROW = unknownSql(`items.id > $1 AND items.id IN (
  SELECT item FROM item_rows WHERE item_rows."row" = $2)`);

interface UnknownRow {
  readonly id: number;
  readonly envelope: number;
  readonly json: string;
  readonly rows: string;
  readonly attempts: string;
}

/** Unknown items of a run, or of one row, by number. They may be resolved while it is read. */
export async function* unknownItems(db: StoreRunner, run: number, row?: number): AsyncGenerator<UnknownItem> {
  const { first, end } = idRange(run);
  const envelopes = new Envelopes(db);
  const read = (after: number) =>
    db.read(
      () =>
        row === undefined
          ? firstMatchingChunk('items', { after, end }, (from, last) =>
              query<UnknownRow>(UNKNOWN, from, last),
            )
          : query<UnknownRow>(UNKNOWN_OF_ROW, after, packId(run, row)),
      'outcomes',
    );
  for await (const lines of pagesOf(first, read, (it) => it.id)) {
    for (const { id, rows, envelope, json, attempts } of lines) {
      yield {
        item: unpackId(id),
        rows: unpackRows(rows),
        envelope: await envelopes.of(envelope),
        body: exactParse(json) as Json,
        attempts: attemptsOf(attempts),
      };
    }
  }
}

function attemptsOf(json: string): UnknownItem['attempts'] {
  const lines = JSON.parse(json) as [number, number | null, string | null][];
  return lines.map(([startedAt, endedAt, event]) => ({
    startedAt,
    endedAt: endedAt ?? undefined,
    event: event ?? undefined,
  }));
}

const TRACES = (dialect: Dialect) => `
SELECT items.id, items.first_row AS "row", items.envelope, bodies.json, outcomes.status, outcomes.message_json AS message,
  (SELECT max(ended_at) FROM attempts WHERE attempts.batch = batch_items.batch) AS "endedAt",
  CASE WHEN CAST($3 AS int) = 1 THEN ${recordsOf('items.id')} END AS records
${OF_ITEMS(dialect)}
WHERE items.id > $1 AND items.id <= $2 AND ${mayHaveHadEffect('items.id')}
ORDER BY items.id LIMIT 500`;

interface TraceRow {
  readonly id: number;
  readonly row: number;
  readonly envelope: number;
  readonly json: string;
  readonly status?: string;
  readonly message?: string;
  readonly endedAt?: number;
  readonly records?: string;
}

/** Items of a run that took effect or may have, by number. */
export async function* itemTraces(
  db: StoreRunner,
  run: number,
  records: boolean,
): AsyncGenerator<readonly ItemTrace[]> {
  const { first, end } = idRange(run);
  const envelopes = new Envelopes(db);
  const read = (after: number) =>
    db.read(
      () =>
        firstMatchingChunk('items', { after, end }, (from, last) =>
          list<TraceRow>(TRACES, from, last, records),
        ),
      'outcomes',
    );
  for await (const lines of pagesOf(first, read, (it) => it.id)) {
    const traces: ItemTrace[] = [];
    for (const { id, row, envelope, json, status, message, endedAt, records } of lines) {
      traces.push({
        item: unpackId(id),
        row: unpackId(row),
        envelope: await envelopes.of(envelope),
        body: exactParse(json) as Json,
        status: effectOf(status ?? null),
        message: message === undefined ? undefined : (JSON.parse(message) as Message | string),
        ...(endedAt === undefined ? {} : { endedAt }),
        records: records === undefined ? [] : (exactParse(records) as readonly JsonObject[]),
      });
    }
    yield traces;
  }
}

/** Caches the last envelope, because consecutive items mostly share one. */
class Envelopes {
  readonly #db: StoreRunner;
  #last: { readonly id: number; readonly envelope: JsonObject } | undefined;

  constructor(db: StoreRunner) {
    this.#db = db;
  }

  async of(id: number): Promise<JsonObject> {
    if (this.#last?.id !== id) this.#last = { id, envelope: await this.#db.read(() => envelopeOf(id)) };
    return this.#last.envelope;
  }
}
