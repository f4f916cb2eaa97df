import { message } from '../errors/message.js';
import type { JobSource } from '../model/job.js';
import type { BoundCondition } from './condition.js';
import { type LeftOut, nonDataVerdict } from './non-data-row.js';
import type { ReadRow } from './table-reader.js';

/**
 * What a row is in the result that isn't data, that the job leaves out, or whose condition can't be decided; undefined
 * for any other.
 */
export function leftOut(
  { row, nonData }: ReadRow,
  where: BoundCondition | undefined,
  hiddenRows: JobSource['hiddenRows'],
): LeftOut | undefined {
  const isHidden = row.hidden && hiddenRows === 'skip';
  // The message of such a row names `where` as a way to exclude it.
  const isTotal = nonData?.kind === 'total key' || nonData?.kind === 'subtotal';
  const isExcluded = isTotal && (isHidden || where?.judge(row).kind === 'out');
  if (nonData && !isExcluded) return nonDataVerdict(nonData, row.number);
  // The cells of such a line may be shifted, so its condition can't be decided by them.
  if (row.faults) return undefined;
  // By this message the row is known as hidden when the result is run (`resultRows`), so `where` comes after it.
  if (isHidden) return { kind: 'skipped', message: message('run.hidden_skipped') };
  const verdict = where?.judge(row);
  if (verdict?.kind === 'fault') return { ...verdict, kind: 'invalid' };
  if (verdict?.kind === 'out') return { kind: 'skipped', message: message('run.filtered') };
  return undefined;
}
