import type { DateParts } from './format-section.js';
import { type SignedSection, showDigits } from './number-format.js';
import { plainNumber, withDecimals } from './plain-number.js';

const NO_DECIMALS = { least: 0, most: 0 };
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/**
 * What a format shows of a number, if that isn't the number alone: `KH-17` for 17, `1,003.00` for 1003, `17%` for 0.17, nothing
 * for a number that it hides.
 * @param taken what counts as the cell's number
 */
export function seenNumber(plain: string, taken: string, shape: SignedSection): string | undefined {
  const { telling, exponent } = shape.section;
  if (exponent !== undefined) return withExponent(Number(plain), exponent);
  if (!telling) return undefined;
  const { before, after, hasDigits, places } = telling;
  const scaled = plainNumber(`${plain}e${telling.scale}`) ?? plain;
  const digits = (places ? withDecimals(scaled, places) : scaled).replace('-', '');
  const number = digits === '0' && !telling.zero ? '' : digits;
  let seen: string;
  if (!hasDigits) seen = before;
  else if (telling.plain) seen = showDigits(withDecimals(scaled, NO_DECIMALS).replace('-', ''), shape);
  else {
    const { length } = number.split('.')[0]!;
    const grouped =
      telling.grouped && length > 3
        ? number.slice(0, length).replace(THOUSANDS, ',') + number.slice(length)
        : number;
    seen = `${shape.sign ? '-' : ''}${before}${grouped}${after}`;
  }
  return seen.trim() === taken ? undefined : seen;
}

/** `1.38E+10`; a number format has no more than the 100 decimal places that a double can be written with. */
function withExponent(value: number, places: number): string {
  const [mantissa = '', power = ''] = value.toExponential(Math.min(places, 100)).split('e');
  return `${mantissa}E${power.charAt(0)}${power.slice(1).padStart(2, '0')}`;
}

/** 43 seconds after midnight are shown as 00:00 by a format without seconds. */
const IN_FIRST_MINUTE = /T00:00:/;

/**
 * Whether a date has a time of day that its format does not show: the format has no clock, or it has one without seconds
 * and shows a time in the first minute of the day as midnight.
 * @param text `yyyy-MM-dd`, with or without a time
 * @param parts absent: the cell has no format, which shows no time
 */
export function hidesTime(text: string, parts: DateParts | undefined): boolean {
  if (!text.includes('T')) return false;
  return !parts?.clock || (!parts.seconds && IN_FIRST_MINUTE.test(text));
}

/** What a format shows of a date where it leaves something out: `2026-01` of a day, `01-31` of a year's day. */
export function seenDate(text: string, { year, month, day, clock }: DateParts): string | undefined {
  const [date = '', time] = text.split('T');
  if (year && month && day && (clock || time === undefined)) return undefined;
  const [y, m, d] = date.split('-');
  const shown = [year && y, month && m, day && d].filter(Boolean).join('-');
  return [shown, clock && (time ?? '00:00:00')].filter(Boolean).join(' ');
}
