import type { Fault } from '../model/fault.js';
import type { Row } from '../model/row.js';

/** What is wrong with a row itself. Its cells may stand in other columns than they were meant for, so none is read. */
export function rowFaults({ sheet, number, faults = [] }: Row): readonly Fault[] {
  return faults.map(({ column, message }) => ({
    sheet,
    row: number,
    ...(column === undefined ? {} : { column }),
    message,
  }));
}
