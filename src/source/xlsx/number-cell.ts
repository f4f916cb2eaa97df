import type { Cell, CellKind } from '../../model/row.js';
import type { DateParts } from './format-section.js';
import { type NumberFormat, type SignedSection, showDigits } from './number-format.js';
import type { Decimals } from './section-display.js';
import { durationText, serialText } from './serial-date.js';

const LITERAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** A double represents this many decimal digits exactly. */
const CERTAIN_DIGITS = 15;
/** Beyond Excel's exponents; a literal such as 1e999999999 must not be expanded. */
const MAX_EXPONENT = 400;

/** Whether a common number literal is already in the form of `plainNumber`; a quick check. */
function isPlain(raw: string): boolean {
  const { length } = raw;
  if (length === 0 || length > CERTAIN_DIGITS) return false;
  const first = raw.charCodeAt(0);
  // A leading zero needs a closer check, unless the number is 0.
  if (first < 0x31 || first > 0x39) return length === 1 && first === 0x30;
  let point = false;
  for (let i = 1; i < length; i += 1) {
    const code = raw.charCodeAt(i);
    if (code >= 0x30 && code <= 0x39) continue;
    if (code !== 0x2e || point) return false;
    point = true;
  }
  const last = raw.charCodeAt(length - 1);
  return !point || (last !== 0x30 && last !== 0x2e);
}

/**
 * A number literal as plain decimal digits without an exponent; undefined if the text is not a number. A number with a
 * fraction is rounded to 15 significant digits, as the rest is noise of a double. Whole numbers keep every digit, so
 * that one too long for a double is detected.
 */
export function plainNumber(raw: string): string | undefined {
  if (isPlain(raw)) return raw;
  const parts = LITERAL.exec(raw);
  if (!parts) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const shift = Number(exponent);
  if (whole + fraction === '' || Math.abs(shift) > MAX_EXPONENT) return undefined;
  const exact = written(whole + fraction, whole.length + shift);
  const plain = exact.fraction === '' ? exact : rounded(exact);
  const digits = plain.fraction === '' ? plain.whole : `${plain.whole}.${plain.fraction}`;
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}

interface Decimal {
  readonly whole: string;
  readonly fraction: string;
}

/** Digits with a decimal point after the first `point` of them, which may be outside of the digits. */
function written(digits: string, point: number): Decimal {
  const left = point <= 0 ? '' : digits.slice(0, point).padEnd(point, '0');
  const right = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  return { whole: left.replace(/^0+(?=\d)/, '') || '0', fraction: right.replace(/0+$/, '') };
}

function rounded({ whole, fraction }: Decimal): Decimal {
  const leading = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const places = whole === '0' ? CERTAIN_DIGITS + leading : CERTAIN_DIGITS - whole.length;
  // A longer whole part is not noise: it stays, so that the number is rejected as too long.
  if (places < 0 || fraction.length <= places) return { whole, fraction };
  const scaled = BigInt(whole + fraction.slice(0, places)) + (fraction[places]! >= '5' ? 1n : 0n);
  const digits = String(scaled).padStart(places + 1, '0');
  return written(digits, digits.length - places);
}

/** A plain number with this range of decimals: `1.1` with two is `1.10`, `3.14159` is `3.14`. */
function withDecimals(plain: string, { least, most }: Decimals): string {
  const point = plain.indexOf('.');
  const current = point < 0 ? 0 : plain.length - point - 1;
  if (current > most) return padded(shortened(plain, most), least);
  return current < least ? padded(plain, least) : plain;
}

function padded(plain: string, least: number): string {
  const [whole = '', fraction = ''] = plain.split('.');
  return fraction.length >= least ? plain : `${whole}.${fraction.padEnd(least, '0')}`;
}

/** Rounded half away from zero, as spreadsheets show a number. */
function shortened(plain: string, places: number): string {
  const negative = plain.startsWith('-');
  const [whole = '', fraction = ''] = plain.replace('-', '').split('.');
  const scaled = BigInt(whole + fraction.slice(0, places)) + (fraction[places]! >= '5' ? 1n : 0n);
  const digits = String(scaled).padStart(places + 1, '0');
  const decimal = written(digits, digits.length - places);
  const text = decimal.fraction === '' ? decimal.whole : `${decimal.whole}.${decimal.fraction}`;
  return negative && text !== '0' ? `-${text}` : text;
}

const NO_DECIMALS = { least: 0, most: 0 };
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/**
 * The displayed text of a number, if it differs from the number: `KH-17` for 17, `1,003.00` for 1003, `17%` for 0.17,
 * '' for a number that the format hides.
 * @param value text of the cell's number
 */
function seenNumber(plain: string, value: string, shape: SignedSection): string | undefined {
  const { display, exponent } = shape.section;
  if (exponent !== undefined) return withExponent(Number(plain), exponent);
  if (!display) return undefined;
  const { before, after, hasDigits, places } = display;
  const scaled = plainNumber(`${plain}e${display.scale}`) ?? plain;
  const digits = (places ? withDecimals(scaled, places) : scaled).replace('-', '');
  const number = digits === '0' && !display.zero ? '' : digits;
  let seen: string;
  if (!hasDigits) seen = before;
  else if (display.plain) seen = showDigits(withDecimals(scaled, NO_DECIMALS).replace('-', ''), shape);
  else {
    const { length } = number.split('.')[0]!;
    const grouped =
      display.grouped && length > 3
        ? number.slice(0, length).replace(THOUSANDS, ',') + number.slice(length)
        : number;
    seen = `${shape.sign ? '-' : ''}${before}${grouped}${after}`;
  }
  return seen.trim() === value ? undefined : seen;
}

/** `1.38E+10`; a number format has no more than the 100 decimal places that a double can be written with. */
function withExponent(value: number, places: number): string {
  const [mantissa = '', power = ''] = value.toExponential(Math.min(places, 100)).split('e');
  return `${mantissa}E${power.charAt(0)}${power.slice(1).padStart(2, '0')}`;
}

/** 43 seconds after midnight are shown as 00:00 by a format without seconds. */
const IN_FIRST_MINUTE = /T00:00:/;

/**
 * Whether a date has a time of day that its format does not show: the format has no clock, or it has one without
 * seconds and shows a time in the first minute of the day as midnight.
 * @param text `yyyy-MM-dd`, with or without a time
 * @param parts absent: the cell has no format, so no time is shown
 */
export function hidesTime(text: string, parts: DateParts | undefined): boolean {
  if (!text.includes('T')) return false;
  return !parts?.clock || (!parts.seconds && IN_FIRST_MINUTE.test(text));
}

/** The displayed text of a date, if the format omits parts: `2026-01` for a day, `01-31` for a day of a year. */
export function seenDate(text: string, { year, month, day, clock }: DateParts): string | undefined {
  const [date = '', time] = text.split('T');
  if (year && month && day && (clock || time === undefined)) return undefined;
  const [y, m, d] = date.split('-');
  const shown = [year && y, month && m, day && d].filter(Boolean).join('-');
  return [shown, clock && (time ?? '00:00:00')].filter(Boolean).join(' ');
}

/** As programs write them: `NaN`, `-inf`, `Infinity`, `1.#INF`, `-1.#IND`. */
const NOT_A_NUMBER = /^[+-]?(?:nan(?:\(.*\))?|inf|infinity|\d\.#[a-z]+\d*)$/i;

/**
 * A numeric cell as its format shows it.
 * @param raw the number as written in the file. NaN and infinity are error values. Any other text becomes a text cell,
 *   and a field that requires a number rejects it.
 * @param format undefined for General.
 */
export function numberCell(
  column: number,
  raw: string,
  format: NumberFormat | undefined,
  date1904: boolean,
): Cell {
  const plain = plainNumber(raw);
  if (plain === undefined) return { column, kind: NOT_A_NUMBER.test(raw) ? 'error' : 'text', text: raw, raw };
  if (format === undefined) return { column, kind: 'number', text: plain, raw };
  return formattedCell(column, raw, plain, Number(raw), format, date1904);
}

/** The same for a whole number that the file writes with digits only. */
export function wholeCell(
  column: number,
  value: number,
  format: NumberFormat | undefined,
  date1904: boolean,
): Cell {
  const raw = String(value);
  if (format === undefined) return { column, kind: 'number', text: raw, raw };
  return formattedCell(column, raw, raw, value, format, date1904);
}

function formattedCell(
  column: number,
  raw: string,
  plain: string,
  value: number,
  format: NumberFormat,
  date1904: boolean,
): Cell {
  const { code } = format;
  const shape = format.shape(value);
  let kind: CellKind = 'number';
  let text = plain;
  let shown: string | undefined;
  let seen: string | undefined;
  let hides = false;
  let identifier: string | undefined;
  if (shape.kind === 'duration') {
    kind = 'duration';
    text = durationText(value) ?? plain;
  } else if (shape.kind === 'date' || shape.kind === 'time') {
    const read = serialText(value, date1904, shape.kind === 'time');
    // Excel shows such a cell as ####. It is not a date, and must not be read as a plain number either.
    if (read.kind === 'none') kind = shape.kind;
    else ({ kind, text } = read);
    if (read.kind === 'date') {
      seen = seenDate(text, shape.parts);
      hides = hidesTime(text, shape.parts);
    }
  } else if (shape.kind === 'digits') {
    const whole = withDecimals(plain, NO_DECIMALS);
    const digits = showDigits(whole.replace('-', ''), shape);
    if (whole === plain) {
      text = digits;
      identifier = paddedDigits(plain, shape.section.wholeZeros);
    } else shown = digits;
  } else {
    if (shape.decimals) shown = withDecimals(plain, shape.decimals);
    if (shown === plain) shown = undefined;
    if (shape.section) {
      seen = seenNumber(plain, shown ?? plain, shape);
      identifier = paddedDigits(plain, shape.section.wholeZeros);
    }
  }
  const cell: Cell = { column, kind, text, raw, format: code, ...(hides ? { hidesTime: true } : {}) };
  // Few cells have these: a cell without them stays small.
  if (identifier !== undefined && identifier !== text) return { ...cell, shown, seen, identifier };
  if (seen !== undefined) return { ...cell, shown, seen };
  return shown === undefined ? cell : { ...cell, shown };
}

/** A whole number's digits with the leading zeros of its format; undefined for other numbers. */
function paddedDigits(plain: string, zeros: number): string | undefined {
  if (plain.includes('.')) return undefined;
  return plain.startsWith('-') ? `-${plain.slice(1).padStart(zeros, '0')}` : plain.padStart(zeros, '0');
}
