import { type Cell, isMarked } from '../../model/cell.js';
import type { Row, RowFault } from '../../model/row.js';

/** A row with its cells in memory, by ascending column. */
export class PlainRow implements Row {
  readonly sheet: string;
  readonly number: number;
  readonly hidden: boolean;
  readonly faults?: readonly RowFault[];
  readonly #cells: readonly Cell[];

  constructor(
    { sheet, number, hidden, faults }: Omit<Row, 'cell' | 'cells' | 'marked'>,
    cells: readonly Cell[],
  ) {
    this.sheet = sheet;
    this.number = number;
    this.hidden = hidden;
    if (faults) this.faults = faults;
    this.#cells = cells;
  }

  get marked(): boolean {
    return this.#cells.some(isMarked);
  }

  cell(column: number): Cell | undefined {
    let low = 0;
    let high = Math.min(column, this.#cells.length) - 1;
    // In a row without gaps the cell is at its column's place.
    for (let middle = high; low <= high; middle = (low + high) >> 1) {
      const cell = this.#cells[middle]!;
      if (cell.column === column) return cell;
      if (cell.column < column) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  cells(): readonly Cell[] {
    return this.#cells;
  }
}
