import { type Message, message } from '../errors/message.js';
import { type AllowedValue, endOption, type Field, isDateField } from '../model/field.js';
import type { Scalar } from '../model/map.js';
import { columnLetters } from '../util/spreadsheet-text.js';
import { plainText } from '../util/text.js';
import { isChoice, readsItself, readWord } from './cell-words.js';
import { type Match, sureness } from './match.js';
import { type OrderTexts, type Profile, sum } from './profile.js';
import type { DraftLeaf, DraftValue, OpenText } from './write-yaml.js';

/** The format of a column's text dates, with notes for the user. */
interface FoundFormat {
  /** Absent if all text dates are ISO 8601; a list if the column has several formats. */
  readonly format?: string | readonly string[];
  readonly notes: readonly Message[];
}

/** Maximum number of formats in the job; a column with more must be corrected by the user. */
const MAX_FORMATS = 6;

/**
 * The formats of a column's text dates, the most frequent first. If day and month are ambiguous, other columns with such dates
 * decide; otherwise the day is assumed to come first, with a note.
 */
export function findFormat(column: Profile, others: readonly Profile[]): FoundFormat {
  const patterns = [...column.patterns].map(([pattern, count]) => ({ pattern, count, order: undefined }));
  const open = [...column.orders.values()].map((order) => ({ pattern: '', count: order.count, order }));
  const written = [...patterns, ...open];
  const isCompact = column.compact * 2 > column.filled || (written.length > 0 && column.compact > 0);
  const compact = isCompact ? [{ pattern: 'yyyyMMdd', count: column.compact, order: undefined }] : [];
  const withFormat = [...written, ...compact];
  if (withFormat.length === 0) return { notes: serials(column) };
  // A column with formats reads only these, so that texts in ISO 8601 then require a format too.
  const iso = [...column.isoPatterns].map(([pattern, count]) => ({ pattern, count, order: undefined }));
  const all = [...withFormat, ...iso].sort((a, b) => b.count - a.count).slice(0, MAX_FORMATS);
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

/** Adds a note if every text may also begin with a two-digit year. */
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
  const sameSign = others.flatMap((it) => [...it.orders.values()].filter(({ sign }) => sign === order.sign));
  const days = sum(sameSign.map((it) => it.firstLarge));
  const months = sum(sameSign.map((it) => it.secondLarge));
  if (days !== months) {
    const format = days > months ? dayFirst : monthFirst;
    return { format, notes: [message('guess.order_from_others', { format })] };
  }
  // In dates with points the day is always first.
  if (order.sign === '.') return { format: dayFirst, notes: [] };
  return {
    format: dayFirst,
    notes: [message('guess.order_open', { format: dayFirst, other: monthFirst })],
  };
}

function serials(column: Profile): readonly Message[] {
  return column.serials > 0 ? [message('guess.date_serials', { count: column.serials })] : [];
}

type ColumnValue = DraftValue & { kind: 'column' };

/** Maximum number of texts for `values`, because users would not complete a longer list. */
const CHOICES = 30;
/** Default separators of a String array (contract section 4). */
const USUAL_SEPARATORS = /^[,;、，；\r\n]$/;

/** A header on one line, as in a job file. */
export function headerName(column: Profile): string {
  return column.header.text.replace(/[\s\u200b\ufeff]+/gu, ' ').trim();
}

/** The leaf for a matched column, with the options that its cells require. */
export function columnLeaf(match: Match, others: readonly Profile[], cut: boolean): DraftLeaf {
  const { column, target } = match;
  const { field } = target;
  const notes: Message[] = [];
  if (sureness(match) !== 'sure') notes.push(question(match));
  if (column.doubles.length > 0) {
    const columns = [column.header.column, ...column.doubles].map(columnLetters).join(', ');
    notes.push(message('guess.header_twice', { header: shown(column), columns }));
  }
  let value: ColumnValue = { kind: 'column', column: headerName(column) };
  if (isDateField(field)) value = withDates(value, field, column, others, notes);
  else if (isChoice(field)) value = withChoices(value, field, column, cut, notes);
  else if (field.type === 'String array') value = withSplit(value, column);
  return { kind: 'leaf', name: field.name, notes, value };
}

/** The question to the user about a match that isn't certain. */
function question({ column, target, by, others = [] }: Match): Message {
  const params = { column: shown(column), field: target.field.name };
  if (by === 'content') return message('guess.by_content', params);
  if (others.length === 0) return message('guess.likely', params);
  return message('guess.likely_others', { ...params, others: others.join(', ') });
}

export function shown(column: Profile): string {
  return plainText(column.header.text, 60);
}

function withDates(
  value: ColumnValue,
  field: Field,
  column: Profile,
  others: readonly Profile[],
  notes: Message[],
): ColumnValue {
  const { format, notes: more } = findFormat(column, others);
  notes.push(...more);
  return { ...value, format, ...endOption(field) };
}

function withChoices(
  value: ColumnValue,
  field: Field,
  column: Profile,
  cut: boolean,
  notes: Message[],
): ColumnValue {
  if (column.open || column.texts.size > CHOICES) {
    if (field.values) notes.push(message('guess.many_values', { field: field.name }));
    return value;
  }
  const values: (readonly [string, Scalar])[] = [];
  const open: OpenText[] = [];
  const others: string[] = [];
  for (const [text, count] of column.texts) {
    if (readsItself(field, text)) continue;
    const reading = readWord(field, text);
    if (field.name === 'orderType' && reading?.kind !== 'value') {
      others.push(text);
      continue;
    }
    if (reading?.kind === 'value') values.push([text, reading.value]);
    // Without a closed list every text is a value.
    else if (field.values || field.type === 'Boolean')
      open.push({ text, count, candidates: valuesOf(field, reading?.candidates) });
  }
  if (others.length > 0) {
    const params = { texts: plainText(others.join(', '), 200), column: shown(column) };
    notes.push(message('guess.other_order_types', params));
  }
  if (cut && values.length + open.length > 0) notes.push(message('guess.values_cut'));
  return { ...value, values, open };
}

function valuesOf(field: Field, candidates: readonly Scalar[] = []): readonly AllowedValue[] {
  return (field.values ?? []).filter((it) => candidates.includes(it.value));
}

/** Adds `split` if a cell's numbers have a separator that isn't a default one. */
function withSplit(value: ColumnValue, column: Profile): ColumnValue {
  const signs = [...column.lists.keys()];
  if (signs.every((it) => USUAL_SEPARATORS.test(it))) return value;
  return { ...value, split: [...new Set([...signs, ',', ';', '、'])].join('') };
}
