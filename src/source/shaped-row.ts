import type { Cell } from '../model/cell.js';
import type { Row } from '../model/row.js';

/** A row with some of its cells replaced. */
export class ShapedRow implements Row {
  readonly #row: Row;
  readonly #replaced: ReadonlyMap<number, Cell>;

  /** @param replaced by column */
  constructor(row: Row, replaced: ReadonlyMap<number, Cell>) {
    this.#row = row;
    this.#replaced = replaced;
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

  cell(column: number): Cell | undefined {
    return this.#replaced.get(column) ?? this.#row.cell(column);
  }

  cells(): readonly Cell[] {
    const own = this.#row.cells().filter(({ column }) => !this.#replaced.has(column));
    return [...own, ...this.#replaced.values()].sort((a, b) => a.column - b.column);
  }
}
