import { narrow } from './text.js';
import { type LocalMs, localTime } from './zoned-time.js';

/** A text read by a pattern; `other`: the text does not match it. */
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
  /** `part`: the letters that are unknown; empty if year, month or day is missing. */
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
const MONTH_NAMES =
  'january february march april may june july august september october november december'.split(' ');
/** Two digits name a year from 1970 to 2069. */
const FIRST_SHORT_YEAR = 70;

type Unit = 'year' | 'month' | 'day' | 'hour' | 'half' | 'minute' | 'second' | 'millisecond';

/**
 * Compiles a Unicode date pattern: `yyyy MM dd HH mm ss SSS`, or single letters of these; `yy` a year from 1970 to
 * 2069, `MMM` and `MMMM` English month names, `h` the hour of a half day with `a` (AM, PM, 上午, 下午). Other signs are
 * literal, letters are quoted. Adjacent fields have exactly the pattern's digits; separated ones have one or two.
 */
export function compileFormat(source: string): CompiledFormat {
  const tokens: readonly string[] = narrow(source).match(TOKEN) ?? [];
  // Only an unclosed quote is not a token.
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

/** For a half day: the hour of its start. Undefined for an unknown month name. */
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

/** A text read as ISO 8601; `other`: it has another form. */
export type IsoReading =
  | { readonly kind: 'local'; readonly local: LocalMs; readonly timed: boolean }
  | { readonly kind: 'instant'; readonly ms: number }
  | { readonly kind: 'impossible' }
  | { readonly kind: 'other' };

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** A date, or a date with a time of day and an optional offset. */
export function readIso(text: string): IsoReading {
  const match = ISO.exec(text);
  if (!match) return { kind: 'other' };
  const [, year, month, day, hour, minute, second = '0', fraction = '', offset] = match;
  const local = localTime(
    Number(year),
    Number(month),
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second),
    Number(fraction.slice(0, 3).padEnd(3, '0')),
  );
  if (local === undefined) return { kind: 'impossible' };
  if (offset === undefined) return { kind: 'local', local, timed: hour !== undefined };
  const minutes = offsetMinutes(offset);
  return minutes === undefined ? { kind: 'impossible' } : { kind: 'instant', ms: local - minutes * 60_000 };
}

const YEAR_FIRST =
  /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|年(\d{1,2})月(\d{1,2})日)(?:[Tt ](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** `readIso`, or a text whose year comes first: `2027/12/31`, `2027.1.5`, `2027年12月31日`, with an optional time. */
export function readYearFirst(text: string): IsoReading {
  const iso = readIso(text);
  const match = iso.kind === 'other' ? YEAR_FIRST.exec(text) : null;
  if (!match) return iso;
  const [, year = '', , month = match[5], day = match[6], , , hour, minute, second] = match;
  const two = (part = ''): string => part.padStart(2, '0');
  const time = hour === undefined ? '' : ` ${two(hour)}:${minute}:${second ?? '00'}`;
  return readIso(`${year}-${two(month)}-${two(day)}${time}`);
}

/** No place is further from UTC than 14 hours. */
function offsetMinutes(offset: string): number | undefined {
  if (offset === 'Z' || offset === 'z') return 0;
  const digits = offset.slice(1).replace(':', '');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2) || 0);
  if (minutes > 59 || hours * 60 + minutes > 14 * 60) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
