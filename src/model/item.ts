import type { Json, JsonObject } from './json.js';

/** The smallest part of a request with an outcome of its own, mapped and checked. */
export interface MappedItem {
  /** Row numbers of the job's sheet that it was made from, ascending. */
  readonly rows: readonly number[];
  /** Values of the operation's envelope fields, as mapped. */
  readonly envelope: JsonObject;
  /** An order, a lock number, or the whole request's fields. */
  readonly body: Json;
  /** Digest by which repeats are found; undefined where the operation has no key. */
  readonly key?: string;
  /** Digest of what would be sent, so that a changed repeat is noticed. */
  readonly content: string;
  /** Items of one run with the same text here are one item (`merges`). */
  readonly merge?: string;
}
