import type { Field } from '../../model/field.js';

/** The fields of a reply's table as an expectation may name them: none has to be given. */
export function recordFields(fields: readonly Field[]): readonly Field[] {
  return fields.map((field) => ({
    ...field,
    required: false,
    ...(field.fields ? { fields: recordFields(field.fields) } : {}),
  }));
}
