import type { z } from 'zod';
import type {
  columnsSchema,
  correctedSchema,
  faultySchema,
  historySchema,
  importShownSchema,
  proposalsSchema,
} from '../../../routes/import-schemas.js';

/** An import as `GET /imports/{id}` tells it. */
export type ImportAnswer = z.infer<typeof importShownSchema>;

/** All faults of one kind: what the list above the grid tells, filters by and mends. */
export type FaultGroup = ImportAnswer['faults'][number];

export type ColumnsAnswer = z.infer<typeof columnsSchema>;

/** Where faulty rows stand in the sheet. */
export type FaultyAnswer = z.infer<typeof faultySchema>;

export function placesOf({ places, total }: FaultyAnswer): Uint32Array {
  const list = new Uint32Array(total);
  let [at, place] = [0, 0];
  for (let turn = 0; turn < places.length; turn += 2) {
    place += places[turn] ?? 0;
    for (const end = place + (places[turn + 1] ?? 0); place < end; place += 1) {
      list[at] = place;
      at += 1;
    }
  }
  return list;
}

/** What corrections, and undoing and redoing them, answer. */
export type CorrectedAnswer = z.infer<typeof correctedSchema>;

/** What would mend the cells of a kind: of so many faulty ones, with rows that were not looked at. */
export type ProposalsAnswer = z.infer<typeof proposalsSchema>;

/** A line of the history of corrections. */
export type KeptCorrection = z.infer<typeof historySchema>['items'][number];
