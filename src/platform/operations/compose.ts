import type { Field } from '../../model/field.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { ComposeContext, Endpoint, WireRequest } from '../../model/operation.js';
import { arrangedMember } from './arrange.js';
import { isObject } from './rule-report.js';

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
