import type { Queryable } from './transaction.js';

/**
 * A statement that takes longer than a connection may be without an answer counts as a broken connection. So whatever
 * goes over a whole run, which may have a million rows, goes over this many at a time.
 */
export const PIECE = 10_000;

/**
 * A join that looks a table up for each line, whatever the planner makes of it (OFFSET 0). Of a table that a run has just
 * filled it knows too little, and reads all of it for one page.
 */
export function lookUp(table: string, condition: string): string {
  return `JOIN LATERAL (SELECT * FROM ${table} WHERE ${condition} OFFSET 0) AS ${table} ON true`;
}

const LAST_OF_PIECE = {
  items: lastSql('items', 'id'),
  item_rows: lastSql('item_rows', '"row"'),
} as const;

function lastSql(table: string, id: string): string {
  return `
SELECT max(id) AS last FROM (
  SELECT ${id} AS id FROM ${table} WHERE ${id} > $1::bigint AND ${id} < $2::bigint ORDER BY ${id} LIMIT ${PIECE}) AS piece`;
}

/** The last id of the next piece after an id and before another; undefined when there is none. */
export async function lastOfPiece(
  db: Queryable,
  table: keyof typeof LAST_OF_PIECE,
  after: number,
  end: number,
): Promise<number | undefined> {
  return (await db.get<{ last: number | null }>(LAST_OF_PIECE[table], [after, end]))?.last ?? undefined;
}

/**
 * The first lines that are found, for what may be rare in a large run.
 * @param read lines of the ids in (after, last], the first so many
 */
export async function firstFound<Line>(
  db: Queryable,
  table: keyof typeof LAST_OF_PIECE,
  { after, end }: { readonly after: number; readonly end: number },
  read: (after: number, last: number) => Promise<readonly Line[]>,
): Promise<readonly Line[]> {
  for (let from = after; ; ) {
    const last = await lastOfPiece(db, table, from, end);
    if (last === undefined) return [];
    const found = await read(from, last);
    if (found.length > 0) return found;
    from = last;
  }
}
