import type { JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { AttemptFigures, BatchContent, ReportStore, RowResult, RowStory } from '../contract.js';
import { attemptFigures } from './attempt-figures.js';
import type { Database } from './database.js';
import type { GroupCommit } from './group-commit.js';
import { idRange, packId, unpackId } from './ids.js';
import { pause } from './pause.js';
import { lastOfPage, readLines } from './row-lines.js';
import { nearestRows, sharedRows } from './row-neighbours.js';
import { rowResult } from './row-result.js';
import { batchContent, itemStories } from './row-story.js';
import type { RunNumbers } from './run-numbers.js';

const ROWS_AT_ONCE = 500;
const RECORDS_AT_ONCE = 500;

const RECORDS = `
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

export class SqliteReportStore implements ReportStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #group: GroupCommit;

  constructor(db: Database, numbers: RunNumbers, group: GroupCommit) {
    this.#db = db;
    this.#numbers = numbers;
    this.#group = group;
  }

  async *rows(run: string, pendingAs: 'valid' | 'not_sent'): AsyncIterable<readonly RowResult[]> {
    this.#group.flush();
    const { first, end } = idRange(this.#numbers.of(run).number);
    let after = first;
    for (;;) {
      const last = this.#db.read(() => lastOfPage(this.#db, after, end, ROWS_AT_ONCE));
      if (last === undefined) return;
      const from = after;
      yield this.#db.read(() => this.#results(from, last, pendingAs));
      after = last;
      await pause();
    }
  }

  /** A record of an item with several rows stands at the first of them. */
  async *records(
    run: string,
  ): AsyncIterable<readonly { readonly row: number; readonly record: JsonObject }[]> {
    this.#group.flush();
    const { first, end } = idRange(this.#numbers.of(run).number);
    let at = { row: first, item: 0, n: 0 };
    for (;;) {
      const values = { ...at, end, limit: RECORDS_AT_ONCE };
      const lines = this.#db.read(() => this.#db.allNamed<RecordLine>(RECORDS, values));
      const last = lines.at(-1);
      if (!last) return;
      yield lines.map((it) => ({ row: unpackId(it.row), record: exactParse(it.json) as JsonObject }));
      at = { row: last.row, item: last.item, n: last.n };
      await pause();
    }
  }

  async row(run: string, row: number): Promise<RowStory | undefined> {
    this.#group.flush();
    return this.#db.read(() => {
      const { number } = this.#numbers.of(run);
      const id = packId(number, row);
      const kind = this.#db.get<{ kind: string }>('SELECT kind FROM runs WHERE id = ?', number)?.kind;
      const [result] = this.#results(id - 1, id, kind === 'run' ? 'not_sent' : 'valid');
      return result && { result, items: itemStories(this.#db, run, id) };
    });
  }

  async nearestRows(run: string, row: number, count: number): Promise<readonly number[]> {
    return this.#db.read(() => nearestRows(this.#db, this.#numbers.of(run).number, row, count));
  }

  sharedRows(run: string): AsyncIterable<readonly number[]> {
    return sharedRows(this.#db, this.#numbers.of(run).number);
  }

  async batch(run: string, batch: number): Promise<BatchContent | undefined> {
    this.#group.flush();
    return this.#db.read(() => batchContent(this.#db, packId(this.#numbers.of(run).number, batch)));
  }

  attempts(run: string): AsyncIterable<readonly AttemptFigures[]> {
    this.#group.flush();
    return attemptFigures(this.#db, this.#numbers.of(run).number);
  }

  /** Results of the rows with ids in (after, last]. */
  #results(after: number, last: number, pendingAs: 'valid' | 'not_sent'): RowResult[] {
    const { items, verdicts } = readLines(this.#db, after, last);
    const textOf = (item: number): string | undefined => this.#text(item);
    const results: RowResult[] = [];
    let item = 0;
    let verdict = 0;
    while (item < items.length || verdict < verdicts.length) {
      const row = Math.min(items[item]?.row ?? Infinity, verdicts[verdict]?.row ?? Infinity);
      const nextItem = endOf(items, item, row);
      const nextVerdict = endOf(verdicts, verdict, row);
      const own = verdicts.slice(verdict, nextVerdict);
      results.push(rowResult(row, own, items.slice(item, nextItem), pendingAs, textOf));
      item = nextItem;
      verdict = nextVerdict;
    }
    return results;
  }

  /** The body of an item that is text, such as a lock number. */
  #text(item: number): string | undefined {
    const json = this.#db.get<{ json: string }>('SELECT json FROM bodies WHERE item = ?', item)?.json;
    return json?.startsWith('"') ? (JSON.parse(json) as string) : undefined;
  }
}

/** Index after the lines of a row, which begin at `from` if there are any. */
function endOf(lines: readonly { readonly row: number }[], from: number, row: number): number {
  let end = from;
  while (lines[end]?.row === row) end += 1;
  return end;
}
