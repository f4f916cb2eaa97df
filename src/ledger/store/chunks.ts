import { setImmediate } from 'node:timers/promises';
import { idRange } from './ids.js';
import type { StoreRunner } from './runner.js';
import { execute, queryOne, type Sql, type Store } from './statement.js';

/** Lets signals, timers and other work run during a long read or write. */
export function pause(): Promise<void> {
  return setImmediate();
}

/** A page as read from a file or a server. */
export type PageRows<Line> = readonly Line[] | Promise<readonly Line[]>;

/**
 * Reads a long result in pages, so that memory is bounded and other work can run. Data may change between two pages.
 * @param first start of the first page
 * @param read returns the page after a position; empty after the last
 * @param placeOf the position of a line
 */
export async function* pagesOf<Line, Place>(
  first: Place,
  read: (after: Place) => PageRows<Line>,
  placeOf: (last: Line) => Place,
): AsyncGenerator<readonly Line[], void> {
  let after = first;
  for (;;) {
    const lines = await read(after);
    const last = lines.at(-1);
    if (last === undefined) return;
    yield lines;
    after = placeOf(last);
    await pause();
  }
}

/**
 * Number of rows per statement for work on a whole run, which may have a million rows. A statement that exceeds the reply time
 * would be treated as a broken connection.
 */
export const CHUNK = 10_000;

const LAST_OF_CHUNK = { items: lastSql('items', 'id'), item_rows: lastSql('item_rows', '"row"') } as const;

function lastSql(table: string, id: string): string {
  return `
SELECT max(id) AS last FROM (
  SELECT ${id} AS id FROM ${table} WHERE ${id} > $1 AND ${id} < $2 ORDER BY ${id} LIMIT $3) AS chunk`;
}

/** The last id of the next chunk of the ids after `after` and before `end`; undefined if there is none. */
export function* lastOfChunk(
  table: keyof typeof LAST_OF_CHUNK,
  after: number,
  end: number,
  limit = CHUNK,
): Store<number | undefined> {
  const found = yield* queryOne<{ last: number | null }>(LAST_OF_CHUNK[table], after, end, limit);
  return found?.last ?? undefined;
}

/** The chunks of a run's ids in a table. Other work can run in between. */
export async function* chunksOf(
  db: StoreRunner,
  table: keyof typeof LAST_OF_CHUNK,
  { first, end }: { readonly first: number; readonly end: number },
  limit = CHUNK,
): AsyncGenerator<{ readonly after: number; readonly last: number }> {
  for (let after = first; ; ) {
    const last = await db.read(() => lastOfChunk(table, after, end, limit));
    if (last === undefined) return;
    yield { after, last };
    after = last;
    await pause();
  }
}

const IDS_AT_ONCE = 10 * CHUNK;

/**
 * Executes a statement for all rows of a run in a table, a limited number of ids at a time.
 * @param column of the table, with ids of the run
 * @param sql for the ids after $1 and up to $2
 */
export function* executeInChunks(run: number, table: string, column: string, sql: Sql): Store<void> {
  const { first, end } = idRange(run);
  const newest = `SELECT max(${column}) AS last FROM ${table} WHERE ${column} > $1 AND ${column} < $2`;
  const last = (yield* queryOne<{ last: number | null }>(newest, first, end))?.last ?? first;
  for (let after = first; after < last; after += IDS_AT_ONCE)
    yield* execute(sql, after, Math.min(after + IDS_AT_ONCE, last));
}

/**
 * The matching lines of the first chunk that has any, for conditions that may be rare in a large run.
 * @param read the first matching lines of the ids in (after, last]
 */
export function* firstMatchingChunk<Line>(
  table: keyof typeof LAST_OF_CHUNK,
  { after, end }: { readonly after: number; readonly end: number },
  read: (after: number, last: number) => Store<readonly Line[]>,
): Store<readonly Line[]> {
  for (let from = after; ; ) {
    const last = yield* lastOfChunk(table, from, end);
    if (last === undefined) return [];
    const found = yield* read(from, last);
    if (found.length > 0) return found;
    from = last;
  }
}
