import { unneutralise } from '../../util/csv-guard.js';
import { CsvRow } from './row.js';

/** A record of a result file of ours, with what its writer did against formulas undone. */
export function unguardedRow(row: CsvRow): CsvRow {
  return new CsvRow(row.sheet, row.number, row.fields.map(unneutralise), row.faults, row.width);
}
