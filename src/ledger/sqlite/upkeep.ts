import { existsSync, statSync } from 'node:fs';
import type { LedgerFacts, LedgerUpkeep, TableValue } from '../contract/upkeep.js';
import type { Database } from './database.js';

export class SqliteUpkeep implements LedgerUpkeep {
  readonly #db: Database;
  readonly #catchUp: () => void;

  /** @param catchUp folds what was appended, so that the tables say all */
  constructor(db: Database, catchUp: () => void) {
    this.#db = db;
    this.#catchUp = catchUp;
  }

  async facts(): Promise<LedgerFacts> {
    const files = [this.#db.location, `${this.#db.location}-wal`].filter((it) => existsSync(it));
    const bytes = files.reduce((sum, it) => sum + statSync(it).size, 0);
    return { kind: 'SQLite', version: Number(this.#db.pragma('user_version')), bytes };
  }

  async damage(): Promise<readonly string[]> {
    const found = this.#db.read(() =>
      this.#db.all<{ integrity_check: string }>('PRAGMA integrity_check(20)'),
    );
    return found.map((it) => it.integrity_check).filter((it) => it !== 'ok');
  }

  async read<T>(sql: string, params: readonly TableValue[] = []): Promise<readonly T[]> {
    this.#catchUp();
    return this.#now<T>(sql, params);
  }

  async atOnce<T>(work: (read: LedgerUpkeep['read']) => Promise<T>): Promise<T> {
    this.#catchUp();
    this.#db.exec('BEGIN');
    try {
      return await work(async (sql, params = []) => this.#now(sql, params));
    } finally {
      this.#db.exec('COMMIT');
    }
  }

  async columns(table: string): Promise<ReadonlyMap<string, string>> {
    const found = this.#db.all<{ name: string; type: string }>(`PRAGMA table_info(${table})`);
    return new Map(found.map(({ name, type }) => [name, type.toLowerCase()]));
  }

  #now<T>(sql: string, params: readonly TableValue[]): readonly T[] {
    return this.#db.read(() => this.#db.all<T>(sql.replace(/\$(\d+)/g, '?$1'), ...params));
  }
}
