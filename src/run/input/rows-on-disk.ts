import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { packRow, type StoredColumns, type StoredRow, unpackRow } from '../../source/rows/stored-row.js';

/**
 * Rows by key in a temporary file. SQLite makes it without a name where the system allows (an empty path asks for
 * that), so that nothing of it is left behind however the program ends.
 */
export class RowsOnDisk {
  readonly #db: DatabaseSyncInstance;
  readonly #columns: StoredColumns;
  readonly #insert: StatementSyncInstance;
  #byKey: StatementSyncInstance | undefined;

  constructor(columns: StoredColumns) {
    this.#columns = columns;
    this.#db = new DatabaseSync('');
    // Nothing in it outlives the process, so nothing of it needs to be safe against a crash.
    this.#db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000');
    this.#db.exec('CREATE TABLE rows (seq INTEGER PRIMARY KEY, key TEXT NOT NULL, row TEXT NOT NULL)');
    this.#db.exec('BEGIN');
    this.#insert = this.#db.prepare('INSERT INTO rows (key, row) VALUES (?, ?)');
  }

  add(key: string, row: StoredRow): void {
    this.#insert.run(storedKey(key), packRow(row));
  }

  get(key: string): readonly StoredRow[] {
    const found = this.#reading().all(storedKey(key)) as { readonly row: string }[];
    return found.map((it) => unpackRow(this.#columns, it.row));
  }

  /** Keys in order of first appearance. */
  *keys(): Generator<string> {
    this.#reading();
    const keys = this.#db.prepare('SELECT key, MIN(seq) AS first FROM rows GROUP BY key ORDER BY first');
    for (const it of keys.iterate() as IterableIterator<{ readonly key: string }>)
      yield JSON.parse(it.key) as string;
  }

  close(): void {
    this.#db.close();
  }

  /** The index is made when reading begins: kept up to date while rows arrive, it would cost far more. */
  #reading(): StatementSyncInstance {
    if (!this.#byKey) {
      this.#db.exec('CREATE INDEX rows_by_key ON rows (key, seq)');
      this.#byKey = this.#db.prepare('SELECT row FROM rows WHERE key = ? ORDER BY seq');
    }
    return this.#byKey;
  }
}

/** The key as JSON text: SQLite loses lone surrogates and may end a text at NUL, and JSON text contains neither. */
function storedKey(key: string): string {
  return JSON.stringify(key);
}
