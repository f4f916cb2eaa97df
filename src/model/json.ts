/** JSON as the wire carries it. An integer too large for a double is kept as a bigint, exactly. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}
