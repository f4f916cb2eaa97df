import { narrow } from './fold.js';
import { type LocalMs, localTime } from './zoned-time.js';

/** A text read by a pattern; `other`: the text doesn't match it. */
export type FormatReading =
  | { readonly kind: 'local'; readonly local: LocalMs; readonly timed: boolean }
  | { readonly kind: 'impossible' }
  | { readonly kind: 'other' };

export interface DateFormat {
  readonly source: string;
  read(text: string): FormatReading;
}

type CompiledFormat =
  | { readonly ok: true; readonly format: DateFormat }
  /** `part`: the letters that aren't understood; empty if year, month or day is missing. */
  | { readonly ok: false; readonly part: string };

const UNITS: Readonly<Record<string, Unit>> = {
  y: 'year',
  M: 'month',
  d: 'day',
  H: 'hour',
  h: 'hour',
  a: 'half',
  m: 'minute',
  s: 'second',
  S: 'millisecond',
};
const TOKEN = /'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']/gu;

/** English, by their first three letters. */
export const MONTH_NAMES =
  'january february march april may june july august september october november december'.split(' ');
/** Two digits name a year from 1970 to 2069. */
const FIRST_SHORT_YEAR = 70;

type Unit = 'year' | 'month' | 'day' | 'hour' | 'half' | 'minute' | 'second' | 'millisecond';

/**
 * Compiles a Unicode date pattern: `yyyy MM dd HH mm ss SSS`, or single letters of these; `yy` a year from 1970 to 2069,
 * `MMM` and `MMMM` English month names, `h` the hour of a half day with `a` (AM, PM, 上午, 下午). Other signs stand for
 * themselves, letters are quoted. Adjacent fields have exactly the pattern's digits; separated ones have one or two.
 */
export function compileFormat(source: string): CompiledFormat {
  const tokens: readonly string[] = narrow(source).match(TOKEN) ?? [];
  // Only a quote that is never closed is no token.
  if (tokens.join('') !== narrow(source)) return { ok: false, part: "'" };
  const units: Unit[] = [];
  let pattern = '';
  const halfDays = tokens.includes('a');
  for (const [index, token] of tokens.entries()) {
    if (!/^[A-Za-z]/.test(token)) {
      pattern += literally(literal(token));
      continue;
    }
    const unit = UNITS[token.charAt(0)];
    if (
      !unit ||
      !isLength(unit, token.length) ||
      units.includes(unit) ||
      (token.startsWith('H') && halfDays) ||
      (token.startsWith('h') && !halfDays)
    )
      return { ok: false, part: token };
    units.push(unit);
    const alone = !isField(tokens[index - 1]) && !isField(tokens[index + 1]);
    pattern += digits(unit, token.length, alone);
  }
  if (!units.includes('year') || !units.includes('month') || !units.includes('day'))
    return { ok: false, part: '' };
  if (halfDays && !units.includes('hour')) return { ok: false, part: 'a' };
  const matcher = new RegExp(`^${pattern}$`, 'u');
  return {
    ok: true,
    format: {
      source,
      read: (text) => read(matcher.exec(narrow(text)), units),
    },
  };
}

function read(match: RegExpExecArray | null, units: readonly Unit[]): FormatReading {
  if (!match) return { kind: 'other' };
  const found: Record<Unit, number> = {
    year: 0,
    month: 0,
    day: 0,
    hour: 0,
    half: 0,
    minute: 0,
    second: 0,
    millisecond: 0,
  };
  for (const [index, unit] of units.entries()) {
    const number = numberOf(unit, match[index + 1]!);
    if (number === undefined) return { kind: 'other' };
    found[unit] = number;
  }
  const { year, month, day, half, minute, second, millisecond } = found;
  if (units.includes('half') && !(found.hour >= 1 && found.hour <= 12)) return { kind: 'impossible' };
  const hour = units.includes('half') ? (found.hour % 12) + half : found.hour;
  const local = localTime(year, month, day, hour, minute, second, millisecond);
  if (local === undefined) return { kind: 'impossible' };
  return { kind: 'local', local, timed: units.length > 3 };
}

/** Of a half day: how many hours after midnight it begins. Undefined for a word that is no month. */
function numberOf(unit: Unit, text: string): number | undefined {
  if (unit === 'half') return /^[Pp下]/.test(text) ? 12 : 0;
  if (unit === 'month' && !/^\d/.test(text)) {
    const name = text.toLowerCase();
    const at = MONTH_NAMES.findIndex((it) => name === it || name === it.slice(0, 3));
    const found = name === 'sept' ? 8 : at;
    return found < 0 ? undefined : found + 1;
  }
  const number = Number(text);
  if (unit === 'year' && text.length === 2) return number + (number < FIRST_SHORT_YEAR ? 2000 : 1900);
  return number;
}

function isField(token: string | undefined): boolean {
  return token !== undefined && /^[A-Za-z]/.test(token);
}

function isLength(unit: Unit, length: number): boolean {
  if (unit === 'year') return length === 4 || length <= 2;
  if (unit === 'month') return length <= 4;
  if (unit === 'half') return length === 1;
  return unit === 'millisecond' ? length === 3 : length <= 2;
}

function digits(unit: Unit, length: number, alone: boolean): string {
  if (unit === 'year') return length === 2 ? '(\\d{2})' : '(\\d{4})';
  if (unit === 'half') return '([AaPp]\\.?[Mm]\\.?|上午|下午)';
  if (unit === 'month' && length > 2) return '([A-Za-z]{3,9})';
  if (unit === 'millisecond') return '(\\d{3})';
  return alone || length === 1 ? '(\\d{1,2})' : '(\\d{2})';
}

function literal(token: string): string {
  if (!token.startsWith("'")) return token;
  return token === "''" ? "'" : token.slice(1, -1).replaceAll("''", "'");
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
