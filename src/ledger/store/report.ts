import type { Json } from '../../model/json.js';
import type { Status } from '../../model/status.js';
import { exactParse } from '../../util/exact-json.js';
import type { AttemptFigures } from '../contract/execution.js';
import type { BatchContent, RowGain, RowResult, RowStory } from '../contract/report.js';
import { pagesOf, pause } from './chunks.js';
import type { Dialect } from './dialect.js';
import { idRange, packId, unpackId } from './ids.js';
import { TO_BE_SENT } from './item-state.js';
import {
  type GainLine,
  ITEM_RECORDS,
  type RowRecord,
  rowGains,
  runRecords,
  VERDICT_RECORDS,
} from './records.js';
import { LOOKED_THROUGH, nextRow } from './row-counts.js';
import { batchContent, itemStories } from './row-history.js';
import {
  lastOfPage,
  nearestRows,
  type RowLines,
  readLines,
  rowResults,
  sharedRows,
  textOfBody,
} from './row-lines.js';
import { SqlStore, type StoreRunner } from './runner.js';
import { list, query, queryOne, type Store } from './statement.js';

/**
 * An outcome remembers which attempt of its batch it is of: earlier ones contained the item in vain, and
 * what was withheld is in no later one. Grouped by the key of an attempt alone, which is short to sort by: `max` is of what is
 * the same for all its items.
 */
const PAGE = (dialect: Dialect) => `
SELECT page.batch, page.attempt, max(page.started_at) AS "startedAt", max(page.ended_at) AS "endedAt",
  max(page.http_status) AS "httpStatus", max(page.event) AS event, max(page.sent) AS sent,
  count(CASE WHEN ${TO_BE_SENT} OR outcomes.attempts >= page.attempt THEN 1 END) AS items,
  count(CASE WHEN outcomes.status NOT IN ('not_sent', 'skipped') AND outcomes.attempts = page.attempt
    THEN 1 END) AS settled
FROM (
  SELECT batch, attempt, started_at, ended_at, http_status, event, sent FROM attempts
  WHERE (batch, attempt) > ($1, $2) AND batch < $3 ORDER BY batch, attempt LIMIT 1000) AS page
${dialect.join('batch_items', 'batch_items.batch = page.batch')}
${dialect.leftJoin('outcomes', 'outcomes.item = batch_items.item')}
GROUP BY page.batch, page.attempt
ORDER BY page.batch, page.attempt`;

type FiguresRow = Omit<AttemptFigures, 'sent'> & { readonly sent?: number };

/** The attempts of a run, by its number, in pages. */
export async function* attemptFigures(
  db: StoreRunner,
  run: number,
): AsyncGenerator<readonly AttemptFigures[], void> {
  const { first, end } = idRange(run);
  const pages = pagesOf(
    { batch: first, attempt: 0 },
    ({ batch, attempt }) => db.read(() => list<FiguresRow>(PAGE, batch, attempt, end), 'outcomes'),
    ({ batch, attempt }) => ({ batch, attempt }),
  );
  for await (const lines of pages) {
    yield lines.map(({ batch, sent, ...it }) => ({
      ...it,
      batch: unpackId(batch),
      ...(sent === undefined ? {} : { sent: sent === 1 }),
    }));
  }
}

type PendingAs = 'valid' | 'not_sent';

/**
 * Reads of the report stage, by ascending row, page by page: no transaction stays open while a result of a million rows is
 * written. What ends between two pages is reported as it is when its page is read.
 */
export class SqlReportStore extends SqlStore {
  /**
   * One result for each planned row. Pending items are shown as `pendingAs` (`valid` in a dry run), items with an open attempt
   * as `unknown`.
   * @param after only rows with higher numbers
   */
  rows(run: string, pendingAs: PendingAs, from = 0): AsyncIterable<readonly RowResult[]> {
    return this.#pages(run, (after, last) => results(after, last, pendingAs), from);
  }

  /** The results of each row, for later steps; by ascending row. Pending items are treated as `not_sent`. */
  gains(run: string): AsyncIterable<readonly RowGain[]> {
    return this.#pages(run, gains, 0);
  }

  /**
   * The next row after a row number with one of these statuses. Each call searches a limited number of rows.
   * @returns `row` if found; otherwise `lookedTo`, after which to continue; neither at the end
   */
  nextOf(
    run: string,
    statuses: readonly Status[],
    { pendingAs, after: from }: { readonly pendingAs: Status; readonly after: number },
  ): Promise<{ readonly row?: number; readonly lookedTo?: number }> {
    const { runs } = this.db;
    return this.db.read(function* () {
      const { first, end } = idRange((yield* runs.of(run)).number);
      const after = Math.min(first + from, end);
      const last = yield* lastOfPage(after, end, LOOKED_THROUGH);
      if (last === undefined) return {};
      const row = yield* nextRow(after, last, statuses, pendingAs);
      return row === undefined ? { lookedTo: unpackId(last) } : { row: unpackId(row) };
    }, 'outcomes');
  }

  async *records(run: string): AsyncIterable<readonly RowRecord[]> {
    yield* runRecords(this.db, await this.numberOf(run));
  }

  row(run: string, row: number): Promise<RowStory | undefined> {
    const { runs } = this.db;
    // One snapshot of the ledger, so that attempts and result are consistent.
    return this.db.read(function* () {
      const { number } = yield* runs.of(run);
      const id = packId(number, row);
      const kind = (yield* queryOne<{ kind: string }>('SELECT kind FROM runs WHERE id = $1', number))?.kind;
      const [result] = yield* results(id - 1, id, kind === 'run' ? 'not_sent' : 'valid');
      return result && { result, items: yield* itemStories(runs, run, id) };
    }, 'snapshot');
  }

  /** What the items of some rows send: each envelope with the body. */
  bodiesOf(
    run: string,
    rows: readonly number[],
  ): Promise<readonly { readonly row: number; readonly sent: readonly [envelope: Json, body: Json] }[]> {
    return this.readRun(run, function* (number) {
      const ids = rows.map((row) => packId(number, row));
      const found = yield* query<{ row: number; envelope: string; body: string }>(ROW_BODIES, ids);
      return found.map(({ row, envelope, body }) => ({
        row: unpackId(row),
        sent: [exactParse(envelope) as Json, exactParse(body) as Json] as const,
      }));
    });
  }

  /** Rows of the run next to a row number, at most `count` before it and `count` after it, ascending. */
  nearestRows(run: string, row: number, count: number): Promise<readonly number[]> {
    return this.readRun(run, (number) => nearestRows(number, row, count));
  }

  /** Rows of each item with several rows, ascending. A row may be in more than one list. */
  async *sharedRows(run: string): AsyncIterable<readonly number[]> {
    yield* sharedRows(this.db, await this.numberOf(run));
  }

  /** The content of a batch: all its items except withheld ones. */
  batch(run: string, batch: number): Promise<BatchContent | undefined> {
    return this.readRun(run, (number) => batchContent(packId(number, batch)), 'outcomes');
  }

  /** All attempts of the run, by batch and attempt, in pages. */
  async *attempts(run: string): AsyncIterable<readonly AttemptFigures[]> {
    yield* attemptFigures(this.db, await this.numberOf(run));
  }

  async *#pages<T>(
    run: string,
    read: (after: number, last: number) => Store<T>,
    from: number,
  ): AsyncGenerator<T> {
    const { first, end } = idRange(await this.numberOf(run));
    // `from` may have any size; ids beyond the run's range belong to another run.
    let after = Math.min(first + from, end);
    for (;;) {
      const page = await this.db.read(() => pageAfter(after, end, read), 'outcomes');
      if (!page) return;
      yield page.read;
      after = page.last;
      await pause();
    }
  }
}

function* pageAfter<T>(
  after: number,
  end: number,
  read: (after: number, last: number) => Store<T>,
): Store<{ readonly last: number; readonly read: T } | undefined> {
  const last = yield* lastOfPage(after, end);
  return last === undefined ? undefined : { last, read: yield* read(after, last) };
}

/** Results of the rows with ids in (after, last]. */
function* results(after: number, last: number, pendingAs: PendingAs): Store<RowResult[]> {
  const lines = yield* readLines(after, last);
  const texts = yield* textsOf(lines);
  return rowResults(lines, pendingAs, (item) => texts.get(item));
}

function* gains(after: number, last: number): Store<RowGain[]> {
  const lines = yield* readLines(after, last);
  const texts = yield* textsOf(lines);
  return rowGains(
    rowResults(lines, 'not_sent', (item) => texts.get(item)),
    lines,
    yield* query<GainLine>(ITEM_RECORDS, after, last),
    yield* query<GainLine>(VERDICT_RECORDS, after, last),
  );
}

const ROW_BODIES = (dialect: Dialect) => `
SELECT item_rows."row" AS "row", envelopes.json AS envelope, bodies.json AS body FROM item_rows
JOIN items ON items.id = item_rows.item JOIN envelopes ON envelopes.id = items.envelope
JOIN bodies ON bodies.item = item_rows.item
WHERE item_rows."row" ${dialect.in('$1', 'bigint')} ORDER BY item_rows."row", item_rows.item`;

const TEXTS = (dialect: Dialect) => `SELECT item, json FROM bodies WHERE item ${dialect.in('$1', 'bigint')}`;

/** Text bodies of items that share a row with other items. Only these are reported. */
function* textsOf({ items }: RowLines): Store<ReadonlyMap<number, string | undefined>> {
  const sharing = items.filter((it, at) => it.row === items[at - 1]?.row || it.row === items[at + 1]?.row);
  if (sharing.length === 0) return new Map();
  const ids = [...new Set(sharing.map((it) => it.item))];
  const bodies = yield* query<{ item: number; json: string }>(TEXTS, ids);
  return new Map(bodies.map(({ item, json }) => [item, textOfBody(json)]));
}
