import type { Decimals } from './format-section.js';

const LITERAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** A double represents this many decimal digits exactly. */
const CERTAIN_DIGITS = 15;
/** Beyond Excel's exponents; a literal such as 1e999999999 must not be written out. */
const MAX_EXPONENT = 400;

/** Whether a common number literal is already what `plainNumber` returns; a quick check. */
function isPlain(raw: string): boolean {
  const { length } = raw;
  if (length === 0 || length > CERTAIN_DIGITS) return false;
  const first = raw.charCodeAt(0);
  // A leading zero needs a closer look, unless it is the number 0.
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
 * A number literal as plain decimal digits without an exponent; undefined if the text is no number. A number with a
 * fraction is rounded to 15 significant digits, as the rest is noise of a double. Whole numbers keep every digit, so that
 * one too long for a double is noticed.
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
  // A longer whole part isn't noise: it stays, so that the number is refused as too long.
  if (places < 0 || fraction.length <= places) return { whole, fraction };
  const kept = BigInt(whole + fraction.slice(0, places)) + (fraction[places]! >= '5' ? 1n : 0n);
  const digits = String(kept).padStart(places + 1, '0');
  return written(digits, digits.length - places);
}

/** A plain number with this range of decimals: `1.1` with two is `1.10`, `3.14159` is `3.14`. */
export function withDecimals(plain: string, { least, most }: Decimals): string {
  const point = plain.indexOf('.');
  const there = point < 0 ? 0 : plain.length - point - 1;
  if (there > most) return padded(shortened(plain, most), least);
  return there < least ? padded(plain, least) : plain;
}

function padded(plain: string, least: number): string {
  const [whole = '', fraction = ''] = plain.split('.');
  return fraction.length >= least ? plain : `${whole}.${fraction.padEnd(least, '0')}`;
}

/** Rounded half away from zero, as spreadsheets show a number. */
function shortened(plain: string, places: number): string {
  const negative = plain.startsWith('-');
  const [whole = '', fraction = ''] = plain.replace('-', '').split('.');
  const kept = BigInt(whole + fraction.slice(0, places)) + (fraction[places]! >= '5' ? 1n : 0n);
  const digits = String(kept).padStart(places + 1, '0');
  const decimal = written(digits, digits.length - places);
  const text = decimal.fraction === '' ? decimal.whole : `${decimal.whole}.${decimal.fraction}`;
  return negative && text !== '0' ? `-${text}` : text;
}
