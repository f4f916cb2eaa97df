/**
 * Places of a grid and ranges of them. Row 0 is the header and column 0 holds Excel's row numbers; the sheet's own rows and
 * columns are counted from 1, in the order in which they are shown. `aria-rowindex` and `aria-colindex` are one more.
 */
export interface GridPlace {
  readonly row: number;
  readonly column: number;
}

export interface PlaceRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface GridSize {
  /** Rows without the header. */
  readonly rows: number;
  /** Columns without that of the row numbers. */
  readonly columns: number;
}

/** Where a selection began, and where it has been led to: the second is the place that has the focus. */
export interface GridSelection {
  readonly anchor: GridPlace;
  readonly focus: GridPlace;
}

export const START: GridSelection = { anchor: { row: 1, column: 1 }, focus: { row: 1, column: 1 } };

export function at(place: GridPlace): GridSelection {
  return { anchor: place, focus: place };
}

/** The cells that are selected. A header stands for its whole column, a row number for its row, the corner for all. */
export function rangeOf({ anchor, focus }: GridSelection, { rows, columns }: GridSize): PlaceRange {
  const wholeColumns = anchor.row === 0 || focus.row === 0;
  const wholeRows = anchor.column === 0 || focus.column === 0;
  return {
    top: wholeColumns ? 1 : Math.min(anchor.row, focus.row),
    bottom: wholeColumns ? rows : Math.max(anchor.row, focus.row),
    left: wholeRows ? 1 : Math.min(anchor.column, focus.column),
    right: wholeRows ? columns : Math.max(anchor.column, focus.column),
  };
}

export function isWithin({ row, column }: GridPlace, range: PlaceRange): boolean {
  return row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;
}

export function cellsIn({ top, bottom, left, right }: PlaceRange): number {
  return Math.max(0, bottom - top + 1) * Math.max(0, right - left + 1);
}
