import type { Code } from '../errors/message.js';
import type { Fault } from '../model/fault.js';
import type { Row } from '../model/row.js';

/** What is wrong with how a workbook stores a cell: the same characters in a text file would pass for what was typed. */
const OF_FORM: ReadonlySet<Code> = new Set<Code>([
  'mapping.number_too_long',
  'mapping.date_in_text',
  'mapping.date_in_template',
  'mapping.date_in_duration',
  'mapping.point_in_number',
  'mapping.hidden_digits',
  'mapping.hidden_time',
]);

/** The columns of a row whose cells are at fault so that nobody could see it who has only their text; undefined if none. */
export function unfitColumns(faults: readonly Fault[], row: Row): ReadonlySet<number> | undefined {
  const unfit = new Set<number>();
  for (const { column, message, row: number, sheet } of faults) {
    if (column === undefined || number !== row.number || sheet !== row.sheet) continue;
    if (OF_FORM.has(message.code)) unfit.add(column);
  }
  return unfit.size > 0 ? unfit : undefined;
}
