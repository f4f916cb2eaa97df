import type { Field } from '../../model/field.js';
import type { Row } from '../../model/row.js';
import { type Converted, cellFault } from '../convert/conversion.js';
import type { CellFault, Reading } from '../plan.js';

const NOTHING: Reading = { kind: 'empty' };

/** What stands where a leaf's cells are empty. */
export function readingOfDefault(field: Field): Reading {
  return field.default === undefined ? NOTHING : { kind: 'value', value: field.default };
}

/** A conversion's result at a column. */
export function readingOf(converted: Converted, column: number | undefined, whenEmpty: Reading): Reading {
  if (converted.kind === 'value') return converted;
  if (converted.kind === 'empty') return whenEmpty;
  const { message } = converted;
  return { kind: 'faults', faults: [column === undefined ? { message } : { column, message }] };
}

/** Faults of cells that can't be used, among the columns that a template or an expression reads. */
export function faultyCells(row: Row, columns: readonly number[]): readonly CellFault[] {
  const faults: CellFault[] = [];
  for (const column of columns) {
    const cell = row.cell(column);
    const wrong = cell && cellFault(cell);
    if (wrong) faults.push({ column, message: wrong });
  }
  return faults;
}
