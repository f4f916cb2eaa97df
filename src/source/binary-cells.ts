import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Cell, CellMarks } from '../model/row.js';
import { cellAddress } from '../util/spreadsheet-text.js';
import { PlainRow } from './stored-row.js';
import { numberCell } from './xlsx/number-cell.js';
import type { NumberFormat } from './xlsx/number-format.js';
import { MAX_CELL_LENGTH } from './xlsx/shared-strings.js';
import { textCell } from './xlsx/xlsx-row.js';

/** Error values by their number in binary workbooks ([MS-XLS] 2.5.10). */
const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
};

export function errorCell(column: number, code: number): Cell {
  const text = ERRORS[code] ?? '#VALUE!';
  return { column, kind: 'error', text, raw: text };
}

/** A double as the cell's format shows it. NaN and infinity are error values, as a workbook cannot contain them. */
export function numericCell(
  column: number,
  value: number,
  format: NumberFormat | undefined,
  date1904: boolean,
): Cell {
  if (!Number.isFinite(value)) return errorCell(column, 36);
  return numberCell(column, Object.is(value, -0) ? '0' : String(value), format, date1904);
}

/**
 * A number in four bytes: an integer or the upper part of a double, optionally multiplied by 100 ([MS-XLS] 2.5.217).
 */
export function rkNumber(data: Buffer, at: number): number {
  const packed = data.readInt32LE(at);
  let value = packed >> 2;
  if ((packed & 2) === 0) {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32LE(packed & ~3, 4);
    value = bytes.readDoubleLE(0);
  }
  return packed & 1 ? value / 100 : value;
}

/** Collects the cells of a sheet into rows. */
export class CellRows {
  readonly #file: string;
  readonly #sheet: string;
  readonly #rows = new Map<number, Cell[]>();

  /** @param sheet its name, for messages */
  constructor(file: string, sheet: string) {
    this.#file = file;
    this.#sheet = sheet;
  }

  put(row: number, cell: Cell): void {
    const cells = this.#rows.get(row);
    if (cells) cells.push(cell);
    else this.#rows.set(row, [cell]);
  }

  /** @throws ProductError input if the text is longer than a cell allows */
  text(row: number, column: number, text: string, format: NumberFormat | undefined, marks?: CellMarks): void {
    if (text === '') return;
    if (text.length > MAX_CELL_LENGTH) {
      const params = { ...this.#place(row, column), limit: MAX_CELL_LENGTH };
      throw new ProductError('input', message('source.xlsx_cell_too_long', params));
    }
    this.put(row, { ...textCell(column, text, format), ...marks });
  }

  /** @throws ProductError input if the workbook has no such text */
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
   * The rows with cells, by ascending number. Clears the collected data.
   * @throws ProductError input if a cell occurs twice
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

/** Whether some characters of a text have a font that is struck out. */
export function hasStruckRun(
  text: string,
  runs: readonly (readonly [first: number, font: number])[],
  struckFonts: ReadonlySet<number>,
): boolean {
  return runs.some(([first, font], i) => {
    const end = runs[i + 1]?.[0] ?? text.length;
    return struckFonts.has(font) && text.slice(first, end).trim() !== '';
  });
}

/** Functions that always return a text, by their number in a formula's tokens ([MS-XLS] 2.5.198.17). */
const TEXT_FUNCTIONS: ReadonlySet<number> = new Set([
  13, 14, 30, 31, 48, 111, 112, 113, 114, 115, 116, 118, 119, 120, 162, 336,
]);
const RESULT = 6;
const TOKENS_LENGTH = 20;
const TOKENS = 22;
const CONCATENATION = 0x08;

/**
 * Whether a formula that returns a text has the result 0: LibreOffice saves it so if it opened a workbook without
 * calculating it. Decided by the last token, which determines the formula's type.
 * @param data the formula's record
 */
export function hasLostText(data: Buffer): boolean {
  if (data.length < TOKENS || data.readDoubleLE(RESULT) !== 0) return false;
  const tokens = data.subarray(TOKENS, TOKENS + data.readUInt16LE(TOKENS_LENGTH));
  if (tokens.length < 3) return false;
  if (tokens.at(-1) === CONCATENATION) return true;
  if (!TEXT_FUNCTIONS.has(tokens.readUInt16LE(tokens.length - 2))) return false;
  // Functions with a fixed and a variable number of arguments: the token's kind in five bits, then the class of its
  // value.
  return isToken(tokens.at(-3), 1) || isToken(tokens.at(-4), 2);
}

function isToken(byte: number | undefined, kind: number): boolean {
  return byte !== undefined && (byte & 0x1f) === kind && byte >= 0x20 && byte < 0x80;
}

const SUBTOTAL_FUNCTION = 344;
/** SUBTOTAL and AGGREGATE have a few arguments. */
const MOST_ARGUMENTS = 0x7f;

/** Whether the formula uses SUBTOTAL. This format lacks AGGREGATE: Excel saves it as a name, which is not checked. */
export function usesSubtotal(data: Buffer): boolean {
  if (data.length < TOKENS) return false;
  return hasSubtotalToken(data.subarray(TOKENS, TOKENS + data.readUInt16LE(TOKENS_LENGTH)));
}

/** The same for the tokens themselves, which have the same form in both kinds of binary workbooks. */
export function hasSubtotalToken(tokens: Buffer): boolean {
  for (let at = 0; at + 4 <= tokens.length; at += 1) {
    const isFunction = isToken(tokens[at], 2) && tokens[at + 1]! <= MOST_ARGUMENTS;
    if (isFunction && tokens.readUInt16LE(at + 2) === SUBTOTAL_FUNCTION) return true;
  }
  return false;
}
