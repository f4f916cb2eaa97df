import { type Message, message } from '../errors/message.js';
import { plainText } from '../util/plain-text.js';
import { type OrderTexts, type Profile, sum } from './profile.js';

/** The format of a column's text dates, with notes for the user. */
interface FoundFormat {
  /** Absent if all text dates are ISO 8601; a list if dates are written in several ways. */
  readonly format?: string | readonly string[];
  readonly notes: readonly Message[];
}

/** A column with more formats is a muddle that the user has to look at. */
const MAX_FORMATS = 6;

/**
 * The formats of a column's text dates, the most frequent first. If it isn't clear which number is the day, other columns
 * with such dates decide; otherwise the day is assumed to come first, with a note.
 */
export function findFormat(column: Profile, others: readonly Profile[]): FoundFormat {
  const patterns = [...column.patterns].map(([pattern, count]) => ({ pattern, count, order: undefined }));
  const open = [...column.orders.values()].map((order) => ({ pattern: '', count: order.count, order }));
  const written = [...patterns, ...open];
  const isCompact = column.compact * 2 > column.filled || (written.length > 0 && column.compact > 0);
  const compact = isCompact ? [{ pattern: 'yyyyMMdd', count: column.compact, order: undefined }] : [];
  const own = [...written, ...compact];
  if (own.length === 0) return { notes: serials(column) };
  // With a format only that is read, so ISO 8601 texts then need a format too.
  const iso = [...column.isoPatterns].map(([pattern, count]) => ({ pattern, count, order: undefined }));
  const all = [...own, ...iso].sort((a, b) => b.count - a.count).slice(0, MAX_FORMATS);
  const found = all.map((it) =>
    it.order ? withYear(it.order, byOrder(it.order, others)) : { format: it.pattern, notes: [] },
  );
  const formats = [...new Set(found.map((it) => it.format))];
  const notes = found.flatMap((it) => it.notes);
  if (formats.length === 1) return { format: formats[0]!, notes };
  return {
    format: formats,
    notes: [...notes, message('guess.dates_mixed', { format: formats.join(', ') })],
  };
}

interface OrderFormat {
  readonly format: string;
  readonly notes: readonly Message[];
}

/** If every text may as well begin with a year of two digits, the column stays unsure. */
function withYear({ sign, time, notYearFirst }: OrderTexts, found: OrderFormat): OrderFormat {
  if (notYearFirst > 0) return found;
  const other = `yy${sign}M${sign}d${time}`;
  return { ...found, notes: [...found.notes, message('guess.year_open', { format: found.format, other })] };
}

function byOrder(order: OrderTexts, others: readonly Profile[]): OrderFormat {
  const text = plainText(order.example, 30);
  const dayFirst = `d${order.sign}M${order.sign}${order.year}${order.time}`;
  const monthFirst = `M${order.sign}d${order.sign}${order.year}${order.time}`;
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
  // With points the day always comes first.
  if (order.sign === '.') return { format: dayFirst, notes: [] };
  return {
    format: dayFirst,
    notes: [message('guess.order_open', { format: dayFirst, other: monthFirst })],
  };
}

function serials(column: Profile): readonly Message[] {
  return column.serials > 0 ? [message('guess.date_serials', { count: column.serials })] : [];
}
