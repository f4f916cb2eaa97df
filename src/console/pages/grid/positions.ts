import type { z } from 'zod';
import type { columnsSchema, importRowSchema } from '../../routes/import-schemas.js';

/**
 * A position in the grid. Row 0 is the header and column 0 contains Excel's row numbers; rows and columns of the
 * sheet are counted from 1 in display order. `aria-rowindex` and `aria-colindex` are one more.
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
  /** Columns without the row numbers. */
  readonly columns: number;
}

/** Start and end of a selection; the end has the focus. */
export interface GridSelection {
  readonly anchor: GridPlace;
  readonly focus: GridPlace;
}

export const START: GridSelection = { anchor: { row: 1, column: 1 }, focus: { row: 1, column: 1 } };

export function at(place: GridPlace): GridSelection {
  return { anchor: place, focus: place };
}

/** The selected cells. A header selects its column, a row number its row, the corner all cells. */
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

/** A column of a sheet. */
export type GridColumn = Readonly<z.infer<typeof columnsSchema>['headers'][number]>;

/** Order and filters by column; columns are numbered as in Excel. */
export interface Arrangement {
  /** Negative for descending order; 0 for the order of the sheet. */
  readonly sort: number;
  readonly filters: Map<number, string>;
}

export interface GridRow extends Readonly<z.infer<typeof importRowSchema>> {
  /** Columns whose correction is not confirmed by the console yet. */
  readonly pending?: readonly number[];
}

/** A new text of a cell; row and column are numbered as in Excel. */
export interface CellEdit {
  readonly row: number;
  readonly column: number;
  readonly text: string;
  /** The text that the user saw: if another user has changed it since, the user is asked. */
  readonly before?: string | undefined;
}

export function faultsAt(row: GridRow, column: number | undefined): string {
  return row.faults
    .filter((it) => it.column === column)
    .map((it) => it.text)
    .join(' ');
}
