import { hash } from 'node:crypto';
import type { Code } from '../errors/message.js';
import { type Field, isDateField } from '../model/field.js';
import type { Json } from '../model/json.js';
import type { Fault, Row } from '../model/row.js';

/** Milliseconds since 1970 of 2030-01-01 UTC: a time that any date field accepts. */
const SOME_TIME_MS = 1_893_456_000_000;
const SPREAD = 1_000_000;

/**
 * A placeholder of the field's type for a value that isn't known yet. Equal seeds give equal values, different seeds very likely
 * different ones, so that repeats and conflicts are found as with the real values.
 */
export function givenValue(field: Field, seed: string, unit: 'milliseconds' | 'seconds'): Json {
  const [allowed] = field.values ?? [];
  const digest = hash('sha256', seed, 'hex');
  const text = allowed === undefined ? `given-${digest.slice(0, 16)}` : String(allowed.value);
  const number = Number.parseInt(digest.slice(0, 8), 16) % SPREAD;
  switch (field.type) {
    case 'String array':
      return [text];
    case 'Boolean':
      return false;
    case 'Integer':
    case 'Long':
    case 'Date':
      if (allowed) return allowed.value;
      if (!isDateField(field)) return Math.max(field.least ?? 1, 1) + number;
      return (unit === 'seconds' ? SOME_TIME_MS / 1000 : SOME_TIME_MS) + number;
    default:
      return text;
  }
}

const GIVEN_TEXT = /^given-[0-9a-f]{16}$/;

/** True for the text of a placeholder. */
export function isPlaceholder(text: string): boolean {
  return GIVEN_TEXT.test(text);
}

/** Shown to users instead of a placeholder. */
export const GIVEN = '<given>';

/** A value as it is shown: `<given>` for text placeholders. Numbers cannot be distinguished from real ones. */
export function shownGiven(value: Json): Json {
  if (typeof value === 'string') return isPlaceholder(value) ? GIVEN : value;
  if (Array.isArray(value)) return value.map(shownGiven);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, shownGiven(it)]));
}

/** Errors of the stored form of a cell, which its text does not show: the same text would be valid in a text file. */
const OF_FORM: ReadonlySet<Code> = new Set<Code>([
  'mapping.number_too_long',
  'mapping.date_in_text',
  'mapping.date_in_template',
  'mapping.date_in_duration',
  'mapping.point_in_number',
  'mapping.hidden_digits',
  'mapping.hidden_time',
]);

/** The columns of a row with errors that are not visible in the text of their cells; undefined if there are none. */
export function columnsWithFormFaults(faults: readonly Fault[], row: Row): ReadonlySet<number> | undefined {
  const columns = new Set<number>();
  for (const { column, message, row: number, sheet } of faults) {
    if (column === undefined || number !== row.number || sheet !== row.sheet) continue;
    if (OF_FORM.has(message.code)) columns.add(column);
  }
  return columns.size > 0 ? columns : undefined;
}
