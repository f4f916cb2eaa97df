import type { Field } from '../../../model/field.js';
import { isObject, type Json, type JsonObject } from '../../../model/json.js';
import type { ComposeContext, Endpoint, WireRequest } from '../../../model/operation.js';

/** A request that is one item: its fields go to path, query and body as their table says. */
export function composeSingle(
  endpoint: Endpoint,
  shape: readonly Field[],
  bodies: readonly Json[],
  context: ComposeContext,
): WireRequest {
  const only = bodies[0];
  if (bodies.length !== 1 || !isObject(only)) {
    throw new Error(`endpoint ${endpoint.number} takes exactly one item, an object, not ${bodies.length}`);
  }
  return composeRequest(endpoint, shape, only, context);
}

/** Puts the fields of a whole request where they belong. */
export function composeRequest(
  endpoint: Endpoint,
  shape: readonly Field[],
  fields: JsonObject,
  context: ComposeContext,
): WireRequest {
  let path = endpoint.path;
  const query: Record<string, string> = {};
  const body: Record<string, Json> = {};
  if (endpoint.needsAppKey && context.appKey !== undefined) query.appKey = context.appKey;
  for (const field of shape) {
    const value = arrangedMember(field, fields);
    if (value === undefined) continue;
    const { name } = field;
    if (field.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (field.in === 'query') query[name] = String(value);
    else body[name] = value;
  }
  return endpoint.method === 'GET' ? { method: 'GET', path, query } : { method: 'POST', path, query, body };
}

/**
 * The object with its members in the table's order and the table's defaults filled in, at every depth. Members that
 * are left out stay out, so that an empty optional cell never travels as null.
 */
function arrange(fields: readonly Field[], value: JsonObject): JsonObject {
  const arranged: Record<string, Json> = {};
  for (const field of fields) {
    const member = arrangedMember(field, value);
    if (member !== undefined) arranged[field.name] = member;
  }
  return arranged;
}

/** The member of that field, arranged; undefined where it is left out and has no default. */
function arrangedMember(field: Field, owner: JsonObject): Json | undefined {
  const own = Object.hasOwn(owner, field.name) ? owner[field.name] : undefined;
  const value = own ?? field.default;
  const { fields } = field;
  if (!fields) return value;
  if (Array.isArray(value)) return value.map((it: Json) => (isObject(it) ? arrange(fields, it) : it));
  return isObject(value) ? arrange(fields, value) : value;
}
