import type { Cell } from '../model/cell.js';
import type { Row, RowFault } from '../model/row.js';

const NONE: ReadonlyMap<number, Cell> = new Map();

interface Shaping {
  /** Cells in place of its own, by column. */
  readonly replaced?: ReadonlyMap<number, Cell>;
  /** Added before the faults that the row already has. */
  readonly faults?: readonly RowFault[];
}

/** A row with some cells replaced or with more faults. It keeps the faults that it had. */
export class ShapedRow implements Row {
  readonly faults?: readonly RowFault[];
  readonly #row: Row;
  readonly #replaced: ReadonlyMap<number, Cell>;

  constructor(row: Row, { replaced = NONE, faults = [] }: Shaping) {
    this.#row = row;
    this.#replaced = replaced;
    const all = [...faults, ...(row.faults ?? [])];
    if (all.length > 0) this.faults = all;
  }

  get sheet(): string {
    return this.#row.sheet;
  }

  get number(): number {
    return this.#row.number;
  }

  get hidden(): boolean {
    return this.#row.hidden;
  }

  get marked(): boolean {
    return this.#row.marked === true;
  }

  cell(column: number): Cell | undefined {
    return this.#replaced.get(column) ?? this.#row.cell(column);
  }

  cells(): readonly Cell[] {
    if (this.#replaced.size === 0) return this.#row.cells();
    const own = this.#row.cells().filter(({ column }) => !this.#replaced.has(column));
    return [...own, ...this.#replaced.values()].sort((a, b) => a.column - b.column);
  }
}
