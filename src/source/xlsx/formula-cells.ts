import { SUBTOTAL } from '../subtotal-rows.js';
import { ascii } from './bytes.js';
import { columnNumber } from './cell-attributes.js';
import { FORMULA_CELL, SUBTOTAL_CELL } from './row-block.js';
import type { XmlScanner } from './xml-scan.js';

/** Array formulas over one row at most; Excel would be unusable with as many. */
const MAX_ARRAYS = 1000;
/** Longer than any way to write 0. */
const LONGEST_ZERO = 32;

interface CellRange {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** What the formulas of a worksheet say of cells, as marks of `row-block.ts`: one formula may stand for many cells. */
export class FormulaCells {
  /** Number of the shared formula whose text is being read; undefined if others do not use it. */
  #shared: string | undefined;
  /** Numbers of shared formulas that use SUBTOTAL or AGGREGATE. */
  readonly #subtotals = new Set<string>();
  /** Ranges of array formulas: only the first cell of a range has the formula. */
  #arrays: CellRange[] = [];
  /** Those that cover cells of the current row. */
  #arraysHere: CellRange[] = [];
  #row = 0;

  openRow(row: number): void {
    this.#row = row;
    if (this.#arrays.length > 0) this.#arrays = this.#arrays.filter(({ bottom }) => bottom >= row);
    this.#arraysHere = [...this.#arrays];
  }

  /** Whether array formulas cover cells of this row. */
  get hasArrays(): boolean {
    return this.#arraysHere.length > 0;
  }

  isInArray(column: number): boolean {
    return this.#arraysHere.some(({ left, right }) => column >= left && column <= right);
  }

  /** The marks of a cell whose formula has these attributes. */
  open(given: ReadonlyMap<string, string>): number {
    if (given.get('t') === 'array') this.#openArray(given.get('ref') ?? '');
    this.#shared = given.get('t') === 'shared' ? given.get('si') : undefined;
    const isSubtotal = this.#shared !== undefined && this.#subtotals.has(this.#shared);
    return FORMULA_CELL | (isSubtotal ? SUBTOTAL_CELL : 0);
  }

  /** The marks that follow from the formula's text. */
  text({ bytes, textStart, textEnd }: XmlScanner): number {
    if (!SUBTOTAL.test(ascii(bytes, textStart, textEnd))) return 0;
    if (this.#shared !== undefined) this.#subtotals.add(this.#shared);
    return SUBTOTAL_CELL;
  }

  #openArray(reference: string): void {
    const parts = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(reference);
    if (!parts || this.#arraysHere.length === MAX_ARRAYS) return;
    const [, left = '', , right = '', bottom] = parts;
    const range = { left: columnNumber(left), right: columnNumber(right), bottom: Number(bottom) };
    this.#arraysHere.push(range);
    if (range.bottom > this.#row) this.#arrays.push(range);
  }
}

/** Whether a stored result is a way to write 0. */
export function isZeroText(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > LONGEST_ZERO) return false;
  const text = ascii(bytes, start, end).trim();
  return text !== '' && Number(text) === 0;
}
