import type { Json, JsonObject } from '../../model/json.js';
import { isObject } from './rule-report.js';

/** The records of a reply that is a list of objects. */
export function objectsOf(reply: Json): readonly JsonObject[] {
  return Array.isArray(reply) ? reply.filter((it: Json): it is JsonObject => isObject(it)) : [];
}
