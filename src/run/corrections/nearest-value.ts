import type { ColumnMeaning } from '../../mapping/mapping.js';
import { type AllowedValue, type Field, isDateField, valuesByName } from '../../model/field.js';
import { nearest } from '../../util/name-match.js';
import { fold, narrow } from '../../util/text.js';

/** Longer lists of values are not offered. */
const MAX_OFFERED = 200;
const BOOLEANS = ['TRUE', 'FALSE'];
/** Symbols for truth values in checklists. */
const TICKS: ReadonlyMap<string, string> = new Map([
  ['√', 'TRUE'],
  ['✓', 'TRUE'],
  ['✔', 'TRUE'],
  ['☑', 'TRUE'],
  ['对', 'TRUE'],
  ['有', 'TRUE'],
  ['×', 'FALSE'],
  ['✗', 'FALSE'],
  ['✘', 'FALSE'],
  ['☐', 'FALSE'],
  ['无', 'FALSE'],
]);
/** Zero-width, bidirectional and other invisible characters. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/gu;
/** Text around a number that does not change its value, unlike a word for ten thousand or a percent sign. */
const UNIT = /^[^\d.,%‰万千百亿兆kKmM+-]*$/u;
const NUMBER = /^(\D*?)(-?\d{1,3}(?:[,，\u00a0 ']\d{3})+|-?\d+)(?:\.0+)?(\D*)$/u;
/** Length limit of a group in a grouped identifier: `8100 0000 01`. */
const LONGEST_GROUP = 4;
const DATE_SIGNS = /[年月./\\-]/u;

/** The values that a column's cells may have, if they are a closed list; otherwise empty. */
export function allowedTexts(meanings: readonly ColumnMeaning[]): readonly string[] {
  const [first, ...others] = meanings.map(closedList);
  if (!first) return [];
  const all = first.filter((value) => others.every((list) => list === undefined || list.includes(value)));
  return all.length > MAX_OFFERED ? [] : all;
}

/** Allowed values that have names. A column with its own words in `values` has none. */
export function namedValuesOf(meanings: readonly ColumnMeaning[]): readonly AllowedValue[] {
  return meanings.flatMap(({ field, words }) => (words.length > 0 ? [] : (field.values ?? [])));
}

function closedList({ field, words }: ColumnMeaning): readonly string[] | undefined {
  if (field.type === 'Boolean') return words.length > 0 ? words : BOOLEANS;
  if (words.length > 0 && (field.values || isNumber(field))) return words;
  return field.values?.map((allowed) => String(allowed.value));
}

/** Excludes dates, even if they are numbers on the wire. */
function isNumber(field: Field): boolean {
  return (field.type === 'Integer' || field.type === 'Long') && !isDateField(field);
}

/** The most likely intended value of an invalid cell; undefined if unknown. Identifiers are never guessed. */
export function nearestValue(meanings: readonly ColumnMeaning[], text: string): string | undefined {
  if (meanings.length === 0) return undefined;
  const isValid = (value: string): boolean => meanings.every((meaning) => meaning.read(value) === 'value');
  for (const candidate of candidates(meanings, text)) {
    if (candidate !== undefined && candidate !== text && candidate !== '' && isValid(candidate))
      return candidate;
  }
  return undefined;
}

function* candidates(meanings: readonly ColumnMeaning[], text: string): Generator<string | undefined> {
  const clean = narrow(text.replace(INVISIBLE, '')).replace(/\s+/gu, ' ').trim();
  if (clean === '') return;
  const closed = meanings.some((meaning) => closedList(meaning) !== undefined);
  if (!closed) yield clean;
  for (const meaning of meanings) {
    const { field } = meaning;
    const list = closedList(meaning);
    if (list) yield* ofList(meaning, list, clean);
    else if (isDateField(field)) yield* ofDate(meaning, clean);
    if (isNumber(field)) yield numberIn(clean);
  }
  // Short groups of digits are one number. Two long numbers separated by a blank are two.
  const parts = clean.split(' ');
  if (!closed && parts.every((part) => part.length <= LONGEST_GROUP)) yield parts.join('');
}

/** By the word itself, by similarity, or by a similar name of the value. */
function* ofList(
  { field, words }: ColumnMeaning,
  list: readonly string[],
  text: string,
): Generator<string | undefined> {
  const folded = fold(text);
  yield list.find((value) => fold(value) === folded);
  if (field.type === 'Boolean') yield TICKS.get(text);
  const bare = (value: string): string => fold(value).replace(/[\s_()（）/-]+/gu, '');
  yield list.find((value) => bare(value) === bare(text));
  yield nearest(text, list);
  if (words.length === 0) {
    const names = valuesByName(field.values ?? []);
    const near = nearest(text, names.keys());
    if (near !== undefined) yield String(names.get(near));
  }
  const begins = list.filter((value) => bare(value).startsWith(bare(text)));
  if (bare(text).length > 1 && begins.length === 1) yield begins[0];
}

/** Digits, and letters that look like digits. */
const LOOK_ALIKE = /^(?=.*\d)[\dOoIl|]+$/u;

/** The number in a text, which may have a unit or blanks around it. */
function numberIn(text: string): string | undefined {
  // Danger: as a unit, the letter of `1O` would be dropped.
  if (LOOK_ALIKE.test(text)) return text.replace(/[Oo]/gu, '0').replace(/[Il|]/gu, '1');
  const found = NUMBER.exec(text);
  if (!found) return undefined;
  const [, before = '', number = '', after = ''] = found;
  return UNIT.test(before) && UNIT.test(after) ? number.replace(/[,，\u00a0 ']/gu, '') : undefined;
}

/** A date in its column's format: the job's first pattern, or ISO 8601. Undefined if day and month are ambiguous. */
function* ofDate({ formats }: ColumnMeaning, text: string): Generator<string | undefined> {
  const day = dayIn(text);
  if (!day) return;
  const [pattern] = formats;
  yield pattern === undefined ? formatted('yyyy-MM-dd', day) : formatted(pattern, day);
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function dayIn(text: string): Day | undefined {
  const [whole = ''] = text.split(/[T ](?=\d{1,2}:)/u);
  const packed = /^(\d{4})(\d{2})(\d{2})$/u.exec(whole);
  if (packed) return dayOf(packed[1]!, packed[2]!, packed[3]!);
  if (whole !== text || !DATE_SIGNS.test(whole)) return undefined;
  const parts = whole.replace(/[日号]$/u, '').split(/\s*[年月./\\-]\s*/u);
  if (parts.length !== 3 || !parts.every((part) => /^\d{1,4}$/u.test(part))) return undefined;
  const [a = '', b = '', c = ''] = parts;
  if (a.length === 4) return dayOf(a, b, c);
  if (c.length !== 4) return undefined;
  // 03/04/2026 is ambiguous: March or April.
  if (Number(a) > 12) return dayOf(c, b, a);
  if (Number(b) > 12) return dayOf(c, a, b);
  return Number(a) === Number(b) ? dayOf(c, a, b) : undefined;
}

function dayOf(yearText: string, monthText: string, dayText: string): Day | undefined {
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && month >= 1;
  return isReal ? { year, month, day } : undefined;
}

/** Undefined for a pattern with a time of day. */
function formatted(pattern: string, { year, month, day }: Day): string | undefined {
  if (/[Hms]/u.test(pattern.replace(/'[^']*'/gu, ''))) return undefined;
  return pattern.replace(/'([^']*)'|y+|M+|d+/gu, (token, literal?: string) => {
    if (literal !== undefined) return literal;
    if (token.startsWith('y')) return String(year);
    return String(token.startsWith('M') ? month : day).padStart(token.length, '0');
  });
}
