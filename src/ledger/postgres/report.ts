import type { Status } from '../../model/status.js';
import type { AttemptFigures } from '../contract/attempt.js';
import type { BatchContent, ReportStore, RowGain, RowResult, RowStory } from '../contract/report.js';
import { idRange, packId, unpackId } from '../shared/ids.js';
import type { RowRecord } from '../shared/records.js';
import { LOOKED_THROUGH, nextRowSql } from '../shared/row-counts.js';
import { type GainLine, itemRecordsSql, rowGains, verdictRecordsSql } from '../shared/row-gains.js';
import { type RowLines, rowResults, textOfBody } from '../shared/row-lines.js';
import { runFigures } from './attempt-figures.js';
import type { Database } from './database.js';
import { runRecords } from './records.js';
import { lastOfPage, nearestRows, readLines, sharedRows } from './row-lines.js';
import { batchContent, itemStories } from './row-story.js';
import type { RunNumbers } from './run-numbers.js';
import type { Queryable } from './transaction.js';

const ITEM_RECORDS = itemRecordsSql('$1::bigint', '$2::bigint');
const VERDICT_RECORDS = verdictRecordsSql('$1::bigint', '$2::bigint');
const TEXTS = 'SELECT item, json FROM bodies WHERE item = ANY($1::bigint[])';

/**
 * Reads page by page, each statement on its own: no transaction stays open while a result of a million rows is written.
 * What ends between two pages is told as it is when its page is read.
 */
export class PostgresReportStore implements ReportStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  rows(run: string, pendingAs: 'valid' | 'not_sent', from = 0): AsyncIterable<readonly RowResult[]> {
    return this.#pages(run, (after, last) => results(this.#db, after, last, pendingAs), from);
  }

  gains(run: string): AsyncIterable<readonly RowGain[]> {
    return this.#pages(run, async (after, last) => {
      const lines = await readLines(this.#db, after, last);
      const texts = await textsOf(this.#db, lines);
      return rowGains(
        rowResults(lines, 'not_sent', (item) => texts.get(item)),
        lines,
        await this.#db.all<GainLine>(ITEM_RECORDS, [after, last]),
        await this.#db.all<GainLine>(VERDICT_RECORDS, [after, last]),
      );
    });
  }

  async nextOf(
    run: string,
    statuses: readonly Status[],
    { pendingAs, after: from }: { readonly pendingAs: Status; readonly after: number },
  ): Promise<{ readonly row?: number; readonly lookedTo?: number }> {
    const { first, end } = idRange((await this.#numbers.of(run)).number);
    const after = Math.min(first + from, end);
    const last = await lastOfPage(this.#db, after, end, LOOKED_THROUGH);
    if (last === undefined) return {};
    const sql = nextRowSql('$1::bigint', '$2::bigint', '$3::text', statuses);
    const found = await this.#db.get<{ row: number }>(sql, [after, last, pendingAs]);
    return found ? { row: unpackId(found.row) } : { lookedTo: unpackId(last) };
  }

  async *#pages<T>(
    run: string,
    read: (after: number, last: number) => Promise<T>,
    from = 0,
  ): AsyncGenerator<T> {
    const { first, end } = idRange((await this.#numbers.of(run)).number);
    // A number of any size may be asked for; ids beyond the run's own would be those of another run.
    let after = Math.min(first + from, end);
    for (;;) {
      const last = await lastOfPage(this.#db, after, end);
      if (last === undefined) return;
      yield await read(after, last);
      after = last;
    }
  }

  async *records(run: string): AsyncIterable<readonly RowRecord[]> {
    yield* runRecords(this.#db, (await this.#numbers.of(run)).number);
  }

  async row(run: string, row: number): Promise<RowStory | undefined> {
    const at = await this.#numbers.of(run);
    const id = packId(at.number, row);
    // One state of the ledger: the attempts of a story must fit what is said of its row.
    return this.#db.snapshot(async (tx) => {
      const kind = (await tx.get<{ kind: string }>('SELECT kind FROM runs WHERE id = $1', [at.number]))?.kind;
      const [result] = await results(tx, id - 1, id, kind === 'run' ? 'not_sent' : 'valid');
      return result && { result, items: await itemStories(tx, at, run, id) };
    });
  }

  async nearestRows(run: string, row: number, count: number): Promise<readonly number[]> {
    return nearestRows(this.#db, (await this.#numbers.of(run)).number, row, count);
  }

  async *sharedRows(run: string): AsyncIterable<readonly number[]> {
    yield* sharedRows(this.#db, (await this.#numbers.of(run)).number);
  }

  async batch(run: string, batch: number): Promise<BatchContent | undefined> {
    return batchContent(this.#db, packId((await this.#numbers.of(run)).number, batch));
  }

  async *attempts(run: string): AsyncIterable<readonly AttemptFigures[]> {
    yield* runFigures(this.#db, (await this.#numbers.of(run)).number);
  }
}

/** Results of the rows with ids in (after, last]. */
async function results(
  db: Queryable,
  after: number,
  last: number,
  pendingAs: 'valid' | 'not_sent',
): Promise<RowResult[]> {
  const lines = await readLines(db, after, last);
  const texts = await textsOf(db, lines);
  return rowResults(lines, pendingAs, (item) => texts.get(item));
}

/** Bodies that are text, of items that share a row with others: only there they are told. */
async function textsOf(db: Queryable, { items }: RowLines): Promise<ReadonlyMap<number, string | undefined>> {
  const among = items.filter((it, at) => it.row === items[at - 1]?.row || it.row === items[at + 1]?.row);
  if (among.length === 0) return new Map();
  const ids = [...new Set(among.map((it) => it.item))];
  const bodies = await db.all<{ item: number; json: string }>(TEXTS, [ids]);
  return new Map(bodies.map(({ item, json }) => [item, textOfBody(json)]));
}
