import type { Message } from '../../errors/message.js';
import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { ItemTrace, UnknownItem } from '../contract/resolutions.js';
import { effectOf } from '../rules/item-standing.js';
import { idRange, unpackId, unpackRows } from './ids.js';
import { type Lines, pagesOf } from './pages.js';

/** attempts_json: `[[started_at, ended_at, event], …]`, of those that may have had an effect. */
export interface UnknownLine {
  readonly id: number;
  readonly envelope: number;
  readonly json: string;
  readonly rows_json: string;
  readonly attempts_json: string;
}

export interface TraceLine {
  readonly id: number;
  readonly first_row: number;
  readonly envelope: number;
  readonly json: string;
  readonly status: string | null;
  readonly message_json: string | null;
  readonly ended_at: number | null;
  readonly records_json: string | null;
}

interface ItemReads<Line> {
  /** Items after an id and before the id `end`. */
  page(after: number, end: number): Lines<Line>;
  envelope(id: number): JsonObject | Promise<JsonObject>;
}

/** Items that may be settled, by number. */
export async function* toUnknownItems(
  run: number,
  read: ItemReads<UnknownLine>,
): AsyncGenerator<UnknownItem> {
  const { first, end } = idRange(run);
  const envelopes = new Envelopes(read);
  for await (const lines of pagesOf(
    first,
    (after) => read.page(after, end),
    (it) => it.id,
  )) {
    for (const it of lines) {
      yield {
        item: unpackId(it.id),
        rows: unpackRows(it.rows_json),
        envelope: await envelopes.of(it.envelope),
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

/** Items that had an effect or may have had one, by number. */
export async function* toTraces(
  run: number,
  read: ItemReads<TraceLine>,
): AsyncGenerator<readonly ItemTrace[]> {
  const { first, end } = idRange(run);
  const envelopes = new Envelopes(read);
  for await (const lines of pagesOf(
    first,
    (after) => read.page(after, end),
    (it) => it.id,
  )) {
    const traces: ItemTrace[] = [];
    for (const it of lines) {
      traces.push({
        item: unpackId(it.id),
        row: unpackId(it.first_row),
        envelope: await envelopes.of(it.envelope),
        body: exactParse(it.json) as Json,
        status: effectOf(it.status),
        ...(it.message_json === null ? {} : { message: JSON.parse(it.message_json) as Message | string }),
        ...(it.ended_at === null ? {} : { endedAt: it.ended_at }),
        records: it.records_json === null ? [] : (exactParse(it.records_json) as readonly JsonObject[]),
      });
    }
    yield traces;
  }
}

/** Many items in a row mostly share an envelope: the last one is kept, however many there are. */
class Envelopes {
  readonly #read: Pick<ItemReads<never>, 'envelope'>;
  #last: { readonly id: number; readonly envelope: JsonObject } | undefined;

  constructor(read: Pick<ItemReads<never>, 'envelope'>) {
    this.#read = read;
  }

  async of(id: number): Promise<JsonObject> {
    if (this.#last?.id !== id) this.#last = { id, envelope: await this.#read.envelope(id) };
    return this.#last.envelope;
  }
}
