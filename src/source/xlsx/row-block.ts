import type { SharedStrings } from './shared-strings.js';
import type { Styles } from './styles.js';

/** What a cell holds, as the sheet says. */
export const NUMBER = 0;
export const SHARED = 1;
export const TEXT_CELL = 2;
export const BOOLEAN = 3;
export const ERROR = 4;
export const ISO_DATE = 5;
export const NO_RESULT = 6;
/** A number that is written as digits alone: kept as the number it is, and has no bytes. */
export const WHOLE = 7;

/** Numbers kept for each cell: column with kind and flags, style, start or index or value, length. */
export const STRIDE = 4;
export const COLUMN_BITS = 0xffff;
export const KIND_SHIFT = 16;
export const FLAGS_SHIFT = 20;

/** Numbers kept for each row: as Excel shows it, hidden (0 or 1), its first cell, where its bytes begin. */
export const ROW_STRIDE = 4;

/** Some rows, undecoded. Its arrays lie in one piece of memory, which one thread can hand to another. */
export interface RowBlock {
  /** `ROW_STRIDE` numbers a row, and once more for a row after the last: there the last one's cells and bytes end. */
  readonly rows: Int32Array;
  /** `STRIDE` numbers a cell. */
  readonly cells: Int32Array;
  /** Of the cells that are neither shared nor whole. */
  readonly bytes: Buffer;
}

/** A block of these rows and cells; copies them. */
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

/** The block's rows behind the one of this number; undefined when there are none. */
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
}
