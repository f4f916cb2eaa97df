import type { Fault } from '../model/fault.js';
import type { Row } from '../model/row.js';

/** The faults of a row itself. Its cells may have shifted into other columns, so none of them is read. */
export function rowFaults({ sheet, number, faults = [] }: Row): readonly Fault[] {
  return faults.map(({ column, message }) => ({ sheet, row: number, column, message }));
}
