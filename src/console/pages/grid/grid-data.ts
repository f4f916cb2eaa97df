import type { z } from 'zod';
import type { columnsSchema, importRowSchema } from '../../routes/import-schemas.js';

/** What a grid shows: columns and rows of a sheet, as the server gives them. */
export type GridColumn = Readonly<z.infer<typeof columnsSchema>['headers'][number]>;

export interface GridRow extends Readonly<z.infer<typeof importRowSchema>> {
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
