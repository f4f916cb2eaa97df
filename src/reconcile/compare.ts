import { cleanText } from '../mapping/convert/text.js';
import type { Connection } from '../model/connection.js';
import { type Field, isDateField } from '../model/field.js';
import { isObject, type Json, type JsonObject, member } from '../model/json.js';
import { exactStringify } from '../util/exact-json.js';
import { type Zone, zone } from '../util/zoned-time.js';

export function isEmpty(value: Json | undefined): value is undefined | null | '' | readonly [] {
  if (value === undefined || value === null) return true;
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;
}

/** A boolean, also if a reply gives it as text or number; undefined for anything else. */
export function booleanOf(value: Json | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = isScalar(value) ? String(value).trim().toLowerCase() : '';
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

/** A whole number, also if a reply gives it as text; undefined for anything else. */
export function wholeOf(value: Json | undefined): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  const digits =
    typeof value === 'string' ? /^\s*([+-]?\d{1,1000})(?:\.0+)?\s*$/.exec(value)?.[1] : undefined;
  return digits === undefined ? undefined : BigInt(digits.replace('+', ''));
}

function isScalar(value: Json | undefined): value is string | number | bigint | boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

/** Shown for an empty value. */
const EMPTY_TEXT = '(empty)';

/** A value as text for users: TRUE and FALSE, numbers in plain digits, lists joined. */
function shownText(value: Json | undefined): string {
  if (isEmpty(value)) return EMPTY_TEXT;
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value).toString();
  if (Array.isArray(value)) return (value as readonly Json[]).map((element) => shownText(element)).join(', ');
  return typeof value === 'object' ? exactStringify(value) : String(value);
}

/** The precision of an expected time, and the matching instants: from `start`, before `end`; ms since 1970. */
interface Window {
  readonly precision: 'day' | 'minute' | 'second' | 'millisecond';
  readonly start: number;
  readonly end: number;
}

/** Characters of `2027-12-31 08:30:15.123` that each precision shows. */
const SHOWN = { day: 10, minute: 16, second: 19, millisecond: 23 } as const;
const MINUTE = 60_000;
const SECOND = 1000;
/** Days that both the calendar and a four-digit year can represent. A time outside is shown as a number. */
const FIRST_MS = Date.UTC(1000, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 30);

/** Cache, because calculating a zone's offsets is slow. */
const zones = new Map<string, Zone>();

/**
 * Compares points in time, counted in the connection's unit, at the precision of the expected one. The first or last
 * instant of a local day means the day, a time without seconds the minute, one without milliseconds the second.
 * @returns undefined if they agree; otherwise both as text
 */
function compareTimes(
  expected: Json,
  actual: Json | undefined,
  settings: Pick<Connection, 'timestamps' | 'timezone'>,
): { readonly expected: string; readonly actual: string } | undefined {
  const timeZone = zoneNamed(settings.timezone);
  const [expectedCount, found] = [wholeOf(expected), wholeOf(actual)];
  if (expectedCount !== undefined && expectedCount === found) return undefined;
  const expectedMs = millisecondsOf(expectedCount, settings.timestamps);
  if (expectedMs === undefined) return { expected: shownText(expected), actual: shownText(actual) };
  const window = windowOf(expectedMs, timeZone, settings.timestamps);
  const foundMs = millisecondsOf(found, settings.timestamps);
  const shown = timeText(expectedMs, timeZone, window);
  if (foundMs === undefined)
    return { expected: shown, actual: found === undefined ? shownText(actual) : String(found) };
  if (foundMs >= window.start && foundMs < window.end) return undefined;
  const actualText = timeText(foundMs, timeZone, window);
  // When clocks are set back, one local time occurs twice.
  if (shown === actualText) return { expected: utcText(expectedMs), actual: utcText(foundMs) };
  return { expected: shown, actual: actualText };
}

function windowOf(ms: number, zone: Zone, unit: Connection['timestamps']): Window {
  const local = zone.local(ms);
  const [first, after] = [zone.startOfDay(local), zone.afterDay(local)];
  if (first.kind === 'instant' && after.kind === 'instant') {
    const last = after.ms - (unit === 'seconds' ? SECOND : 1);
    if (ms === first.ms || ms === last) return { precision: 'day', start: first.ms, end: after.ms };
  }
  if (local % MINUTE === 0) return { precision: 'minute', start: ms, end: ms + MINUTE };
  if (local % SECOND === 0) return { precision: 'second', start: ms, end: ms + SECOND };
  return { precision: 'millisecond', start: ms, end: ms + 1 };
}

function millisecondsOf(count: bigint | undefined, unit: Connection['timestamps']): number | undefined {
  if (count === undefined) return undefined;
  const ms = Number(count) * (unit === 'seconds' ? SECOND : 1);
  return ms >= FIRST_MS && ms < LAST_MS ? ms : undefined;
}

function timeText(ms: number, zone: Zone, { precision }: Window): string {
  return new Date(zone.local(ms)).toISOString().replace('T', ' ').slice(0, SHOWN[precision]);
}

function utcText(ms: number): string {
  return new Date(ms).toISOString();
}

function zoneNamed(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const created = zone(name);
  if (!created) throw new Error(`no time zone ${name}`);
  zones.set(name, created);
  return created;
}

/** A field that is not as expected, with both values as text. */
export interface Difference {
  /** Path of the field: `assignStatus.assignMemberId`. */
  readonly field: string;
  readonly expected: string;
  /** `(empty)` if the record has no value. */
  readonly actual: string;
}

export type CompareSettings = Pick<Connection, 'timestamps' | 'timezone'>;

/**
 * The fields in which a record is not as expected, in the field table's order. Values are compared by type: times at
 * the precision of the expectation, numbers by value, text trimmed, lists of texts as sets. A field without an
 * expectation, or with an empty one, is not compared. Pure.
 * @param expected as the map converted it from cells
 * @param actual as the platform sent it: numbers may be text, `null` is empty
 */
export function differences(
  expected: JsonObject,
  actual: JsonObject,
  fields: readonly Field[],
  settings: CompareSettings,
): readonly Difference[] {
  return compareObjects(expected, actual, fields, settings, '');
}

/** `locked: expected TRUE, actual FALSE` */
export function differenceText({ field, expected, actual }: Difference): string {
  return `${field}: expected ${expected}, actual ${actual}`;
}

/** A difference in a result. `field` begins with the record's name if a row names several. */
export interface DifferentField {
  readonly field: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** The column `differences` of a result, by field. Text that cannot be parsed stays one text. */
export function driftFields(text: string): readonly DifferentField[] {
  if (text === '') return [];
  return text.split(/; (?=[^;]*?: expected )/).map((part) => {
    const [, field, expected, actual] = /^(.*?): expected (.*), actual (.*)$/s.exec(part) ?? [];
    return field === undefined ? { field: part } : { field, expected, actual };
  });
}

function compareObjects(
  expected: JsonObject,
  actual: JsonObject,
  fields: readonly Field[],
  settings: CompareSettings,
  prefix: string,
): readonly Difference[] {
  const found: Difference[] = [];
  for (const field of fields) {
    const value = member(expected, field.name);
    if (isEmpty(value)) continue;
    found.push(...compareField(field, value, member(actual, field.name), settings, `${prefix}${field.name}`));
  }
  return found;
}

function compareField(
  field: Field,
  expected: Json,
  actual: Json | undefined,
  settings: CompareSettings,
  path: string,
): readonly Difference[] {
  if (field.type === 'object' && field.fields && isObject(expected)) {
    const actualObject = isObject(actual) ? actual : {};
    return compareObjects(expected, actualObject, field.fields, settings, `${path}.`);
  }
  if (isDateField(field)) {
    const texts = compareTimes(expected, actual, settings);
    return texts ? [{ field: path, ...texts }] : [];
  }
  if (agree(field, expected, actual)) return [];
  // A boolean is shown as TRUE or FALSE, in whatever form it was sent.
  const shown = field.type === 'Boolean' ? (booleanOf(actual) ?? actual) : actual;
  return [{ field: path, expected: shownText(expected), actual: shownText(shown) }];
}

function agree(field: Field, expected: Json, actual: Json | undefined): boolean {
  if (isEmpty(actual)) return false;
  switch (field.type) {
    case 'Boolean':
      return booleanOf(actual) === booleanOf(expected);
    case 'Integer':
    case 'Long': {
      const expectedCount = wholeOf(expected);
      return expectedCount === undefined
        ? shownText(expected) === shownText(actual)
        : wholeOf(actual) === expectedCount;
    }
    case 'String array':
      return sameTexts(textsOf(expected), textsOf(actual));
    default:
      return trimmed(expected) === trimmed(actual);
  }
}

function textsOf(value: Json): ReadonlySet<string> {
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return new Set(list.map(trimmed).filter((text) => text !== ''));
}

function sameTexts(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((text) => b.has(text));
}

/** A text as it is compared: cleaned in the same way as a cell. A reply may have a number instead. */
function trimmed(value: Json): string {
  if (typeof value !== 'string') return shownText(value);
  const cleaned = cleanText(value);
  return cleaned.kind === 'value' ? String(cleaned.value) : value.trim();
}
