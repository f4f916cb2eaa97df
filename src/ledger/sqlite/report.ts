import type { Status } from '../../model/status.js';
import type { AttemptFigures } from '../contract/attempt.js';
import type { BatchContent, ReportStore, RowGain, RowResult, RowStory } from '../contract/report.js';
import { idRange, packId, unpackId } from '../shared/ids.js';
import { pause } from '../shared/pages.js';
import type { RowRecord } from '../shared/records.js';
import { LOOKED_THROUGH, nextRowSql } from '../shared/row-counts.js';
import { type GainLine, itemRecordsSql, rowGains, verdictRecordsSql } from '../shared/row-gains.js';
import { rowResults, textOfBody } from '../shared/row-lines.js';
import { runFigures } from './attempt-figures.js';
import type { Database } from './database.js';
import type { GroupCommit } from './group-commit.js';
import { runRecords } from './records.js';
import { lastOfPage, nearestRows, readLines, sharedRows } from './row-lines.js';
import { batchContent, itemStories } from './row-story.js';
import type { RunNumbers } from './run-numbers.js';

const ROWS_AT_ONCE = 500;
const ITEM_RECORDS = itemRecordsSql('?', '?');
const VERDICT_RECORDS = verdictRecordsSql('?', '?');

export class SqliteReportStore implements ReportStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #group: GroupCommit;

  constructor(db: Database, numbers: RunNumbers, group: GroupCommit) {
    this.#db = db;
    this.#numbers = numbers;
    this.#group = group;
  }

  rows(run: string, pendingAs: 'valid' | 'not_sent', from = 0): AsyncIterable<readonly RowResult[]> {
    return this.#pages(run, (after, last) => this.#results(after, last, pendingAs), from);
  }

  gains(run: string): AsyncIterable<readonly RowGain[]> {
    return this.#pages(run, (after, last) => {
      const lines = readLines(this.#db, after, last);
      return rowGains(
        rowResults(lines, 'not_sent', (item) => this.#text(item)),
        lines,
        this.#db.all<GainLine>(ITEM_RECORDS, after, last),
        this.#db.all<GainLine>(VERDICT_RECORDS, after, last),
      );
    });
  }

  async nextOf(
    run: string,
    statuses: readonly Status[],
    { pendingAs, after: from }: { readonly pendingAs: Status; readonly after: number },
  ): Promise<{ readonly row?: number; readonly lookedTo?: number }> {
    this.#group.catchUp();
    return this.#db.read(() => {
      const { first, end } = idRange(this.#numbers.of(run).number);
      const after = Math.min(first + from, end);
      const last = lastOfPage(this.#db, after, end, LOOKED_THROUGH);
      if (last === undefined) return {};
      const sql = nextRowSql(':after', ':last', ':pending', statuses);
      const found = this.#db.allNamed<{ row: number }>(sql, { after, last, pending: pendingAs })[0];
      return found ? { row: unpackId(found.row) } : { lookedTo: unpackId(last) };
    });
  }

  async *#pages<T>(run: string, read: (after: number, last: number) => T, from = 0): AsyncGenerator<T> {
    const { first, end } = idRange(this.#numbers.of(run).number);
    // A number of any size may be asked for; ids beyond the run's own would be those of another run.
    let after = Math.min(first + from, end);
    for (;;) {
      // What has ended since the page before must not be told as unknown.
      this.#group.catchUp();
      const last = this.#db.read(() => lastOfPage(this.#db, after, end, ROWS_AT_ONCE));
      if (last === undefined) return;
      const from = after;
      yield this.#db.read(() => read(from, last));
      after = last;
      await pause();
    }
  }

  records(run: string): AsyncIterable<readonly RowRecord[]> {
    this.#group.catchUp();
    return runRecords(this.#db, this.#numbers.of(run).number);
  }

  async row(run: string, row: number): Promise<RowStory | undefined> {
    this.#group.catchUp();
    return this.#db.read(() => {
      const { number } = this.#numbers.of(run);
      const id = packId(number, row);
      const kind = this.#db.get<{ kind: string }>('SELECT kind FROM runs WHERE id = ?', number)?.kind;
      const [result] = this.#results(id - 1, id, kind === 'run' ? 'not_sent' : 'valid');
      return result && { result, items: itemStories(this.#db, this.#numbers, run, id) };
    });
  }

  async nearestRows(run: string, row: number, count: number): Promise<readonly number[]> {
    return this.#db.read(() => nearestRows(this.#db, this.#numbers.of(run).number, row, count));
  }

  sharedRows(run: string): AsyncIterable<readonly number[]> {
    return sharedRows(this.#db, this.#numbers.of(run).number);
  }

  async batch(run: string, batch: number): Promise<BatchContent | undefined> {
    this.#group.catchUp();
    return this.#db.read(() => batchContent(this.#db, packId(this.#numbers.of(run).number, batch)));
  }

  attempts(run: string): AsyncIterable<readonly AttemptFigures[]> {
    this.#group.catchUp();
    return runFigures(this.#db, this.#numbers.of(run).number);
  }

  /** Results of the rows with ids in (after, last]. */
  #results(after: number, last: number, pendingAs: 'valid' | 'not_sent'): RowResult[] {
    return rowResults(readLines(this.#db, after, last), pendingAs, (item) => this.#text(item));
  }

  /** The body of an item that is text, such as a lock number. */
  #text(item: number): string | undefined {
    const json = this.#db.get<{ json: string }>('SELECT json FROM bodies WHERE item = ?', item)?.json;
    return textOfBody(json);
  }
}
