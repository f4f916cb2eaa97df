import { message } from '../../errors/message.js';
import { expressionText } from '../../model/cell.js';
import type { Fault } from '../../model/fault.js';
import type { UnmatchedRows } from '../../model/job.js';
import type { Row } from '../../model/row.js';
import { compileCel } from '../../util/cel.js';
import { nearest } from '../../util/nearest.js';
import type { TableColumns } from '../table-columns.js';
import { STEP } from './step-reads.js';

/**
 * Describes why no step takes a row: the first cell whose value no `when` compares with, and the values that they compare
 * with (contract section 9).
 */
export function bindUnmatched({ whens }: UnmatchedRows, table: TableColumns): (row: Row) => Fault {
  const known = new Map<number, Set<string>>();
  for (const { source, at } of whens) {
    const compiled = compileCel(source, { variables: { row: 'row', ...STEP }, result: 'bool' });
    for (const { column: name, text } of compiled.ok ? compiled.comparisons : []) {
      const column = table.find(name, at)?.column;
      if (column !== undefined) known.set(column, (known.get(column) ?? new Set()).add(text));
    }
  }
  return (row) => {
    const place = { sheet: row.sheet, row: row.number };
    for (const [column, texts] of known) {
      const value = expressionText(row.cell(column));
      const filled = [...texts].filter((it) => it !== '');
      if (texts.has(value) || filled.length === 0) continue;
      const near = nearest(value, filled);
      const params = { value, known: filled.join(', ') };
      if (value === '') return { ...place, column, message: message('steps.unmatched_empty', params) };
      if (near === undefined) return { ...place, column, message: message('steps.unmatched_value', params) };
      return { ...place, column, message: message('steps.unmatched_nearest', { ...params, near }) };
    }
    const conditions = whens.map(({ source }) => source).join('; ');
    return { ...place, message: message('steps.unmatched', { conditions }) };
  };
}
