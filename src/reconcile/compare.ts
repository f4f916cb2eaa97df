import { cleanText } from '../mapping/convert/text.js';
import type { Connection } from '../model/connection.js';
import { type Field, isDateField } from '../model/field.js';
import { isObject, type Json, type JsonObject, member } from '../model/json.js';
import { compareTimes } from './compare-times.js';
import { booleanOf, isEmpty, shownText, wholeOf } from './field-values.js';

/** A field that is not as expected, with both values in words. */
export interface Difference {
  /** By path, `assignStatus.assignMemberId`. */
  readonly field: string;
  readonly expected: string;
  /** `(empty)` where the record has none. */
  readonly actual: string;
}

export type CompareSettings = Pick<Connection, 'timestamps' | 'timezone'>;

/**
 * The fields in which a record is not as expected, in the field table's order. Values are compared by type: times at
 * the precision that the expectation gives, numbers by value, text trimmed, lists of texts as sets. A field without an
 * expectation, or with an empty one, is not compared. Pure.
 * @param expected as a map made it from cells
 * @param actual as the platform sent it: numbers may come as text, `null` is empty
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

/** A difference as a result tells it; `field` has the record's name before it where a row names several. */
export interface DifferentField {
  readonly field: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** What a result's column `differences` says, field by field; what can't be told apart stays one text. */
export function driftFields(text: string): readonly DifferentField[] {
  if (text === '') return [];
  return text.split(/; (?=[^;]*?: expected )/).map((it) => {
    const [, field, expected, actual] = /^(.*?): expected (.*), actual (.*)$/s.exec(it) ?? [];
    return field === undefined ? { field: it } : { field, expected, actual };
  });
}

function compareObjects(
  expected: JsonObject,
  actual: JsonObject,
  fields: readonly Field[],
  settings: CompareSettings,
  at: string,
): readonly Difference[] {
  const found: Difference[] = [];
  for (const field of fields) {
    const wanted = member(expected, field.name);
    if (isEmpty(wanted)) continue;
    found.push(...compareField(field, wanted, member(actual, field.name), settings, `${at}${field.name}`));
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
    const there = isObject(actual) ? actual : {};
    return compareObjects(expected, there, field.fields, settings, `${path}.`);
  }
  if (isDateField(field)) {
    const texts = compareTimes(expected, actual, settings);
    return texts ? [{ field: path, ...texts }] : [];
  }
  if (agree(field, expected, actual)) return [];
  // A boolean is shown as TRUE or FALSE, however it was sent.
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
      const wanted = wholeOf(expected);
      return wanted === undefined ? shownText(expected) === shownText(actual) : wholeOf(actual) === wanted;
    }
    case 'String array':
      return sameTexts(textsOf(expected), textsOf(actual));
    default:
      return trimmed(expected) === trimmed(actual);
  }
}

function textsOf(value: Json): ReadonlySet<string> {
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return new Set(list.map(trimmed).filter((it) => it !== ''));
}

function sameTexts(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((it) => other.has(it));
}

/** A text as it is compared: as a cell with it is read. A reply may have a number instead. */
function trimmed(value: Json): string {
  if (typeof value !== 'string') return shownText(value);
  const cleaned = cleanText(value);
  return cleaned.kind === 'value' ? String(cleaned.value) : value.trim();
}
