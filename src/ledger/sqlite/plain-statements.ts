import type { PlainStatement, PlainStatements } from '../shared/plain-statements.js';
import type { Database } from './database.js';

export class SqliteStatements implements PlainStatements {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async all<T>(sql: string, params: PlainStatement[1]): Promise<readonly T[]> {
    return this.#db.read(() => this.#db.all<T>(numbered(sql), ...params));
  }

  async get<T>(sql: string, params: PlainStatement[1]): Promise<T | undefined> {
    return this.#db.read(() => this.#db.get<T>(numbered(sql), ...params));
  }

  async run(sql: string, params: PlainStatement[1]): Promise<number> {
    return this.#db.write(() => this.#db.run(numbered(sql), ...params));
  }

  async runFirst(sql: string, params: PlainStatement[1]): Promise<number> {
    return this.#db.firstWrite(() => this.#db.run(numbered(sql), ...params));
  }

  async runUnlessBusy(sql: string, params: PlainStatement[1]): Promise<void> {
    this.#db.unlessBusy(() => this.#db.run(numbered(sql), ...params));
  }

  async together<T>([sql, params]: PlainStatement, others: readonly PlainStatement[]): Promise<readonly T[]> {
    return this.#db.write(() => {
      const found = this.#db.all<T>(numbered(sql), ...params);
      for (const [other, values] of others) this.#db.run(numbered(other), ...values);
      return found;
    });
  }
}

/** $1 is a name to SQLite, and ?1 the first value. */
function numbered(sql: string): string {
  return sql.replaceAll(/\$(\d+)/g, '?$1');
}
