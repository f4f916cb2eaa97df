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
      readonly year: number;
    };

const TIME = '(?:[ \\u3000]+(\\d{1,2}):(\\d{2})(?::(\\d{2}))?)?';
const ISO =
  /^\d{4}-\d{2}-\d{2}(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.]|年)(\\d{1,2})([-/.]|月)(\\d{1,2})(日?)${TIME}$`, 'u');
const YEAR_LAST = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})${TIME}$`, 'u');

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
  if (!yearLast) return undefined;
  const [first, second, year] = [Number(yearLast[1]), Number(yearLast[3]), Number(yearLast[4])];
  if (!(isDay(first) && isMonth(second)) && !(isMonth(first) && isDay(second))) return undefined;
  return { kind: 'order', sign: yearLast[2] ?? '', time: timePattern(yearLast, 5), first, second, year };
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

function timePattern(match: RegExpExecArray, at: number): string {
  if (match[at] === undefined) return '';
  return match[at + 2] === undefined ? ' H:mm' : ' H:mm:ss';
}

function isMonth(it: number): boolean {
  return it >= 1 && it <= 12;
}

function isDay(it: number): boolean {
  return it >= 1 && it <= 31;
}
