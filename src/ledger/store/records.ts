import type { JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { RowGain, RowResult } from '../contract/report.js';
import { firstMatchingChunk, pagesOf } from './chunks.js';
import type { Dialect } from './dialect.js';
import { idRange, unpackId } from './ids.js';
import type { RowLines } from './row-lines.js';
import type { StoreRunner } from './runner.js';
import { query } from './statement.js';

/** Records by row. Records of an item are returned for each of its rows. */
export const ITEM_RECORDS = `
SELECT item_rows."row" AS "row", records.json FROM item_rows JOIN records ON records.item = item_rows.item
WHERE item_rows."row" > $1 AND item_rows."row" <= $2
ORDER BY item_rows."row", records.item, records.n`;

/** Results of an earlier run for skipped rows. */
export const VERDICT_RECORDS = `
SELECT "row" AS "row", records_json AS json FROM verdicts
WHERE "row" > $1 AND "row" <= $2 AND records_json IS NOT NULL ORDER BY "row", n`;

export interface GainLine {
  readonly row: number;
  readonly json: string;
}

/** The results with their rows' items and records. */
export function rowGains(
  results: readonly RowResult[],
  lines: RowLines,
  items: readonly GainLine[],
  verdicts: readonly GainLine[],
): RowGain[] {
  const byRow = new Map<number, JsonObject[]>();
  // The rows of an item share its records, which are parsed once.
  const read = new Map<string, JsonObject>();
  const add = (row: number, records: readonly JsonObject[]): void => {
    const there = byRow.get(row);
    if (there) there.push(...records);
    else byRow.set(row, [...records]);
  };
  for (const { row, json } of items) {
    const record = read.get(json) ?? (exactParse(json) as JsonObject);
    read.set(json, record);
    add(unpackId(row), [record]);
  }
  for (const { row, json } of verdicts)
    add(unpackId(row), exactParse(json) as unknown as readonly JsonObject[]);
  const itemsOf = new Map<number, number[]>();
  for (const { row, item } of lines.items) {
    const number = unpackId(row);
    itemsOf.set(number, [...(itemsOf.get(number) ?? []), unpackId(item)]);
  }
  const several = textsOfSeveral(lines);
  return results.map((it) => {
    const texts = several.get(it.row);
    return {
      ...it,
      items: itemsOf.get(it.row) ?? NONE,
      records: byRow.get(it.row) ?? NONE,
      ...(texts ? { several: texts } : {}),
    };
  });
}

type Several = NonNullable<RowGain['several']>;

/** Different texts with the same name, of several items of a row. Joined they could be mistaken for one text. */
function textsOfSeveral({ items, verdicts }: RowLines): ReadonlyMap<number, Several> {
  const byRow = new Map<number, Map<string, Set<string>>>();
  for (const { row, columns, licenseOrderId = '' } of [...verdicts, ...items]) {
    const number = unpackId(row);
    const texts = byRow.get(number) ?? new Map<string, Set<string>>();
    byRow.set(number, texts);
    for (const [name, text] of [
      ...Object.entries(columns ?? {}),
      ['licenseOrderId', licenseOrderId] as const,
    ])
      if (text !== '') texts.set(name, (texts.get(name) ?? new Set()).add(text));
  }
  const several = new Map<number, Several>();
  for (const [row, texts] of byRow) {
    const differing = [...texts]
      .filter(([, it]) => it.size > 1)
      .map(([name, it]) => [name, [...it]] as const);
    if (differing.length > 0) several.set(row, new Map(differing));
  }
  return several;
}

const NONE: readonly never[] = [];

interface RecordLine {
  readonly row: number;
  readonly item: number;
  readonly n: number;
  readonly json: string;
}

/** Records of items, each at the first row of its item; by row, item and number. */
const OF_ITEMS = ({ join }: Dialect) => `
SELECT item_rows."row" AS "row", records.item, records.n, records.json
FROM item_rows
${join('items', 'items.id = item_rows.item AND items.first_row = item_rows."row"')}
${join('records', 'records.item = item_rows.item')}
WHERE item_rows."row" >= $1 AND item_rows."row" <= $4 AND (item_rows."row", records.item, records.n) > ($1, $2, $3)
ORDER BY item_rows."row", item_rows.item, records.n LIMIT 500`;

/** Records of an earlier run for skipped rows, by row. */
const OF_SKIPPED_ROWS = `
SELECT "row" AS "row", records_json AS json FROM verdicts
WHERE "row" > $1 AND "row" < $2 AND records_json IS NOT NULL ORDER BY "row", n LIMIT 500`;

export interface RowRecord {
  readonly row: number;
  readonly record: JsonObject;
}

/** Records of a run by ascending row: of its items, and of rows that succeeded in an earlier run. @param run its number */
export async function* runRecords(db: StoreRunner, run: number): AsyncGenerator<readonly RowRecord[]> {
  const items = new Pages(ofItems(db, run));
  const earlier = new Pages(ofSkippedRows(db, run));
  for (;;) {
    const [a, b] = [await items.page(), await earlier.page()];
    if (!a && !b) return;
    // Both streams are known only up to the end of the shorter page.
    const until = Math.min(lastRow(a), lastRow(b));
    const page = [...items.take(until), ...earlier.take(until)];
    yield page.sort((a, b) => a.row - b.row);
  }
}

function lastRow(page: readonly RowRecord[] | undefined): number {
  return page?.at(-1)?.row ?? Number.POSITIVE_INFINITY;
}

/** Reads records from a stream of pages up to a row. */
class Pages {
  readonly #source: AsyncGenerator<readonly RowRecord[]>;
  #page: readonly RowRecord[] | undefined = [];

  constructor(source: AsyncGenerator<readonly RowRecord[]>) {
    this.#source = source;
  }

  /** Records read but not returned yet; undefined after the last. */
  async page(): Promise<readonly RowRecord[] | undefined> {
    if (this.#page?.length === 0) {
      const next = await this.#source.next();
      this.#page = next.done ? undefined : next.value;
    }
    return this.#page;
  }

  take(until: number): readonly RowRecord[] {
    const page = this.#page ?? [];
    const past = page.findIndex((it) => it.row > until);
    const records = past < 0 ? page : page.slice(0, past);
    if (this.#page) this.#page = page.slice(records.length);
    return records;
  }
}

async function* ofItems(db: StoreRunner, run: number): AsyncGenerator<readonly RowRecord[]> {
  const { first, end } = idRange(run);
  type Place = Omit<RecordLine, 'json'>;
  // One before the place's row: the rest of its records may still be to be read.
  const read = (place: Place) =>
    db.read(
      () =>
        firstMatchingChunk('item_rows', { after: place.row - 1, end }, (after, last) => {
          const { row, item, n } = after < place.row ? place : { row: after + 1, item: 0, n: 0 };
          return query<RecordLine>(OF_ITEMS, row, item, n, last);
        }),
      'outcomes',
    );
  const placeOf = ({ row, item, n }: RecordLine): Place => ({ row, item, n });
  for await (const lines of pagesOf({ row: first, item: 0, n: 0 }, read, placeOf))
    yield lines.map((it) => ({ row: unpackId(it.row), record: exactParse(it.json) as JsonObject }));
}

async function* ofSkippedRows(db: StoreRunner, run: number): AsyncGenerator<readonly RowRecord[]> {
  const { first, end } = idRange(run);
  const read = (after: number) =>
    db.read(() => query<{ row: number; json: string }>(OF_SKIPPED_ROWS, after, end));
  for await (const lines of pagesOf(first, read, (it) => it.row)) {
    yield lines.flatMap((it) =>
      (exactParse(it.json) as readonly JsonObject[]).map((record) => ({ row: unpackId(it.row), record })),
    );
  }
}
