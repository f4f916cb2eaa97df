/** JSON of requests and replies. An integer too large for a double is a bigint. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

/** True for an object: not a list and not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member, never an inherited one; undefined if it is missing or null, or if the value is not an object. */
export function member(owner: Json | undefined, name: string): Json | undefined {
  return isObject(owner) && Object.hasOwn(owner, name) ? (owner[name] ?? undefined) : undefined;
}

/** Sets a value at a path of nested maps, as CEL reads records. An existing map is not replaced. */
export function setAtPath(owner: Map<string, unknown>, path: readonly string[], value: unknown): void {
  let parent = owner;
  for (const name of path.slice(0, -1)) {
    const existing = parent.get(name);
    const inner = existing instanceof Map ? (existing as Map<string, unknown>) : new Map<string, unknown>();
    parent.set(name, inner);
    parent = inner;
  }
  const last = path.at(-1)!;
  if (!(parent.get(last) instanceof Map)) parent.set(last, value);
}
