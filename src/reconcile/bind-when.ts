import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { expressionText } from '../model/cell.js';
import type { Comparison } from '../model/comparison.js';
import type { ReconcileAction, ReconcileJob } from '../model/job.js';
import type { JsonObject } from '../model/json.js';
import type { Row } from '../model/row.js';
import type { Table } from '../source/table.js';
import { fold } from '../util/fold.js';
import { actionFields } from './action-rows.js';
import { compileWhen, type WhenResult } from './when.js';

/** Decides an action's condition for one row. `row` is absent for an extra record, whose cells are all empty. */
export type BoundWhen = (row: Row | undefined, expected: JsonObject, actual: JsonObject) => WhenResult;

/**
 * Binds an action's condition to the source's columns; undefined when it has none.
 * @throws ProductError usage for a column that the source doesn't have
 */
export function bindWhen(
  job: ReconcileJob,
  action: ReconcileAction,
  table: Table,
  comparison: Comparison,
): BoundWhen | undefined {
  if (!action.when) return undefined;
  const when = compileWhen(action.when.source, actionFields(comparison));
  const columns = new Map<string, number>();
  for (const name of when.columns) {
    const header = table.headers.find((it) => it.folded === fold(name));
    if (!header) {
      const { line, column } = action.when.at;
      const known = table.headers.map((it) => it.text).join(', ');
      const params = { job: job.file, line, column, name, sheet: table.sheet.name, known };
      throw new ProductError('usage', message('run.when_unknown_column', params));
    }
    columns.set(name, header.column);
  }
  return (row, expected, actual) => {
    const texts = new Map<string, string>();
    for (const [name, column] of columns) texts.set(name, expressionText(row?.cell(column)));
    return when(texts, expected, actual);
  };
}
