import type { Message } from '../errors/message.js';
import type { Cell } from './cell.js';

/** What is wrong with a line as a whole: its cells may not be in their columns. */
export interface RowFault {
  /** 1-based; absent when the row as a whole is at fault. */
  readonly column?: number;
  readonly message: Message;
  /** Which cells may stand in other columns than their own: any but the first, unless it says otherwise. */
  readonly shifts?: 'none' | 'later cells';
}

/**
 * One row of a sheet that has at least one non-empty cell. Rows are made to be decoded late: ask for the cells
 * that are needed. A row stays valid after its stream has moved on.
 */
export interface Row {
  /** Sheet name; for .csv and .tsv the file's name without its extension. */
  readonly sheet: string;
  /** 1-based, as Excel shows it; for .csv the number of the record, blank records counted. */
  readonly number: number;
  /** Hidden by hand or by a filter. */
  readonly hidden: boolean;
  /** Whether some cell is a formula or struck out (see `CellMarks`). Absent: none is. */
  readonly marked?: boolean;
  /** Absent where nothing is wrong. Such a row is never sent. */
  readonly faults?: readonly RowFault[];
  /** Text files: the line has fewer fields than the header. The missing ones are read as empty cells, with a warning. */
  readonly isShort?: boolean;
  /** The cell in a 1-based column; undefined when empty. */
  cell(column: number): Cell | undefined;
  /** All non-empty cells, by ascending column. */
  cells(): readonly Cell[];
}

/** One header cell of a table. */
export interface Header {
  /** 1-based column in the sheet. */
  readonly column: number;
  /** As written in the sheet. */
  readonly text: string;
  /** Trimmed, NFKC, lower case: what names are matched by. */
  readonly folded: string;
}
