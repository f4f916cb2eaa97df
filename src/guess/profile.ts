import type { Cell } from '../model/cell.js';
import type { Header, Row } from '../model/row.js';
import { isCompactDate, textDate } from './text-dates.js';

/** Distinct texts stored for a column; a column with more isn't a list of choices. */
const TEXTS_KEPT = 40;
/** Rows whose cells are kept, to compare columns with each other. */
const ROWS_KEPT = 200;

/** Text dates whose order of day and month is open, such as `03/04/2026`. */
export interface OrderTexts {
  readonly sign: string;
  readonly time: string;
  readonly year: string;
  /** How many of them cannot begin with the year. */
  notYearFirst: number;
  count: number;
  /** How often the first number, or the second one, is above 12. */
  firstLarge: number;
  secondLarge: number;
  /** A text that shows which is which. */
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
  /** Further columns with the same header; a job can't name any of them. */
  readonly doubles: readonly number[];
  filled = 0;
  rows = 0;
  /** Distinct texts with their counts, in order of appearance; the first few only where `open`. */
  readonly texts = new Map<string, number>();
  /** There are more distinct texts than are kept. */
  open = false;
  /** No text twice. */
  unique = true;
  emails = 0;
  mobiles = 0;
  /** Ten digits, the first of them 8 or 6 (§4.8). */
  locks = 0;
  whole = 0;
  yesNo = 0;
  /** Years, months and days as in `1-0-0`. */
  durations = 0;
  /** One word with a digit in it: a number or a code of something, and hardly a name. */
  codes = 0;
  /** Cells that are dates, and texts in ISO 8601. */
  dates = 0;
  timed = 0;
  readonly patterns = new Map<string, number>();
  /** Of texts in ISO 8601, which need a format only beside others. */
  readonly isoPatterns = new Map<string, number>();
  readonly orders = new Map<string, OrderTexts>();
  compact = 0;
  /** Plain numbers in the range that days of our time have in Excel. */
  serials = 0;
  /** Cells with several numbers, by what parts them. */
  readonly lists = new Map<string, number>();
  /** By row, from the first. */
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
    this.#look(text, cell);
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

  #look(text: string, cell: Cell): void {
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
    if (cell.kind === 'text') this.#lookForDate(text);
  }

  #lookForDate(text: string): void {
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

/** Share of the filled cells that are days, whatever the writing but eight bare digits. */
export function dateShare(it: Profile): number {
  const texts = sum(it.patterns.values()) + sum([...it.orders.values()].map((order) => order.count));
  return it.filled === 0 ? 0 : (it.dates + texts) / it.filled;
}

export function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

/** Whether it holds small whole numbers: so many locks, and not their numbers. */
export function holdsCounts({ filled, whole, locks, texts, open }: Profile): boolean {
  return (
    filled > 0 && whole === filled && locks === 0 && !open && [...texts.keys()].every((it) => it.length < 4)
  );
}
