import { type Language, message, render } from '../../errors/message.js';
import { DRIFT_STATUSES } from '../../model/comparison.js';
import { STATUSES } from '../../model/status.js';
import type { ResultLine } from '../result-line.js';

const ORDER = [...new Set([...STATUSES, ...DRIFT_STATUSES])];

/** Lines of each status, counted while they are written. */
export type StatusCounts = Map<ResultLine['status'], number>;

/** A number with separators: `100,000`. */
export function groupedNumber(count: number): string {
  return count.toLocaleString('en-US');
}

export function rowsOf(statuses: StatusCounts): number {
  return [...statuses.values()].reduce((sum, it) => sum + it, 0);
}

/** `87 rows: 85 succeeded, 2 rejected`. */
export function headline(statuses: StatusCounts, language: Language): string {
  const rows = rowsOf(statuses);
  if (rows === 0) return render(message('workbook.headline_none'), language);
  const counts = ORDER.filter((status) => statuses.has(status))
    .map((status) => {
      const params = { status, count: groupedNumber(statuses.get(status)!) };
      return render(message('workbook.headline_count', params), language);
    })
    .join(language === 'zh' ? '，' : ', ');
  return render(message('workbook.headline_rows', { rows: groupedNumber(rows), counts }), language);
}
