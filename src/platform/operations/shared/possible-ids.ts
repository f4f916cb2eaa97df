import type { Field } from '../../../model/field.js';
import { type Json, type JsonObject, member } from '../../../model/json.js';

/** What programs write in place of an id that they do not have. */
const NO_ID = /^(?:\(?(?:null|nil|none|undefined|nan)\)?|\[object object\]|[-+]?0+(?:\.0+)?)?$/iu;

/** Whether a text can be an id: not empty, `null`, `undefined` or 0. */
export function isPossibleId(text: string): boolean {
  return !NO_ID.test(text.trim());
}

/** The first of a record's own identifiers that can be none, absent ones apart. */
export function impossibleId(
  fields: readonly Field[],
  record: JsonObject,
): { readonly field: Field; readonly value: string } | undefined {
  for (const field of fields) {
    const value = idText(field, record);
    if (value !== undefined && !isPossibleId(value)) return { field, value };
  }
  return undefined;
}

/** The record without optional identifiers that can be none: no lookup and no later step may take one. */
export function withoutImpossibleIds(fields: readonly Field[], record: JsonObject): JsonObject {
  const bad = fields.filter((field) => {
    const value = field.required ? undefined : idText(field, record);
    return value !== undefined && value !== '' && !isPossibleId(value);
  });
  if (bad.length === 0) return record;
  const names = new Set(bad.map((it) => it.name));
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)));
}

function idText(field: Field, record: JsonObject): string | undefined {
  if (field.identifier !== true) return undefined;
  const value: Json | undefined = member(record, field.name);
  return typeof value === 'string' ? value : undefined;
}
