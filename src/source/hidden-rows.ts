import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { JobSource } from '../model/job.js';
import type { NamedRows } from './named-rows.js';

export type HiddenPolicy = Pick<JobSource, 'file' | 'hiddenRows'>;

/**
 * What is said of a sheet's hidden rows; undefined when there are none.
 * @throws ProductError input when the job refuses them
 */
export function tellHidden(
  { file, hiddenRows }: HiddenPolicy,
  sheet: string,
  hidden: NamedRows,
): Message | undefined {
  const { count } = hidden;
  if (count === 0) return undefined;
  const params = { sheet, count, rows: `${hidden}` };
  if (hiddenRows === 'refuse')
    throw new ProductError('input', message('run.hidden_refused', { file, ...params }));
  return message('run.hidden_rows', { ...params, policy: hiddenRows });
}
