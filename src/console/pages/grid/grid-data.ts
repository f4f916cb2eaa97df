/** What a grid shows: columns and rows of a sheet, as the server gives them. */
export interface GridColumn {
  /** Excel's: A is 1. */
  readonly column: number;
  readonly letter: string;
  readonly text: string;
  /** The field of the operation that the column goes to; none for a column that is not used. */
  readonly field?: string;
  /** Texts that the field takes, if it takes only some. */
  readonly allowed?: readonly string[];
}

export interface GridFault {
  /** None: the fault is of the row as a whole. */
  readonly column?: number;
  readonly text: string;
  readonly code?: string;
}

export interface GridRow {
  /** Excel's row number. */
  readonly row: number;
  readonly status: string;
  /** In the order of the columns. */
  readonly cells: readonly string[];
  readonly faults: readonly GridFault[];
  /** Columns whose cells were corrected. */
  readonly corrected: readonly number[];
  /** Columns whose correction has not been answered yet. */
  readonly pending?: readonly number[];
}

/** A text to be put into a cell; row and column are Excel's. */
export interface CellEdit {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

export function faultsAt(row: GridRow, column: number | undefined): string {
  return row.faults
    .filter((it) => it.column === column)
    .map((it) => it.text)
    .join(' ');
}
