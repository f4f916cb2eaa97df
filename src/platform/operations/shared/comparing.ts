import type { RecordName } from '../../../model/comparison.js';
import type { Field } from '../../../model/field.js';
import type { Json } from '../../../model/json.js';

/** A name of several parts: joined as JSON, so that no two names are alike. */
export function recordName(label: string, ...parts: readonly string[]): RecordName {
  return { id: JSON.stringify(parts), label };
}

/** What names a record, as text: replies give numbers as text, as numbers or, beyond 2^53, as bigint. */
export function nameText(value: Json | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' ? undefined : text;
}

/** The fields of a reply's table as an expectation may name them: none has to be given. */
export function recordFields(fields: readonly Field[]): readonly Field[] {
  return fields.map((field) => ({
    ...field,
    required: false,
    ...(field.fields ? { fields: recordFields(field.fields) } : {}),
  }));
}
