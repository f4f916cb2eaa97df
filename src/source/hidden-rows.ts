import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { JobSource } from '../model/job.js';
import type { RowNumbers } from './row-numbers.js';

export type HiddenPolicy = Pick<JobSource, 'file' | 'hiddenRows'>;

/**
 * The warning about a sheet's hidden rows; undefined if there are none.
 * @throws ProductError input when the job refuses them
 */
export function hiddenRowsWarning(
  { file, hiddenRows }: HiddenPolicy,
  sheet: string,
  hidden: RowNumbers,
): Message | undefined {
  const { count } = hidden;
  if (count === 0) return undefined;
  const params = { sheet, count, rows: `${hidden}` };
  if (hiddenRows === 'refuse')
    throw new ProductError('input', message('run.hidden_refused', { file, ...params }));
  return message('run.hidden_rows', { ...params, policy: hiddenRows });
}
