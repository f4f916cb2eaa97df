import type { Row } from '../../model/row.js';
import { StoredColumns, type StoredRow } from '../../source/rows/stored-row.js';
import { RowsOnDisk } from './rows-on-disk.js';

const MEMORY_BYTES = 64 * 1024 * 1024;

/**
 * Groups rows by key, in memory up to a limit and beyond it in a temporary file, with the same results. Rows come back
 * with the stored columns only.
 */
export class RowStore {
  readonly #columns: StoredColumns;
  readonly #memoryBytes: number;
  #groups = new Map<string, StoredRow[]>();
  #bytes = 0;
  #onDisk: RowsOnDisk | undefined;

  /**
   * @param columns 1-based columns of each row to store
   * @param options.memoryBytes about how much may be held in memory; default 64 MiB
   */
  constructor(columns: readonly number[], options: { readonly memoryBytes?: number } = {}) {
    this.#columns = new StoredColumns(columns);
    this.#memoryBytes = options.memoryBytes ?? MEMORY_BYTES;
  }

  /** Whether rows have gone to a file. */
  get onDisk(): boolean {
    return this.#onDisk !== undefined;
  }

  add(key: string, row: Row): void {
    const stored = this.#columns.store(row);
    if (this.#onDisk) {
      this.#onDisk.add(key, stored);
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
    if (this.#bytes > this.#memoryBytes) this.#moveToDisk();
  }

  /** Rows of a key in the order in which they were added; none for a key that never was. */
  get(key: string): readonly StoredRow[] {
    return this.#onDisk ? this.#onDisk.get(key) : (this.#groups.get(key) ?? []);
  }

  /** Groups in order of first appearance. Nothing may be added while they are read. */
  *groups(): Generator<readonly [key: string, rows: readonly StoredRow[]]> {
    if (!this.#onDisk) {
      yield* this.#groups;
      return;
    }
    for (const key of this.#onDisk.keys()) yield [key, this.#onDisk.get(key)];
  }

  /** Frees the memory and the file. */
  close(): void {
    this.#onDisk?.close();
    this.#onDisk = undefined;
    this.#groups = new Map();
    this.#bytes = 0;
  }

  #moveToDisk(): void {
    const onDisk = new RowsOnDisk(this.#columns);
    // Group by group: each group's first row still comes before the next group's, which is all their order says.
    for (const [key, group] of this.#groups) for (const row of group) onDisk.add(key, row);
    this.#onDisk = onDisk;
    this.#groups = new Map();
    this.#bytes = 0;
  }
}
