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
  m: 'minute',
  s: 'second',
  S: 'millisecond',
};
const TOKEN = /'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']/gu;

type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond';

/**
 * Compiles a Unicode date pattern: `yyyy MM dd HH mm ss SSS`, or single letters of these; other signs stand for
 * themselves, letters are quoted. Adjacent fields have exactly the pattern's digits; separated ones have one or two.
 */
export function compileFormat(source: string): CompiledFormat {
  const tokens = narrow(source).match(TOKEN) ?? [];
  // Only a quote that is never closed is no token.
  if (tokens.join('') !== narrow(source)) return { ok: false, part: "'" };
  const units: Unit[] = [];
  let pattern = '';
  for (const [index, token] of tokens.entries()) {
    if (!/^[A-Za-z]/.test(token)) {
      pattern += literally(literal(token));
      continue;
    }
    const unit = UNITS[token.charAt(0)];
    if (!unit || !isLength(unit, token.length) || units.includes(unit)) return { ok: false, part: token };
    units.push(unit);
    const alone = !isField(tokens[index - 1]) && !isField(tokens[index + 1]);
    pattern += digits(unit, token.length, alone);
  }
  if (!units.includes('year') || !units.includes('month') || !units.includes('day'))
    return { ok: false, part: '' };
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
    minute: 0,
    second: 0,
    millisecond: 0,
  };
  for (const [index, unit] of units.entries()) found[unit] = Number(match[index + 1]);
  const { year, month, day, hour, minute, second, millisecond } = found;
  const local = localTime(year, month, day, hour, minute, second, millisecond);
  if (local === undefined) return { kind: 'impossible' };
  return { kind: 'local', local, timed: units.length > 3 };
}

function isField(token: string | undefined): boolean {
  return token !== undefined && /^[A-Za-z]/.test(token);
}

function isLength(unit: Unit, length: number): boolean {
  if (unit === 'year') return length === 4 || length === 1;
  return unit === 'millisecond' ? length === 3 : length <= 2;
}

function digits(unit: Unit, length: number, alone: boolean): string {
  if (unit === 'year') return '(\\d{4})';
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
