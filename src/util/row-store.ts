import { SpilledRows } from './spilled-rows.js';
import { type KeepableRow, KeptColumns, type StoredRow } from './stored-row.js';

const MEMORY_BYTES = 64 * 1024 * 1024;

/**
 * Gathers rows by key: in memory up to a bound, beyond it in a temporary file, with the same results. Rows come
 * back as plain ones that hold only the kept columns.
 */
export class RowStore {
  readonly #kept: KeptColumns;
  readonly #memoryBytes: number;
  #groups = new Map<string, StoredRow[]>();
  #bytes = 0;
  #spilled: SpilledRows | undefined;

  /**
   * @param columns 1-based columns of each row to keep
   * @param options.memoryBytes about how much may be held in memory; default 64 MiB
   */
  constructor(columns: readonly number[], options: { readonly memoryBytes?: number } = {}) {
    this.#kept = new KeptColumns(columns);
    this.#memoryBytes = options.memoryBytes ?? MEMORY_BYTES;
  }

  /** Whether rows have gone to a file. */
  get spilled(): boolean {
    return this.#spilled !== undefined;
  }

  add(key: string, row: KeepableRow): void {
    const stored = this.#kept.keep(row);
    if (this.#spilled) {
      this.#spilled.add(key, stored);
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
    if (this.#bytes > this.#memoryBytes) this.#spill();
  }

  /** Rows of a key in the order in which they were added; none for a key that never was. */
  get(key: string): readonly StoredRow[] {
    return this.#spilled ? this.#spilled.get(key) : (this.#groups.get(key) ?? []);
  }

  /** Groups in order of first appearance. Nothing may be added while they are read. */
  *groups(): Generator<readonly [key: string, rows: readonly StoredRow[]]> {
    if (!this.#spilled) {
      yield* this.#groups;
      return;
    }
    for (const key of this.#spilled.keys()) yield [key, this.#spilled.get(key)];
  }

  /** Lets go of everything, the file included. */
  close(): void {
    this.#spilled?.close();
    this.#spilled = undefined;
    this.#groups = new Map();
    this.#bytes = 0;
  }

  #spill(): void {
    const spilled = new SpilledRows(this.#kept);
    // Group by group: each group's first row still comes before the next group's, which is all their order says.
    for (const [key, group] of this.#groups) for (const row of group) spilled.add(key, row);
    this.#spilled = spilled;
    this.#groups = new Map();
    this.#bytes = 0;
  }
}
