import type { Row } from '../../model/row.js';
import { RowStore } from '../input/row-store.js';
import { SeenKeys } from './seen-keys.js';

/** Groups rows by key; groups come in order of first appearance. */
export interface RowGroups {
  add(key: string, row: Row): Added;
  /** The groups that are complete only now, at the sheet's end. */
  rest(): Iterable<readonly Row[]>;
  close(): void;
}

/**
 * Result of adding a row:
 * - waiting: its group may continue
 * - complete: the rows of a group that has ended
 * - scattered: a group with the row's key (very likely) had ended before, so the groups so far are incomplete
 */
type Added =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'complete'; readonly rows: readonly Row[] }
  | { readonly kind: 'scattered' };

const WAITING: Added = { kind: 'waiting' };
const SCATTERED: Added = { kind: 'scattered' };

/** Groups whose rows are adjacent, as in most files. Only the last group is in memory. */
export class AdjacentRows implements RowGroups {
  readonly #ended = new SeenKeys();
  #key: string | undefined;
  #rows: Row[] = [];

  add(key: string, row: Row): Added {
    if (key === this.#key) {
      this.#rows.push(row);
      return WAITING;
    }
    if (!this.#ended.addIfNew(key)) return SCATTERED;
    const rows = this.#rows;
    this.#key = key;
    this.#rows = [row];
    return rows.length === 0 ? WAITING : { kind: 'complete', rows };
  }

  *rest(): Generator<readonly Row[]> {
    if (this.#rows.length > 0) yield this.#rows;
  }

  close(): void {}
}

/** Groups whose rows may be anywhere. All rows are stored, on disk beyond a limit. */
export class ScatteredRows implements RowGroups {
  readonly #store: RowStore;

  /** @param columns 1-based columns to keep */
  constructor(columns: readonly number[]) {
    this.#store = new RowStore(columns);
  }

  add(key: string, row: Row): Added {
    this.#store.add(key, row);
    return WAITING;
  }

  *rest(): Generator<readonly Row[]> {
    for (const [, rows] of this.#store.groups()) yield rows;
  }

  close(): void {
    this.#store.close();
  }
}
