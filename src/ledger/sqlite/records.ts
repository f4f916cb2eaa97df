import type { JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { Database } from './database.js';
import { idRange, unpackId } from './ids.js';
import { pagesOf } from './pages.js';

const RECORDS_AT_ONCE = 500;

const OF_ITEMS = `
SELECT item_rows."row" AS "row", records.item, records.n, records.json
FROM item_rows
CROSS JOIN items ON items.id = item_rows.item AND items.first_row = item_rows."row"
CROSS JOIN records ON records.item = item_rows.item
WHERE item_rows."row" >= :row AND item_rows."row" < :end
  AND (item_rows."row", records.item, records.n) > (:row, :item, :n)
ORDER BY item_rows."row", item_rows.item, records.n LIMIT :limit`;

interface RecordLine {
  readonly row: number;
  readonly item: number;
  readonly n: number;
  readonly json: string;
}

const OF_SKIPPED_ROWS = `
SELECT "row" AS "row", records_json FROM verdicts
WHERE "row" > :row AND "row" < :end AND records_json IS NOT NULL ORDER BY "row", n LIMIT :limit`;

interface SkippedLine {
  readonly row: number;
  readonly records_json: string;
}

export interface RowRecord {
  readonly row: number;
  readonly record: JsonObject;
}

/** Records of a run by ascending row: of its items, and of rows that an earlier run got through. */
export async function* recordsOf(db: Database, run: number): AsyncGenerator<readonly RowRecord[]> {
  const own = new Pages(ofItems(db, run));
  const earlier = new Pages(ofSkippedRows(db, run));
  for (;;) {
    const [a, b] = [await own.page(), await earlier.page()];
    if (!a && !b) return;
    // What is known of both reaches only as far as the page that ends first.
    const until = Math.min(lastRow(a), lastRow(b));
    const page = [...own.take(until), ...earlier.take(until)];
    yield page.sort((one, other) => one.row - other.row);
  }
}

function lastRow(page: readonly RowRecord[] | undefined): number {
  return page?.at(-1)?.row ?? Number.POSITIVE_INFINITY;
}

/** Takes records from a stream of pages as far as a row. */
class Pages {
  readonly #source: AsyncGenerator<readonly RowRecord[]>;
  #page: readonly RowRecord[] | undefined = [];

  constructor(source: AsyncGenerator<readonly RowRecord[]>) {
    this.#source = source;
  }

  /** What was read and not yet taken; undefined after the last. */
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
    const taken = past < 0 ? page : page.slice(0, past);
    if (this.#page) this.#page = page.slice(taken.length);
    return taken;
  }
}

/** A record of an item with several rows stands at the first of them. */
async function* ofItems(db: Database, run: number): AsyncGenerator<readonly RowRecord[]> {
  const { first, end } = idRange(run);
  const read = (after: Omit<RecordLine, 'json'>): readonly RecordLine[] =>
    db.read(() => db.allNamed(OF_ITEMS, { ...after, end, limit: RECORDS_AT_ONCE }));
  const placeOf = ({ row, item, n }: RecordLine) => ({ row, item, n });
  for await (const lines of pagesOf({ row: first, item: 0, n: 0 }, read, placeOf)) {
    yield lines.map((it) => ({ row: unpackId(it.row), record: exactParse(it.json) as JsonObject }));
  }
}

async function* ofSkippedRows(db: Database, run: number): AsyncGenerator<readonly RowRecord[]> {
  const { first, end } = idRange(run);
  const read = (row: number): readonly SkippedLine[] =>
    db.read(() => db.allNamed(OF_SKIPPED_ROWS, { row, end, limit: RECORDS_AT_ONCE }));
  for await (const lines of pagesOf(first, read, (it) => it.row)) {
    yield lines.flatMap((it) =>
      (exactParse(it.records_json) as readonly JsonObject[]).map((record) => ({
        row: unpackId(it.row),
        record,
      })),
    );
  }
}
