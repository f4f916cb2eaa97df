import type { Row } from '../../model/row.js';
import { packRow, StoredColumns, type StoredRow, unpackRow } from '../../source/stored-row.js';
import { TemporaryDatabase } from '../../util/temporary-database.js';

const MEMORY_BYTES = 64 * 1024 * 1024;

/** Groups rows by key, in memory up to a limit, then in a temporary file. Returns the stored columns only. */
export class RowStore {
  readonly #columns: StoredColumns;
  readonly #memoryBytes: number;
  #groups = new Map<string, StoredRow[]>();
  #bytes = 0;
  #file: TemporaryDatabase | undefined;
  #isIndexed = false;

  /**
   * @param columns 1-based columns of each row to store
   * @param options.memoryBytes approximate limit of the rows in memory; default 64 MiB
   */
  constructor(columns: readonly number[], options: { readonly memoryBytes?: number } = {}) {
    this.#columns = new StoredColumns(columns);
    this.#memoryBytes = options.memoryBytes ?? MEMORY_BYTES;
  }

  /** True when the rows are in a file. */
  get onDisk(): boolean {
    return this.#file !== undefined;
  }

  add(key: string, row: Row): void {
    const stored = this.#columns.store(row);
    if (this.#file) {
      insert(this.#file, key, stored);
      return;
    }
    this.#bytes += stored.weight;
    const group = this.#groups.get(key);
    if (group) {
      group.push(stored);
    } else {
      this.#bytes += 100 + key.length * 2;
      this.#groups.set(key, [stored]);
    }
    if (this.#bytes > this.#memoryBytes) this.#moveToFile();
  }

  /** Rows of a key in the order in which they were added; none for an unknown key. */
  get(key: string): readonly StoredRow[] {
    if (!this.#file) return this.#groups.get(key) ?? [];
    return this.#indexed(this.#file)
      .all<{ row: string }>('SELECT row FROM rows WHERE key = ? ORDER BY seq', storedKey(key))
      .map(({ row }) => unpackRow(this.#columns, row));
  }

  /** Groups in order of first appearance. Nothing may be added while they are read. */
  *groups(): Generator<readonly [key: string, rows: readonly StoredRow[]]> {
    if (!this.#file) {
      yield* this.#groups;
      return;
    }
    const sql = 'SELECT key, MIN(seq) AS first FROM rows GROUP BY key ORDER BY first';
    for (const { key } of this.#indexed(this.#file).iterate<{ key: string }>(sql)) {
      const parsed = JSON.parse(key) as string;
      yield [parsed, this.get(parsed)];
    }
  }

  /** Frees the memory and the file. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#groups = new Map();
    this.#bytes = 0;
  }

  #moveToFile(): void {
    const file = new TemporaryDatabase(
      'CREATE TABLE rows (seq INTEGER PRIMARY KEY, key TEXT NOT NULL, row TEXT NOT NULL)',
    );
    // Group by group keeps the order of the groups, which is the order of their first rows.
    for (const [key, group] of this.#groups) for (const row of group) insert(file, key, row);
    this.#file = file;
    this.#groups = new Map();
    this.#bytes = 0;
  }

  /** The index is created when reading begins: keeping it up to date while rows are added costs far more. */
  #indexed(file: TemporaryDatabase): TemporaryDatabase {
    if (!this.#isIndexed) file.exec('CREATE INDEX rows_by_key ON rows (key, seq)');
    this.#isIndexed = true;
    return file;
  }
}

function insert(file: TemporaryDatabase, key: string, row: StoredRow): void {
  file.run('INSERT INTO rows (key, row) VALUES (?, ?)', storedKey(key), packRow(row));
}

/** The key as JSON text: SQLite loses lone surrogates and may end a text at NUL, and JSON text contains neither. */
function storedKey(key: string): string {
  return JSON.stringify(key);
}
