import { compileFormat } from '../util/date-format.js';

/** How a text writes a day. `order`: which of two numbers is the day isn't told by the text itself. */
type TextDate =
  /** `pattern`: absent where no pattern reads it, as with an offset. */
  | { readonly kind: 'iso'; readonly pattern?: string; readonly timed: boolean }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly timed: boolean }
  | {
      readonly kind: 'order';
      readonly sign: string;
      /** Of a Unicode date pattern, with what parts it from the date; empty without a time of day. */
      readonly time: string;
      readonly first: number;
      readonly second: number;
      /** `yyyy` or `yy`. */
      readonly year: string;
      /** Its first number may be the year as well. */
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

/** Undefined for a text that isn't a day in any way that a job's `format` could read. */
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

/** `20260301`: eight digits that could be a day; as well they could be a number. */
export function isCompactDate(text: string): boolean {
  return /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(text);
}

/** As a `format` would read it, where there are other writings in its column. */
function isoDate(text: string, timed: boolean): TextDate {
  if (!timed) return { kind: 'iso', pattern: 'yyyy-MM-dd', timed };
  const plain = /^.{10}([T ])\d\d:\d\d(:\d\d)?$/.exec(text);
  if (!plain) return { kind: 'iso', timed };
  const between = plain[1] === 'T' ? "'T'" : ' ';
  const seconds = plain[2] === undefined ? '' : ':ss';
  return { kind: 'iso', pattern: `yyyy-MM-dd${between}HH:mm${seconds}`, timed };
}

/** `31-Dec-27`, `Dec 31, 2027`; any text that its pattern does not read is none. */
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

/** With AM, PM, 上午 or 下午 the hour is that of a half day. */
function timePattern(match: RegExpExecArray, at: number): string {
  const time = match[at] ?? '';
  const half = /上午|下午|[AaPp]\.?[Mm]\.?/u;
  const hour = half.test(time) ? 'h' : 'H';
  const pattern = time
    .replace(half, 'a')
    .replace(/\d+:\d+(:\d+)?/, (_, seconds?: string) => `${hour}:mm${seconds ? ':ss' : ''}`);
  return hour === 'H' ? pattern.replace(/^\s+/u, ' ') : pattern;
}

function isMonth(it: number): boolean {
  return it >= 1 && it <= 12;
}

function isDay(it: number): boolean {
  return it >= 1 && it <= 31;
}
