import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { compileMapping } from '../mapping/compile.js';
import { operationNamed } from '../platform/operations/index.js';
import { actionFields, actionHeaders, recordPaths } from './action-rows.js';
import { bindWhen } from './bind-when.js';
import type { Reconciliation } from './reconciliation.js';

/**
 * Binds every action's condition and map to the columns before anything is asked. A missing column would otherwise be
 * found only after a thousand inquiries.
 * @throws ProductError usage, naming the action
 */
export function checkActions({ job, comparison, connection, input: { table } }: Reconciliation): void {
  const headers = actionHeaders(table.headers, recordPaths(actionFields(comparison)));
  for (const [index, action] of job.actions.entries()) {
    try {
      bindWhen(job, action, table, comparison);
      compileMapping({
        operation: operationNamed(action.operation),
        map: action.map,
        headers,
        sheet: table.sheet.name,
        joined: new Map(),
        timestamps: connection.timestamps,
        timezone: connection.timezone,
        rules: { allowDeleteFromAllOrders: job.safety.allowDeleteFromAllOrders },
        operationOf: operationNamed,
      });
    } catch (error) {
      if (!(error instanceof ProductError)) throw error;
      const params = { action: index + 1, operation: action.operation, job: job.file, file: job.source.file };
      const others = [...error.others, message('reconcile.unfit_action', params)];
      throw new ProductError(error.kind, error.detail, { cause: error, others });
    }
  }
}
