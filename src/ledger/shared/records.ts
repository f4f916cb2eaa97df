import type { JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import { idRange, unpackId } from './ids.js';
import { type Lines, pagesOf } from './pages.js';

export interface RecordLine {
  readonly row: number;
  readonly item: number;
  readonly n: number;
  readonly json: string;
}

export interface SkippedLine {
  readonly row: number;
  readonly records_json: string;
}

/** Each reads a page after a place and before the id `end`. */
interface RecordReads {
  /** Records of items, each at the first row of its item; by row, item and number. */
  ofItems(after: Omit<RecordLine, 'json'>, end: number): Lines<RecordLine>;
  /** Rows that an earlier run got through, by row. */
  ofSkippedRows(after: number, end: number): Lines<SkippedLine>;
}

export interface RowRecord {
  readonly row: number;
  readonly record: JsonObject;
}

/** Records of a run by ascending row: of its items, and of rows that an earlier run got through. */
export async function* recordsOf(run: number, read: RecordReads): AsyncGenerator<readonly RowRecord[]> {
  const own = new Pages(ofItems(run, read));
  const earlier = new Pages(ofSkippedRows(run, read));
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

async function* ofItems(run: number, read: RecordReads): AsyncGenerator<readonly RowRecord[]> {
  const { first, end } = idRange(run);
  const placeOf = ({ row, item, n }: RecordLine) => ({ row, item, n });
  const pages = pagesOf({ row: first, item: 0, n: 0 }, (after) => read.ofItems(after, end), placeOf);
  for await (const lines of pages) {
    yield lines.map((it) => ({ row: unpackId(it.row), record: exactParse(it.json) as JsonObject }));
  }
}

async function* ofSkippedRows(run: number, read: RecordReads): AsyncGenerator<readonly RowRecord[]> {
  const { first, end } = idRange(run);
  for await (const lines of pagesOf(
    first,
    (after) => read.ofSkippedRows(after, end),
    (it) => it.row,
  )) {
    yield lines.flatMap((it) =>
      (exactParse(it.records_json) as readonly JsonObject[]).map((record) => ({
        row: unpackId(it.row),
        record,
      })),
    );
  }
}
