import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import type { JsonObject } from '../model/json.js';
import { exactParse, exactStringify } from '../util/exact-json.js';

/** A distinct key of the sheet: what is asked for it, and the first row that has it. */
export interface PulledKey {
  readonly id: number;
  readonly row: number;
  readonly request: JsonObject;
}

/** Distinct keys in a temporary file of SQLite that has no name, so that memory doesn't grow with the rows. */
export class KeyStore {
  readonly #db: DatabaseSyncInstance;
  readonly #insert: StatementSyncInstance;
  readonly #next: StatementSyncInstance;

  constructor() {
    this.#db = new DatabaseSync('');
    this.#db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000');
    this.#db.exec(
      'CREATE TABLE keys (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, row INTEGER NOT NULL)',
    );
    this.#db.exec('BEGIN');
    this.#insert = this.#db.prepare('INSERT INTO keys (key, row) VALUES (?, ?) ON CONFLICT DO NOTHING');
    this.#next = this.#db.prepare('SELECT id, key, row FROM keys WHERE id > ? ORDER BY id LIMIT 1');
  }

  add(request: JsonObject, row: number): void {
    this.#insert.run(exactStringify(request), row);
  }

  get count(): number {
    return (this.#db.prepare('SELECT count(*) AS n FROM keys').get() as { n: number }).n;
  }

  /** The key after an id (0 for the first), in order of first appearance. */
  after(id: number): PulledKey | undefined {
    const found = this.#next.get(id) as { id: number; key: string; row: number } | undefined;
    return found && { id: found.id, row: found.row, request: exactParse(found.key) as JsonObject };
  }

  close(): void {
    this.#db.close();
  }
}
