import type { Dialect } from './dialect.js';

/** Types of columns, for lists of their values. */
export type ColumnType = 'bigint' | 'int' | 'smallint' | 'text' | 'bytea';

/** A boolean is stored as 0 or 1; undefined as null. */
type SqlScalar = string | number | boolean | null | undefined | Uint8Array;

/** A list parameter is used with `dialect.in`. */
export type SqlParameter = SqlScalar | readonly (string | number | null)[];

/** A statement with parameters $1, $2, …; a function if the dialects differ. */
export type Sql = string | ((dialect: Dialect) => string);

export type Statement =
  /** `changes`: the result is the number of rows changed. */
  | { readonly kind: 'rows' | 'changes'; readonly sql: Sql; readonly values: readonly SqlParameter[] }
  | {
      readonly kind: 'server only' | 'file only';
      readonly sql: Sql;
      readonly values: readonly SqlParameter[];
    }
  | {
      readonly kind: 'insert';
      readonly into: InsertTarget;
      readonly rows: readonly (readonly SqlScalar[])[];
    };

export interface InsertTarget {
  readonly table: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Columns that only the tables of a server have. Their values are the last of each row. */
  readonly serverColumns?: Readonly<Record<string, ColumnType>>;
  /** What follows the values, such as `ON CONFLICT DO NOTHING`. */
  readonly end?: string;
}

/** A store method: yields statements, receives their results, and returns T. */
export type Store<T> = Generator<Statement, T, unknown>;

/** Rows as stored: absent values are null. */
export function* query<T>(sql: Sql, ...values: readonly SqlParameter[]): Store<T[]> {
  return (yield { kind: 'rows', sql, values }) as T[];
}

/** The first of these rows. */
export function* queryOne<T>(sql: Sql, ...values: readonly SqlParameter[]): Store<T | undefined> {
  return (yield* query<T>(sql, ...values))[0];
}

/** Rows whose columns have the names of the members of T. Columns that are null become absent members. */
export function* list<T>(sql: Sql, ...values: readonly SqlParameter[]): Store<T[]> {
  return (yield* query<object>(sql, ...values)).map(withoutNulls<T>);
}

/** The first of these rows. */
export function* find<T>(sql: Sql, ...values: readonly SqlParameter[]): Store<T | undefined> {
  return (yield* list<T>(sql, ...values))[0];
}

/** Returns the number of rows changed. */
export function* execute(sql: Sql, ...values: readonly SqlParameter[]): Store<number> {
  return (yield { kind: 'changes', sql, values }) as number;
}

/**
 * For statements that SQLite doesn't need: locks (a writing transaction locks the whole file) and the queue.
 * @returns the number of rows; undefined on SQLite
 */
export function* serverOnly(sql: Sql, ...values: readonly SqlParameter[]): Store<number | undefined> {
  return (yield { kind: 'server only', sql, values }) as number | undefined;
}

/** For tables that only SQLite needs: claims ahead, appended attempts, and temporary tables. */
export function* fileOnly(sql: Sql, ...values: readonly SqlParameter[]): Store<void> {
  yield { kind: 'file only', sql, values };
}

/** @param rows one value a column, in the order of `into.columns` */
export function* insertAll(into: InsertTarget, rows: readonly (readonly SqlScalar[])[]): Store<void> {
  if (rows.length > 0) yield { kind: 'insert', into, rows };
}

function withoutNulls<T>(row: object): T {
  return Object.fromEntries(Object.entries(row).filter(([, it]) => it !== null)) as T;
}
