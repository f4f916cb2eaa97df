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

/** Numbers kept for each cell: column with kind and flags, style, start or index, length. */
export const STRIDE = 4;
export const COLUMN_BITS = 0xffff;
export const KIND_SHIFT = 16;
export const FLAGS_SHIFT = 20;

/** What all rows of one sheet share. */
export interface SheetContext {
  readonly sheet: string;
  readonly strings: SharedStrings;
  readonly styles: Styles;
  readonly date1904: boolean;
}

/** Some rows' cells, undecoded: four numbers a cell, and the bytes of those that aren't shared. */
export interface RowBlock extends SheetContext {
  readonly cells: Int32Array;
  readonly bytes: Buffer;
}

/** A row's share of a block. */
export interface RowPlace {
  /** As Excel shows it. */
  readonly number: number;
  readonly hidden: boolean;
  /** Index of the first cell, and how many there are. */
  readonly first: number;
  readonly count: number;
  /** Where the row's bytes begin, and where they end. */
  readonly base: number;
  readonly end: number;
}
