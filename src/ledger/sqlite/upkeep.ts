import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { makeFolderSync } from '../../util/files.js';
import type { LedgerFacts, LedgerUpkeep, TableValue } from '../contract/upkeep.js';
import { inputsFolder } from '../files/inputs.js';
import { copyFileTo } from './connect.js';
import type { Database } from './database.js';

export class SqliteUpkeep implements LedgerUpkeep {
  readonly #db: Database;
  readonly #catchUp: () => void;

  /** @param catchUp compacts the journal, so that the tables are complete */
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

  async backup(file: string): ReturnType<NonNullable<LedgerUpkeep['backup']>> {
    const inputs = inputsFolder(dirname(file));
    if (existsSync(file) || dirname(file) === dirname(this.#db.location))
      throw new ProductError('usage', message('ledger.backup_there', { file, folder: dirname(file) }));
    makeFolderSync(dirname(file), 0o700);
    // Inputs are stored before their runs are planned, and removed only with pruned runs.
    copyFileTo(this.#db.location, file);
    const folder = inputsFolder(dirname(this.#db.location));
    const digests = existsSync(folder) ? readdirSync(folder).filter((it) => !it.startsWith('.')) : [];
    for (const digest of digests)
      cpSync(join(folder, digest), join(inputs, digest), { recursive: true, preserveTimestamps: true });
    return { file, inputs, copied: digests.length };
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
