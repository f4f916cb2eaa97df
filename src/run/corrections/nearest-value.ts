import type { ColumnMeaning } from '../../mapping/contract.js';
import { type Field, isDateField } from '../../model/field.js';
import { fold, narrow } from '../../util/fold.js';
import { nearest } from '../../util/nearest.js';

/** No longer list of values is offered to choose from. */
const MOST_OFFERED = 200;
const BOOLEANS = ['TRUE', 'FALSE'];
/** Signs that stand for a truth value in ticked lists. */
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
/** Zero-width, bidirectional and other characters that nobody sees. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/gu;
/** What follows or precedes a number without changing it. A word for ten thousand, or a percent sign, does change it. */
const UNIT = /^[^\d.,%‰万千百亿兆kKmM+-]*$/u;
const NUMBER = /^(\D*?)(-?\d{1,3}(?:[,，\u00a0 ']\d{3})+|-?\d+)(?:\.0+)?(\D*)$/u;
/** Of an identifier that is written in groups: `8100 0000 01`. */
const LONGEST_GROUP = 4;
const DATE_SIGNS = /[年月./\\-]/u;

/** The values that a column's cells may have, where they are a closed list; none else. */
export function allowedTexts(meanings: readonly ColumnMeaning[]): readonly string[] {
  const [first, ...others] = meanings.map(closedList);
  if (!first) return [];
  const all = first.filter((it) => others.every((list) => list === undefined || list.includes(it)));
  return all.length > MOST_OFFERED ? [] : all;
}

function closedList({ field, words }: ColumnMeaning): readonly string[] | undefined {
  if (field.type === 'Boolean') return words.length > 0 ? words : BOOLEANS;
  if (words.length > 0 && (field.values || isNumber(field))) return words;
  return field.values?.map((it) => String(it.value));
}

/** Dates that are numbers on the wire are none. */
function isNumber(field: Field): boolean {
  return (field.type === 'Integer' || field.type === 'Long') && !isDateField(field);
}

/**
 * What a faulty cell most likely was meant to say, which its column then takes; undefined where that can't be told. An
 * identifier's characters are never guessed at.
 */
export function nearestValue(meanings: readonly ColumnMeaning[], text: string): string | undefined {
  if (meanings.length === 0) return undefined;
  const isTaken = (it: string): boolean => meanings.every((meaning) => meaning.read(it) === 'value');
  for (const candidate of candidates(meanings, text)) {
    if (candidate !== undefined && candidate !== text && candidate !== '' && isTaken(candidate))
      return candidate;
  }
  return undefined;
}

function* candidates(meanings: readonly ColumnMeaning[], text: string): Generator<string | undefined> {
  const clean = narrow(text.replace(INVISIBLE, '')).replace(/\s+/gu, ' ').trim();
  if (clean === '') return;
  const closed = meanings.some((it) => closedList(it) !== undefined);
  if (!closed) yield clean;
  for (const meaning of meanings) {
    const { field } = meaning;
    const list = closedList(meaning);
    if (list) yield* ofList(meaning, list, clean);
    else if (isDateField(field)) yield* ofDate(meaning, clean);
    if (isNumber(field)) yield numberIn(clean);
  }
  // Digits in groups are one number; two long numbers with a blank between are two.
  const parts = clean.split(' ');
  if (!closed && parts.every((it) => it.length <= LONGEST_GROUP)) yield parts.join('');
}

/** By the word itself, by its likeness, or by what the interface says it means. */
function* ofList(
  { field, words }: ColumnMeaning,
  list: readonly string[],
  text: string,
): Generator<string | undefined> {
  const folded = fold(text);
  yield list.find((it) => fold(it) === folded);
  if (field.type === 'Boolean') yield TICKS.get(text);
  const bare = (it: string): string => fold(it).replace(/[\s_()（）/-]+/gu, '');
  yield list.find((it) => bare(it) === bare(text));
  yield nearest(text, list);
  const meant = (field.values ?? []).map(({ value, meaning }) => ({ value: String(value), meaning }));
  if (words.length === 0) yield meant.find(({ meaning }) => fold(meaning) === folded)?.value;
  const begins = list.filter((it) => bare(it).startsWith(bare(text)));
  if (bare(text).length > 1 && begins.length === 1) yield begins[0];
}

/** The number of a text that has one, with a unit or blanks beside it. */
function numberIn(text: string): string | undefined {
  const found = NUMBER.exec(text);
  if (!found) return undefined;
  const [, before = '', number = '', after = ''] = found;
  return UNIT.test(before) && UNIT.test(after) ? number.replace(/[,，\u00a0 ']/gu, '') : undefined;
}

/** A date as its column is read: by the job's first pattern, or as ISO 8601. A day that may be a month is none. */
function* ofDate({ formats }: ColumnMeaning, text: string): Generator<string | undefined> {
  const day = dayIn(text);
  if (!day) return;
  const [pattern] = formats;
  yield pattern === undefined ? written('yyyy-MM-dd', day) : written(pattern, day);
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
  if (parts.length !== 3 || !parts.every((it) => /^\d{1,4}$/u.test(it))) return undefined;
  const [a = '', b = '', c = ''] = parts;
  if (a.length === 4) return dayOf(a, b, c);
  if (c.length !== 4) return undefined;
  // 03/04/2026 is in March or in April: nobody can tell.
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

/** Undefined for a pattern that wants more than a day. */
function written(pattern: string, { year, month, day }: Day): string | undefined {
  if (/[Hms]/u.test(pattern.replace(/'[^']*'/gu, ''))) return undefined;
  return pattern.replace(/'([^']*)'|y+|M+|d+/gu, (token, literal?: string) => {
    if (literal !== undefined) return literal;
    if (token.startsWith('y')) return String(year);
    return String(token.startsWith('M') ? month : day).padStart(token.length, '0');
  });
}
