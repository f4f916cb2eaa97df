import type { Database, SqlValue } from './database.js';

/** Calling a statement costs more than the row that it inserts. SQLite takes 32,766 parameters a statement. */
const ROWS_AT_ONCE = 50;

/** Gathers rows for a table and inserts many of them with each statement. All of it inside one transaction. */
export class BulkInsert {
  readonly #db: Database;
  readonly #insert: (rows: number) => string;
  readonly #many: string;
  readonly #width: number;
  #values: SqlValue[] = [];

  /** @param end what follows the values, such as `ON CONFLICT DO NOTHING` */
  constructor(db: Database, table: string, columns: readonly string[], end = '') {
    const row = `(${columns.map(() => '?').join(', ')})`;
    this.#db = db;
    this.#width = columns.length;
    this.#insert = (rows) =>
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')} ${end}`;
    this.#many = this.#insert(ROWS_AT_ONCE);
  }

  /** One value a column. */
  add(...row: SqlValue[]): void {
    this.#values.push(...row);
    if (this.#values.length === this.#width * ROWS_AT_ONCE) this.#write(this.#many);
  }

  /** Inserts what is still waiting. */
  finish(): void {
    const one = this.#insert(1);
    for (let at = 0; at < this.#values.length; at += this.#width) {
      this.#db.run(one, ...this.#values.slice(at, at + this.#width));
    }
    this.#values = [];
  }

  /** Forgets what is still waiting. */
  forget(): void {
    this.#values = [];
  }

  #write(sql: string): void {
    this.#db.run(sql, ...this.#values);
    this.#values = [];
  }
}
