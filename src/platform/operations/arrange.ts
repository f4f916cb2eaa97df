import type { Field } from '../../model/field.js';
import type { Json, JsonObject } from '../../model/json.js';
import { isObject } from './rule-report.js';

/**
 * The object with its members in the table's order and the table's defaults filled in, at every depth. Members that
 * are left out stay out, so that an empty optional cell never travels as null.
 */
export function arrange(fields: readonly Field[], value: JsonObject): JsonObject {
  const arranged: Record<string, Json> = {};
  for (const field of fields) {
    const member = arrangedMember(field, value);
    if (member !== undefined) arranged[field.name] = member;
  }
  return arranged;
}

/** The member of that field, arranged; undefined where it is left out and has no default. */
export function arrangedMember(field: Field, owner: JsonObject): Json | undefined {
  const own = Object.hasOwn(owner, field.name) ? owner[field.name] : undefined;
  const value = own ?? field.default;
  const { fields } = field;
  if (!fields) return value;
  if (Array.isArray(value)) return value.map((it: Json) => (isObject(it) ? arrange(fields, it) : it));
  return isObject(value) ? arrange(fields, value) : value;
}
