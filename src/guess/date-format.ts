import { type Message, message } from '../errors/message.js';
import { plainText } from '../util/plain-text.js';
import { type OrderTexts, type Profile, sum } from './profile.js';

/** How a column's text dates are to be read, and what a person should know of it. */
export interface FoundFormat {
  /** Absent where there are no text dates but ISO 8601; a list where dates are written in several ways. */
  readonly format?: string | readonly string[];
  readonly notes: readonly Message[];
}

/** More ways than these are rather a muddle, whose rest a person has to look at. */
const WAYS = 6;

/**
 * The formats that read a column's text dates, the most frequent first. Where the texts leave open which number is the
 * day, other columns of the sheet that write dates alike tell it; else the day is taken to come first, and it is said.
 */
export function findFormat(column: Profile, others: readonly Profile[]): FoundFormat {
  const patterns = [...column.patterns].map(([pattern, count]) => ({ pattern, count, order: undefined }));
  const open = [...column.orders.values()].map((order) => ({ pattern: '', count: order.count, order }));
  const written = [...patterns, ...open];
  const isCompact = column.compact * 2 > column.filled || (written.length > 0 && column.compact > 0);
  const compact = isCompact ? [{ pattern: 'yyyyMMdd', count: column.compact, order: undefined }] : [];
  const own = [...written, ...compact];
  if (own.length === 0) return { notes: serials(column) };
  // With a format nothing else is read: texts in ISO 8601 then need one as well.
  const iso = [...column.isoPatterns].map(([pattern, count]) => ({ pattern, count, order: undefined }));
  const all = [...own, ...iso].sort((a, b) => b.count - a.count).slice(0, WAYS);
  const found = all.map((it) => (it.order ? byOrder(it.order, others) : { format: it.pattern, notes: [] }));
  const formats = [...new Set(found.map((it) => it.format))];
  const notes = found.flatMap((it) => it.notes);
  if (formats.length === 1) return { format: formats[0]!, notes };
  return {
    format: formats,
    notes: [...notes, message('guess.dates_mixed', { format: formats.join(', ') })],
  };
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
