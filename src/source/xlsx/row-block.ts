import type { SharedStrings } from './shared-strings.js';
import type { Styles } from './styles.js';

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

/** The style's number, and above it what the sheet says of the cell beside its value. */
export const STYLE_BITS = 0xff_ffff;
export const FORMULA_CELL = 1 << 24;
export const SUBTOTAL_CELL = 1 << 25;
/** Some characters of an inline text are struck out. */
export const STRUCK_CELL = 1 << 26;

/** Numbers for each row: its row number, hidden (0 or 1), its first cell, where its bytes begin. */
export const ROW_STRIDE = 4;

/** Rows that aren't decoded yet. The arrays share one ArrayBuffer, which one thread can transfer to another. */
export interface RowBlock {
  /** `ROW_STRIDE` numbers for each row and for one more, which marks where the last row's cells and bytes end. */
  readonly rows: Int32Array;
  /** `STRIDE` numbers for each cell. */
  readonly cells: Int32Array;
  /** Bytes of the cells that are neither shared texts nor whole numbers. */
  readonly bytes: Buffer;
}

/** Copies rows and cells into a new block. */
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

/** The number of a block's last row. */
export function lastRow({ rows }: RowBlock): number {
  return rows[rows.length - 2 * ROW_STRIDE]!;
}

/** The block's rows after the one with this number; undefined if there are none. */
export function rowsAfter(block: RowBlock, number: number): RowBlock | undefined {
  if (lastRow(block) <= number) return undefined;
  let at = 0;
  while (block.rows[at]! <= number) at += ROW_STRIDE;
  return { ...block, rows: block.rows.subarray(at) };
}

/** What the cells of one sheet are decoded with. */
export interface SheetContext {
  readonly sheet: string;
  readonly strings: SharedStrings;
  readonly styles: Styles;
  readonly date1904: boolean;
  /** Styles that strike the cell out. */
  readonly struck?: ReadonlySet<number>;
  /** The workbook says that its formulas must be calculated on opening. */
  readonly pending?: boolean;
}
