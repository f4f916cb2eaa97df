import { SQLITE } from '../store/dialect.js';
import type { Sql, SqlParameter, Statement, Store } from '../store/statement.js';
import type { Database, SqlValue } from './database.js';

/** Executes the statements of a store method. No other work of this process runs in between. */
export function executeStore<T>(db: Database, store: Store<T>): T {
  let step = store.next();
  while (!step.done) {
    try {
      step = store.next(executeStatement(db, step.value));
    } catch (error) {
      step = store.throw(error);
    }
  }
  return step.value;
}

function executeStatement(db: Database, statement: Statement): unknown {
  if (statement.kind === 'server only') return undefined;
  if (statement.kind === 'insert') {
    const columns = Object.keys(statement.into.columns);
    const insert = new BulkInsert(db, statement.into.table, columns, statement.into.end);
    for (const row of statement.rows) insert.add(...row.slice(0, columns.length).map(bound));
    return insert.finish();
  }
  const values = statement.values.map(bound);
  return statement.kind === 'rows'
    ? db.all(textOf(statement.sql), ...values)
    : db.run(textOf(statement.sql), ...values);
}

function bound(value: SqlParameter): SqlValue {
  if (Array.isArray(value)) return JSON.stringify(value);
  return typeof value === 'boolean' ? Number(value) : ((value ?? null) as SqlValue);
}

const texts = new WeakMap<Exclude<Sql, string>, string>();

function textOf(sql: Sql): string {
  if (typeof sql === 'string') return numbered(sql);
  const known = texts.get(sql);
  if (known !== undefined) return known;
  const text = numbered(sql(SQLITE));
  texts.set(sql, text);
  return text;
}

/** SQLite treats $1 as a name; ?1 is the first value. */
function numbered(sql: string): string {
  return sql.replaceAll(/\$(\d+)/g, '?$1');
}

/** A call of a statement costs more than an inserted row. SQLite allows 32,766 parameters per statement. */
const ROWS_AT_ONCE = 50;

/** Collects rows for a table and inserts many with each statement. Runs inside one transaction. */
export class BulkInsert {
  readonly #db: Database;
  readonly #insert: (rows: number) => string;
  readonly #many: string;
  readonly #width: number;
  #values: SqlValue[] = [];

  /** @param end follows the values, such as `ON CONFLICT DO NOTHING` */
  constructor(db: Database, table: string, columns: readonly string[], end = '') {
    const row = `(${columns.map(() => '?').join(', ')})`;
    this.#db = db;
    this.#width = columns.length;
    this.#insert = (rows) =>
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')} ${end}`;
    this.#many = this.#insert(ROWS_AT_ONCE);
  }

  /** @param row one value for each column */
  add(...row: SqlValue[]): void {
    this.#values.push(...row);
    if (this.#values.length === this.#width * ROWS_AT_ONCE) this.#write(this.#many);
  }

  /** Inserts the remaining rows. */
  finish(): void {
    const insertOne = this.#insert(1);
    for (let at = 0; at < this.#values.length; at += this.#width)
      this.#db.run(insertOne, ...this.#values.slice(at, at + this.#width));
    this.#values = [];
  }

  /** Discards the remaining rows. */
  forget(): void {
    this.#values = [];
  }

  #write(sql: string): void {
    this.#db.run(sql, ...this.#values);
    this.#values = [];
  }
}
