import type { z } from 'zod';
import type {
  columnsSchema,
  correctedSchema,
  firstRowsSchema,
  historySchema,
  importViewSchema,
  proposalsSchema,
  rowPositionsSchema,
} from '../../../routes/import-schemas.js';

/** The response of `GET /imports/{id}`. */
export type ImportAnswer = z.infer<typeof importViewSchema>;

/** Errors grouped by kind, for the list above the grid, its filter and its fixes. */
export type FaultGroup = ImportAnswer['faults'][number];

export type ColumnsAnswer = z.infer<typeof columnsSchema>;

/** Positions of rows in the sheet, run-length encoded. */
export type RowPositionsAnswer = z.infer<typeof rowPositionsSchema>;

/** The first rows, before the check has finished. */
export type FirstRowsAnswer = z.infer<typeof firstRowsSchema>;
export type FirstRow = FirstRowsAnswer['items'][number];

export function positionsOf({ places, total }: RowPositionsAnswer): Uint32Array {
  const list = new Uint32Array(total);
  let [next, position] = [0, 0];
  for (let index = 0; index < places.length; index += 2) {
    position += places[index] ?? 0;
    for (const end = position + (places[index + 1] ?? 0); position < end; position += 1) {
      list[next] = position;
      next += 1;
    }
  }
  return list;
}

/** The response to corrections, undo and redo. */
export type CorrectedAnswer = z.infer<typeof correctedSchema>;

/** Proposed corrections of the cells with one kind of error. */
export type ProposalsAnswer = z.infer<typeof proposalsSchema>;

/** An entry in the history of corrections. */
export type CorrectionEntry = z.infer<typeof historySchema>['items'][number];
