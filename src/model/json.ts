/** JSON as the wire carries it. An integer too large for a double is kept as a bigint, exactly. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

/** No list and not null: it has members. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member, never an inherited one; undefined where it is left out or null, and of anything that is no object. */
export function member(owner: Json | undefined, name: string): Json | undefined {
  return isObject(owner) && Object.hasOwn(owner, name) ? (owner[name] ?? undefined) : undefined;
}
