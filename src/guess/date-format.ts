import { type Message, message } from '../errors/message.js';
import { plainText } from '../util/plain-text.js';
import { type OrderTexts, type Profile, sum } from './profile.js';

/** How a column's text dates are to be read, and what a person should know of it. */
export interface FoundFormat {
  /** Absent where there are no text dates but ISO 8601. */
  readonly format?: string;
  readonly notes: readonly Message[];
}

/**
 * The one `format` that reads most of a column's text dates. Where the texts leave open which number is the day,
 * other columns of the sheet that write dates alike tell it; else the day is taken to come first, and it is said.
 */
export function findFormat(column: Profile, others: readonly Profile[]): FoundFormat {
  const patterns = [...column.patterns].map(([pattern, count]) => ({ pattern, count, order: undefined }));
  const open = [...column.orders.values()].map((order) => ({ pattern: '', count: order.count, order }));
  const compact =
    column.compact * 2 > column.filled
      ? [{ pattern: 'yyyyMMdd', count: column.compact, order: undefined }]
      : [];
  const all = [...patterns, ...open, ...compact].sort((a, b) => b.count - a.count);
  const [best] = all;
  if (!best) return { notes: serials(column) };
  const found = best.order ? byOrder(best.order, others) : { format: best.pattern, notes: [] };
  const otherwise = sum(all.slice(1).map((it) => it.count));
  const notes =
    otherwise === 0
      ? found.notes
      : [...found.notes, message('guess.dates_mixed', { format: found.format, count: otherwise })];
  return { ...found, notes };
}

function byOrder(order: OrderTexts, others: readonly Profile[]) {
  const text = plainText(order.witness, 30);
  const dayFirst = `d${order.sign}M${order.sign}yyyy${order.time}`;
  const monthFirst = `M${order.sign}d${order.sign}yyyy${order.time}`;
  if (order.firstLarge > 0 && order.secondLarge > 0) {
    const format = order.firstLarge >= order.secondLarge ? dayFirst : monthFirst;
    return { format, notes: [message('guess.dates_both_orders', { format })] };
  }
  if (order.firstLarge > 0) return { format: dayFirst, notes: [message('guess.day_first', { text })] };
  if (order.secondLarge > 0) return { format: monthFirst, notes: [message('guess.month_first', { text })] };
  const alike = others.flatMap((it) => [...it.orders.values()].filter(({ sign }) => sign === order.sign));
  const days = sum(alike.map((it) => it.firstLarge));
  const months = sum(alike.map((it) => it.secondLarge));
  if (days !== months) {
    const format = days > months ? dayFirst : monthFirst;
    return { format, notes: [message('guess.order_from_others', { format })] };
  }
  // Nobody writes the month first with points.
  if (order.sign === '.') return { format: dayFirst, notes: [] };
  return {
    format: dayFirst,
    notes: [message('guess.order_open', { format: dayFirst, other: monthFirst })],
  };
}

function serials(column: Profile): readonly Message[] {
  return column.serials > 0 ? [message('guess.date_serials', { count: column.serials })] : [];
}
