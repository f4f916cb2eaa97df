import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';

type Value = string | number;

/**
 * A temporary SQLite file for data that does not fit in memory. SQLite creates it without a name if the system allows
 * it (requested by an empty path), so nothing remains however the process exits.
 */
export class TemporaryDatabase {
  readonly #db: DatabaseSyncInstance;
  readonly #prepared = new Map<string, StatementSyncInstance>();

  /** @param schema statements that create the tables */
  constructor(schema: string) {
    this.#db = new DatabaseSync('');
    // The file does not outlive the process, so it needs no protection against a crash.
    this.#db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000');
    this.#db.exec(schema);
    this.#db.exec('BEGIN');
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  run(sql: string, ...values: Value[]): void {
    this.#statement(sql).run(...values);
  }

  get<T>(sql: string, ...values: Value[]): T | undefined {
    return this.#statement(sql).get(...values) as T | undefined;
  }

  all<T>(sql: string, ...values: Value[]): T[] {
    return this.#statement(sql).all(...values) as T[];
  }

  /** Row by row. The statement is not shared, so other statements may run at the same time. */
  iterate<T>(sql: string): IterableIterator<T> {
    return this.#db.prepare(sql).iterate() as IterableIterator<T>;
  }

  close(): void {
    this.#db.close();
  }

  #statement(sql: string): StatementSyncInstance {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
