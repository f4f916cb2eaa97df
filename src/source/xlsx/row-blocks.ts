import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { cellAddress } from '../../util/spreadsheet-text.js';
import { MAX_CELL_BYTES, MAX_CELL_LENGTH, type SharedStrings } from './shared-strings.js';
import type { TextOffsets } from './shared-text-index.js';
import type { Styles } from './xlsx-styles.js';
import { TextBytes, textOf } from './xml-text.js';

/** Kinds of cells. */
export const NUMBER = 0;
export const SHARED = 1;
export const TEXT_CELL = 2;
export const BOOLEAN = 3;
export const ERROR = 4;
export const ISO_DATE = 5;
export const NO_RESULT = 6;
/** A whole number written with digits only: stored as the number itself, without bytes. */
export const WHOLE = 7;

/** Numbers for each cell: column with kind and flags; style; start, index or value; length. */
export const STRIDE = 4;
export const COLUMN_BITS = 0xffff;
export const KIND_SHIFT = 16;
export const FLAGS_SHIFT = 20;

/** The style's number, and above it the marks of the cell. */
export const STYLE_BITS = 0xff_ffff;
export const FORMULA_CELL = 1 << 24;
export const SUBTOTAL_CELL = 1 << 25;
/** Some characters of an inline text are struck out. */
export const STRUCK_CELL = 1 << 26;

/** Numbers for each row: its row number, hidden (0 or 1), its first cell, where its bytes begin. */
export const ROW_STRIDE = 4;

/** Rows that are not decoded yet. The arrays share one ArrayBuffer, which one thread can transfer to another. */
export interface RowBlock {
  /** `ROW_STRIDE` numbers for each row and for one more, which marks the end of the last row's cells and bytes. */
  readonly rows: Int32Array;
  /** `STRIDE` numbers for each cell. */
  readonly cells: Int32Array;
  /** Bytes of the cells that are neither shared texts nor whole numbers. */
  readonly bytes: Buffer;
}

export function rowBlock(rows: readonly number[], cells: Int32Array, bytes: Buffer): RowBlock {
  const memory = new ArrayBuffer(4 * (rows.length + cells.length) + bytes.length);
  const block = {
    rows: new Int32Array(memory, 0, rows.length),
    cells: new Int32Array(memory, 4 * rows.length, cells.length),
    bytes: Buffer.from(memory, 4 * (rows.length + cells.length)),
  };
  block.rows.set(rows);
  block.cells.set(cells);
  bytes.copy(block.bytes);
  return block;
}

export function lastRow({ rows }: RowBlock): number {
  return rows[rows.length - 2 * ROW_STRIDE]!;
}

export function rowsAfter(block: RowBlock, number: number): RowBlock | undefined {
  if (lastRow(block) <= number) return undefined;
  let at = 0;
  while (block.rows[at]! <= number) at += ROW_STRIDE;
  return { ...block, rows: block.rows.subarray(at) };
}

/** Data for decoding the cells of one sheet. */
export interface SheetContext {
  readonly sheet: string;
  readonly strings: SharedStrings;
  readonly styles: Styles;
  readonly date1904: boolean;
  /** Styles that strike the cell out. */
  readonly struck?: ReadonlySet<number>;
  /** The workbook requires a calculation of its formulas on opening. */
  readonly pending?: boolean;
}

/** Excel's own limits. */
export const MAX_ROW = 1_048_576;
export const MAX_COLUMN = 16_384;

/** Limit of the text in one row. Excel's own limits would allow gigabytes; real rows stay far below. */
const ROW_LIMIT_MB = 32;

/** Collects cells into rows and rows into blocks. Rejects input in which a cell or row would be lost silently. */
export class RowBuilder {
  /** Bytes of the cells that are not shared texts. */
  readonly text = new TextBytes(1 << 16);
  number = 0;
  column = 0;
  /** Start of the row's bytes. */
  base = 0;
  /** Bits above the style of the current cell. */
  marks = 0;

  readonly #file: string;
  readonly #name: string;
  readonly #texts: TextOffsets;
  #cells = new Int32Array(STRIDE * 1024);
  #count = 0;
  #rows: number[] = [];
  #previous = 0;
  #numbered = false;
  #hidden = false;
  #first = 0;
  #highest = 0;
  #unsorted = false;

  /** @param sheet its name, for messages */
  constructor(file: string, sheet: string, texts: TextOffsets) {
    this.#file = file;
    this.#name = sheet;
    this.#texts = texts;
  }

  /** @param number the row's attribute `r`; undefined if it has none */
  openRow(number: number | undefined, hidden: boolean): void {
    this.#numbered = number !== undefined;
    this.number = number ?? this.#previous + 1;
    this.#checkOrder();
    this.#hidden = hidden;
    this.column = 0;
    this.#highest = 0;
    this.#unsorted = false;
    this.#first = this.#count;
    this.base = this.text.length;
  }

  /** The error for a row's attribute `r` that is not a row number. */
  badRowNumber(value: string): ProductError {
    const params = { ...this.#sheet, value, previous: this.#previous };
    return new ProductError('input', message('source.xlsx_row_number', params));
  }

  badReference(reference: string): ProductError {
    const params = { ...this.#sheet, row: this.number, reference };
    return new ProductError('input', message('source.xlsx_cell_reference', params));
  }

  /** The next cell, in the next column. False if the sheet has no such column. */
  nextCell(): boolean {
    return this.enter(this.column + 1);
  }

  /** The next cell of this row by its column; false if the sheet has no such column. */
  enter(column: number): boolean {
    if (column < 1 || column > MAX_COLUMN) return false;
    this.column = column;
    if (column <= this.#highest) this.#unsorted = true;
    else this.#highest = column;
    return true;
  }

  /** The next cell by its reference; false if the reference belongs to another row, or to no sheet. */
  cellAt(column: number, row: number): boolean {
    if (row !== this.number) {
      // A row without a number gets it from its first cell.
      if (this.#numbered || this.column > 0 || row < 1 || row > MAX_ROW) return false;
      this.number = row;
      this.#checkOrder();
    }
    this.#numbered = true;
    return this.enter(column);
  }

  /** The cell contains this text of the table. */
  putShared(index: number, style: number): void {
    const texts = this.#texts;
    if (texts.holds(index)) {
      this.#put(SHARED, style, 0, index, 0);
      return;
    }
    if (index >= texts.count) {
      const params = { ...this.#cell, index, count: texts.count };
      throw new ProductError('input', message('source.xlsx_string_index', params));
    }
    if (texts.isTooLong(index)) throw this.tooLong();
  }

  /** The cell contains a number with these digits. */
  appendWhole(style: number, value: number): void {
    this.#put(WHOLE, style, 0, value, 0);
  }

  /** @param isZero the file has a 0 that is not a calculated result */
  putNoResult(isZero: boolean): void {
    this.#put(NO_RESULT, 0, 0, isZero ? 1 : 0, 0);
  }

  /** The cell's value is a range of bytes of `text`; without bytes there is no cell. */
  putBytes(kind: number, style: number, flags: number, start: number, end: number): void {
    const { bytes } = this.text;
    const length = end - start;
    if (length === 0) return;
    if (length > MAX_CELL_LENGTH) {
      if (length > MAX_CELL_BYTES || textOf(bytes, start, end, flags).length > MAX_CELL_LENGTH)
        throw this.tooLong();
    }
    this.checkSize();
    this.#put(kind, style, flags, start - this.base, length);
  }

  /** @throws ProductError if the row being built is too large. */
  checkSize(): void {
    if (this.text.length - this.base <= ROW_LIMIT_MB * 1024 ** 2) return;
    const params = { ...this.#sheet, row: this.number, limit: ROW_LIMIT_MB };
    throw new ProductError('input', message('source.xlsx_row_too_large', params));
  }

  tooLong(): ProductError {
    const params = { ...this.#cell, limit: MAX_CELL_LENGTH };
    return new ProductError('input', message('source.xlsx_cell_too_long', params));
  }

  closeRow(): void {
    const count = this.#count - this.#first;
    this.#previous = this.number;
    if (count === 0) {
      this.text.length = this.base;
      return;
    }
    if (this.#unsorted) this.#sort();
    this.#rows.push(this.number, this.#hidden ? 1 : 0, this.#first, this.base);
    this.#first = this.#count;
    this.base = this.text.length;
  }

  /** The rows completed since the last call; undefined if there are none. */
  take(): RowBlock | undefined {
    if (this.#rows.length === 0) return undefined;
    this.#rows.push(0, 0, this.#first, this.base);
    const cells = this.#cells.subarray(0, this.#first * STRIDE);
    const block = rowBlock(this.#rows, cells, this.text.bytes.subarray(0, this.base));
    this.#cells.copyWithin(0, this.#first * STRIDE, this.#count * STRIDE);
    this.#count -= this.#first;
    this.#first = 0;
    this.text.bytes.copyWithin(0, this.base, this.text.length);
    this.text.length -= this.base;
    this.base = 0;
    this.#rows = [];
    return block;
  }

  #put(kind: number, style: number, flags: number, start: number, length: number): void {
    const at = this.#count * STRIDE;
    if (at + STRIDE > this.#cells.length) {
      const grown = new Int32Array(2 * this.#cells.length);
      grown.set(this.#cells);
      this.#cells = grown;
    }
    const cells = this.#cells;
    cells[at] = this.column | (kind << KIND_SHIFT) | (flags << FLAGS_SHIFT);
    cells[at + 1] = style | this.marks;
    cells[at + 2] = start;
    cells[at + 3] = length;
    this.#count += 1;
  }

  #checkOrder(): void {
    const { number } = this;
    if (number > MAX_ROW) throw this.badRowNumber(String(number));
    if (number > this.#previous) return;
    const params = { ...this.#sheet, row: number, previous: this.#previous };
    throw new ProductError('input', message('source.xlsx_row_order', params));
  }

  /** Sorts the row's cells: they may be in any order, but each only once. */
  #sort(): void {
    const from = this.#first * STRIDE;
    const cells = Array.from({ length: this.#count - this.#first }, (_, i) =>
      this.#cells.slice(from + i * STRIDE, from + (i + 1) * STRIDE),
    ).sort((a, b) => (a[0]! & COLUMN_BITS) - (b[0]! & COLUMN_BITS));
    cells.forEach((cell, i) => {
      const column = cell[0]! & COLUMN_BITS;
      if (i > 0 && (cells[i - 1]![0]! & COLUMN_BITS) === column) {
        this.column = column;
        throw new ProductError('input', message('source.xlsx_cell_twice', this.#cell));
      }
      this.#cells.set(cell, from + i * STRIDE);
    });
  }

  get #sheet(): { readonly file: string; readonly sheet: string } {
    return { file: this.#file, sheet: this.#name };
  }

  get #cell(): { readonly file: string; readonly sheet: string; readonly cell: string } {
    return { ...this.#sheet, cell: cellAddress(this.column, this.number) };
  }
}
