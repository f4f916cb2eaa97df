import type { Row } from '../../model/row.js';
import { RowStore } from './row-store.js';
import { SeenKeys } from './seen-keys.js';

/** Brings the rows of one key together; groups come in order of first appearance. */
export interface RowGroups {
  /** Takes in a row. */
  add(key: string, row: Row): Added;
  /** The groups that are complete only now, at the sheet's end. */
  rest(): Iterable<readonly Row[]>;
  close(): void;
}

/**
 * What a row brings:
 * - waiting: its group may go on
 * - complete: the rows of a group that is over
 * - scattered: its key, or very likely its key, was over already; these groups are of no use
 */
type Added =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'complete'; readonly rows: readonly Row[] }
  | { readonly kind: 'scattered' };

const WAITING: Added = { kind: 'waiting' };
const SCATTERED: Added = { kind: 'scattered' };

/** Groups whose rows stand one after the other, as they do in most files: nothing is held but the last of them. */
export class AdjacentRows implements RowGroups {
  readonly #over = new SeenKeys();
  #key: string | undefined;
  #rows: Row[] = [];

  add(key: string, row: Row): Added {
    if (key === this.#key) {
      this.#rows.push(row);
      return WAITING;
    }
    if (this.#over.add(key)) return SCATTERED;
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

/** Groups whose rows may stand anywhere: all of them are kept, past a bound on disk. */
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
