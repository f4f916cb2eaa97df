import type { Cell, Header, Row } from '../model/row.js';
import { compileFormat } from '../util/date-format.js';

/** The notation of a date in a text. `order`: it is ambiguous which of two numbers is the day. */
type TextDate =
  /** `pattern`: absent if no pattern reads the text, as with an offset. */
  | { readonly kind: 'iso'; readonly pattern?: string; readonly timed: boolean }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly timed: boolean }
  | {
      readonly kind: 'order';
      readonly sign: string;
      /** Time part of a Unicode date pattern, with the separator before it; empty without a time of day. */
      readonly time: string;
      readonly first: number;
      readonly second: number;
      /** `yyyy` or `yy`. */
      readonly year: string;
      /** True if the first number may also be the year. */
      readonly yearFirst: boolean;
    };

const TIME = '((?: +(?:上午|下午) *|[ \\u3000]+)\\d{1,2}:\\d{2}(?::\\d{2})?(?: *[AaPp]\\.?[Mm]\\.?)?)?';
const ISO =
  /^\d{4}-\d{2}-\d{2}(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.]|年)(\\d{1,2})([-/.]|月)(\\d{1,2})(日?)${TIME}$`, 'u');
const YEAR_LAST = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})${TIME}$`, 'u');
const SHORT_YEAR_FIRST = new RegExp(`^(\\d{2})([-/.])(\\d{1,2})\\2(\\d{1,2})${TIME}$`, 'u');
const NAMED_MONTH = new RegExp(
  `^(\\d{1,2})([-/. ])([A-Za-z]{3,9})(\\.?[-/. ]|, )(\\d{4}|\\d{2})${TIME}$`,
  'u',
);
const NAME_FIRST = new RegExp(`^([A-Za-z]{3,9})(\\.? |-)(\\d{1,2})(, ?| |-)(\\d{4}|\\d{2})${TIME}$`, 'u');

/** The notation of a date; undefined for a text that no `format` of a job could read. */
export function textDate(given: string): TextDate | undefined {
  const text = given.normalize('NFKC').trim();
  const iso = ISO.exec(text);
  if (iso) return isoDate(text, iso[1] !== undefined);
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) {
    const [, , sign = '', month, next = '', day, end = ''] = yearFirst;
    if (!isMonth(Number(month)) || !isDay(Number(day))) return undefined;
    const time = timePattern(yearFirst, 7);
    return { kind: 'pattern', pattern: `yyyy${sign}M${next}d${end}${time}`, timed: time !== '' };
  }
  const yearLast = YEAR_LAST.exec(text);
  if (!yearLast) return namedMonth(text);
  const [, , sign = '', , end = ''] = yearLast;
  const [first, second] = [Number(yearLast[1]), Number(yearLast[3])];
  const isShort = end.length === 2;
  // `1-2-26` and `01-06-00` may be durations.
  if (isShort && sign === '-' && (!/^\d\d-\d\d-/.test(text) || end === '00')) return undefined;
  const time = timePattern(yearLast, 5);
  const mayBeYear = isShort && SHORT_YEAR_FIRST.test(text) && isMonth(second) && isDay(Number(end));
  if (!(isDay(first) && isMonth(second)) && !(isMonth(first) && isDay(second))) {
    if (!mayBeYear) return undefined;
    return { kind: 'pattern', pattern: `yy${sign}M${sign}d${time}`, timed: time !== '' };
  }
  return { kind: 'order', sign, time, first, second, year: isShort ? 'yy' : 'yyyy', yearFirst: mayBeYear };
}

/** `20260301`: eight digits that may be a date or a number. */
function isCompactDate(text: string): boolean {
  return /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(text);
}

/** ISO 8601 with the pattern of a `format`, which is required if the column has other notations too. */
function isoDate(text: string, timed: boolean): TextDate {
  if (!timed) return { kind: 'iso', pattern: 'yyyy-MM-dd', timed };
  const plain = /^.{10}([T ])\d\d:\d\d(:\d\d)?$/.exec(text);
  if (!plain) return { kind: 'iso', timed };
  const between = plain[1] === 'T' ? "'T'" : ' ';
  const seconds = plain[2] === undefined ? '' : ':ss';
  return { kind: 'iso', pattern: `yyyy-MM-dd${between}HH:mm${seconds}`, timed };
}

/** `31-Dec-27`, `Dec 31, 2027`; undefined if the derived pattern does not read the text. */
function namedMonth(text: string): TextDate | undefined {
  const found = NAMED_MONTH.exec(text) ?? NAME_FIRST.exec(text);
  if (!found) return undefined;
  const [, first = '', sign = '', second = '', next = '', end = ''] = found;
  const name = /^\d/.test(first) ? second : first;
  const month = name.length > 4 ? 'MMMM' : 'MMM';
  const days = name === second ? ['d', month] : [month, 'd'];
  const time = timePattern(found, 6);
  const pattern = `${days[0]}${sign}${days[1]}${next}${'y'.repeat(end.length)}${time}`;
  const compiled = compileFormat(pattern);
  if (!compiled.ok || compiled.format.read(text).kind !== 'local') return undefined;
  return { kind: 'pattern', pattern, timed: time !== '' };
}

/** The pattern of a time. With AM, PM, 上午 or 下午 it has a 12-hour clock. */
function timePattern(match: RegExpExecArray, at: number): string {
  const time = match[at] ?? '';
  const half = /上午|下午|[AaPp]\.?[Mm]\.?/u;
  const hour = half.test(time) ? 'h' : 'H';
  const pattern = time
    .replace(half, 'a')
    .replace(/\d+:\d+(:\d+)?/, (_, seconds?: string) => `${hour}:mm${seconds ? ':ss' : ''}`);
  return hour === 'H' ? pattern.replace(/^\s+/u, ' ') : pattern;
}

function isMonth(value: number): boolean {
  return value >= 1 && value <= 12;
}

function isDay(value: number): boolean {
  return value >= 1 && value <= 31;
}

/** Maximum number of distinct texts stored for a column. A column with more is not a list of choices. */
const TEXTS_KEPT = 40;
/** Number of rows whose cells are stored, for comparing columns. */
const ROWS_KEPT = 200;

/** Text dates with ambiguous order of day and month, such as `03/04/2026`. */
export interface OrderTexts {
  readonly sign: string;
  readonly time: string;
  readonly year: string;
  /** Number of texts that cannot begin with the year. */
  notYearFirst: number;
  count: number;
  /** Number of texts whose first, or second, number is above 12. */
  firstLarge: number;
  secondLarge: number;
  /** An unambiguous text. */
  example: string;
}

/** Statistics of a column's cells. */
export type Profile = Readonly<Omit<ColumnProfile, 'add'>>;

const EMAIL = /^[^\s@,;]+@[^\s@,;]+\.[a-z]{2,}$/i;
const MOBILE = /^(?:(?:\+|00)?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}$/;
const LOCK = /^[86]\d{9}$/;
const LIST = /^[A-Za-z]*\d{5,}(?:\s*([^\p{L}\p{N}\s-]|\s)\s*[A-Za-z]*\d{5,})+$/u;
const DURATION = /^\d{1,3}-\d{1,3}-\d{1,3}$/;
const CODE = /^(?=\S*\d)[A-Za-z0-9][\w./-]*$/;
const YES_NO: ReadonlySet<string> = new Set('true false y n yes no 1 0 是 否 有 无 √ × ✓ ✗ x'.split(' '));

/** Collects statistics of a column, row by row, in bounded memory. */
export class ColumnProfile {
  readonly header: Header;
  /** Further columns with the same header; a job can't name any of these columns. */
  readonly doubles: readonly number[];
  filled = 0;
  rows = 0;
  /** Distinct texts with their counts, in order of appearance; only the first ones if `open`. */
  readonly texts = new Map<string, number>();
  /** There are more distinct texts than are stored. */
  open = false;
  /** No text is repeated. */
  unique = true;
  emails = 0;
  mobiles = 0;
  /** Lock numbers: ten digits, the first of them 8 or 6 (§4.8). */
  locks = 0;
  whole = 0;
  yesNo = 0;
  /** Years, months and days as in `1-0-0`. */
  durations = 0;
  /** One word with a digit: an identifier rather than a name. */
  codes = 0;
  /** Cells that are dates, and texts in ISO 8601. */
  dates = 0;
  timed = 0;
  readonly patterns = new Map<string, number>();
  /** Patterns of texts in ISO 8601, which require a format only if there are others. */
  readonly isoPatterns = new Map<string, number>();
  readonly orders = new Map<string, OrderTexts>();
  compact = 0;
  /** Plain numbers in the range of Excel's serials of present-day dates. */
  serials = 0;
  /** Cells with several numbers, by separator. */
  readonly lists = new Map<string, number>();
  /** Texts of the first rows. */
  readonly sample: string[] = [];
  readonly #seen = new Set<string>();

  constructor(header: Header, doubles: readonly number[]) {
    this.header = header;
    this.doubles = doubles;
  }

  add(row: Row): void {
    const cell = row.cell(this.header.column);
    const text = cell?.text.trim() ?? '';
    this.rows += 1;
    if (this.sample.length < ROWS_KEPT) this.sample.push(text);
    if (!cell || text === '' || cell.kind === 'error') return;
    this.filled += 1;
    this.#count(text);
    if (cell.kind === 'date') {
      this.dates += 1;
      if (text.includes('T')) this.timed += 1;
      return;
    }
    this.#classify(text, cell);
  }

  #count(text: string): void {
    if (this.unique) {
      if (this.#seen.has(text)) this.unique = false;
      this.#seen.add(text);
      if (!this.unique) this.#seen.clear();
    }
    if (this.texts.has(text) || this.texts.size < TEXTS_KEPT) count(this.texts, text);
    else this.open = true;
  }

  #classify(text: string, cell: Cell): void {
    if (EMAIL.test(text)) this.emails += 1;
    if (MOBILE.test(text)) this.mobiles += 1;
    if (text.split(/[,;、，；\s]+/u).every((it) => LOCK.test(it))) this.locks += 1;
    if (/^-?\d+$/.test(text)) this.whole += 1;
    if (YES_NO.has(text.toLowerCase())) this.yesNo += 1;
    if (DURATION.test(text) && !textDate(text)) this.durations += 1;
    if (CODE.test(text)) this.codes += 1;
    if (isCompactDate(text)) this.compact += 1;
    if (cell.kind === 'number' && Number(text) > 30_000 && Number(text) < 60_000) this.serials += 1;
    const [, sign] = LIST.exec(text) ?? [];
    if (sign !== undefined) count(this.lists, sign);
    if (cell.kind === 'text') this.#countDate(text);
  }

  #countDate(text: string): void {
    const date = textDate(text);
    if (!date) return;
    if (date.kind === 'iso') {
      this.dates += 1;
      if (date.pattern !== undefined) count(this.isoPatterns, date.pattern);
      if (date.timed) this.timed += 1;
      return;
    }
    if (date.kind === 'pattern') {
      count(this.patterns, date.pattern);
      if (date.timed) this.timed += 1;
      return;
    }
    if (date.time !== '') this.timed += 1;
    const key = `${date.sign}${date.year}${date.time}`;
    const found = this.orders.get(key) ?? {
      sign: date.sign,
      time: date.time,
      year: date.year,
      notYearFirst: 0,
      count: 0,
      firstLarge: 0,
      secondLarge: 0,
      example: '',
    };
    found.count += 1;
    if (!date.yearFirst) found.notYearFirst += 1;
    if (date.first > 12) found.firstLarge += 1;
    if (date.second > 12) found.secondLarge += 1;
    if (found.example === '' && (date.first > 12 || date.second > 12)) found.example = text;
    this.orders.set(key, found);
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Share of the filled cells that are dates in any notation except eight digits. */
export function dateShare({ patterns, orders, filled, dates }: Profile): number {
  const texts = sum(patterns.values()) + sum([...orders.values()].map((order) => order.count));
  return filled === 0 ? 0 : (dates + texts) / filled;
}

export function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

/** True for a column of small whole numbers: counts of locks and not lock numbers. */
export function isCountColumn({ filled, whole, locks, texts, open }: Profile): boolean {
  return (
    filled > 0 && whole === filled && locks === 0 && !open && [...texts.keys()].every((it) => it.length < 4)
  );
}
