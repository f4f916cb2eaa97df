import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Cell, CellMarks } from '../../model/cell.js';
import { cellAddress } from '../../util/address.js';
import type { NumberFormat } from '../xlsx/number-format.js';
import { MAX_CELL_LENGTH } from '../xlsx/shared-strings.js';
import { textCell } from '../xlsx/xlsx-row.js';
import { PlainRow } from './plain-row.js';

/** The cells of a sheet, collected to rows. */
export class CellRows {
  readonly #file: string;
  readonly #sheet: string;
  readonly #rows = new Map<number, Cell[]>();

  /** @param sheet its name, as messages call it */
  constructor(file: string, sheet: string) {
    this.#file = file;
    this.#sheet = sheet;
  }

  put(row: number, cell: Cell): void {
    const cells = this.#rows.get(row);
    if (cells) cells.push(cell);
    else this.#rows.set(row, [cell]);
  }

  /** @throws ProductError input when the text is longer than a cell can hold */
  text(row: number, column: number, text: string, format: NumberFormat | undefined, marks?: CellMarks): void {
    if (text === '') return;
    if (text.length > MAX_CELL_LENGTH) {
      const params = { ...this.#place(row, column), limit: MAX_CELL_LENGTH };
      throw new ProductError('input', message('source.xlsx_cell_too_long', params));
    }
    this.put(row, { ...textCell(column, text, format), ...marks });
  }

  /** @throws ProductError input when the workbook has no such text */
  shared(
    row: number,
    column: number,
    texts: readonly string[],
    index: number,
    format: NumberFormat | undefined,
    marks?: CellMarks,
  ): void {
    const text = texts[index];
    if (text === undefined) {
      const params = { ...this.#place(row, column), index, count: texts.length };
      throw new ProductError('input', message('source.xlsx_string_index', params));
    }
    this.text(row, column, text, format, marks);
  }

  /**
   * The rows that have cells, by ascending number. Takes what was collected away.
   * @throws ProductError input when a cell occurs twice
   */
  sorted(isHidden: (row: number) => boolean): readonly PlainRow[] {
    const numbers = [...this.#rows.keys()].sort((a, b) => a - b);
    const rows = numbers.map((number) => {
      const cells = this.#rows.get(number)!.sort((a, b) => a.column - b.column);
      const twice = cells.find((cell, i) => cells[i - 1]?.column === cell.column);
      if (twice) {
        const params = this.#place(number, twice.column);
        throw new ProductError('input', message('source.xlsx_cell_twice', params));
      }
      return new PlainRow({ sheet: this.#sheet, number, hidden: isHidden(number) }, cells);
    });
    this.#rows.clear();
    return rows;
  }

  #place(row: number, column: number): { file: string; sheet: string; cell: string } {
    return { file: this.#file, sheet: this.#sheet, cell: cellAddress(column, row) };
  }
}
