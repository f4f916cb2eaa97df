import type { RecordName } from '../../../model/comparison.js';
import type { Field } from '../../../model/field.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import { exactStringify } from '../../../util/exact-json.js';

/** Longest whole number that a spreadsheet shows without an exponent. */
const SHOWN_DIGITS = 11;

/**
 * Columns of a record by path, in the table's order; each member of an object, or of a list of objects, is a column.
 */
export function columnPaths(fields: readonly Field[], at = ''): readonly string[] {
  return fields.flatMap((field) => {
    const path = at === '' ? field.name : `${at}.${field.name}`;
    return field.fields ? columnPaths(field.fields, path) : [path];
  });
}

/**
 * The values of a record for columns by path. The values of a list of objects are in one cell, joined by `; `, so that
 * the values of two columns pair up by position. undefined: the record has none, or null.
 */
export function recordValues(
  record: JsonObject,
  columns: readonly string[],
): readonly (string | number | undefined)[] {
  return columns.map((column) => shownValue(valueAt(record, column.split('.'))));
}

/** A scalar as text for a result column: booleans as a spreadsheet shows them, numbers digit for digit. */
export function columnText(value: Json | undefined): string | undefined {
  const shown = shownValue(value);
  return shown === undefined ? undefined : String(shown);
}

/** Result columns of those members that have a value. */
export function columnsOf(record: JsonObject, names: readonly string[]): Readonly<Record<string, string>> {
  const columns: Record<string, string> = {};
  for (const name of names) {
    const text = columnText(member(record, name));
    if (text !== undefined) columns[name] = text;
  }
  return columns;
}

function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined || value === undefined || value === null) return value;
  if (Array.isArray(value)) {
    const texts = value.map((it: Json) => columnText(valueAt(it, path)) ?? '');
    return texts.length === 0 ? undefined : texts.join('; ');
  }
  return valueAt(member(value, name), rest);
}

/** A value as a column shows it: long numbers and booleans as text; undefined for none. */
export function shownValue(value: Json | undefined): string | number | undefined {
  switch (typeof value) {
    case 'string':
      return value === '' ? undefined : value;
    case 'boolean':
      return value ? 'TRUE' : 'FALSE';
    case 'bigint':
      return value.toString();
    case 'number':
      return String(value).length > SHOWN_DIGITS ? String(value) : value;
    case 'object':
      return value === null ? undefined : exactStringify(value);
    default:
      return undefined;
  }
}

export function objectsOf(reply: Json): readonly JsonObject[] {
  return Array.isArray(reply) ? reply.filter(isObject) : [];
}

/** A name of several parts, joined as JSON so that different names never coincide. */
export function recordName(label: string, ...parts: readonly string[]): RecordName {
  return { id: JSON.stringify(parts), label };
}

/** The name of a record as text: replies contain numbers as text, as numbers or, beyond 2^53, as bigint. */
export function nameText(value: Json | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' ? undefined : text;
}

/** The fields of a reply's table as an expectation may name them: none is required. */
export function recordFields(fields: readonly Field[]): readonly Field[] {
  return fields.map((field) => ({
    ...field,
    required: false,
    ...(field.fields ? { fields: recordFields(field.fields) } : {}),
  }));
}
