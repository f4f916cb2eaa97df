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
    const own = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    const member = own ?? field.default;
    if (member !== undefined) arranged[field.name] = arrangeMember(field, member);
  }
  return arranged;
}

function arrangeMember(field: Field, value: Json): Json {
  const { fields } = field;
  if (!fields) return value;
  if (Array.isArray(value)) return value.map((it: Json) => (isObject(it) ? arrange(fields, it) : it));
  return isObject(value) ? arrange(fields, value) : value;
}
