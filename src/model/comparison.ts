import type { Reconciled } from './drift.js';
import type { Field } from './field.js';
import type { JsonObject } from './json.js';
import type { OperationName } from './operation.js';

/** The fields of something that a reconciliation compares: what its `key` and its `expect` may name. */
export interface ComparisonShape {
  readonly name: Reconciled;
  /** One line for people. */
  readonly purpose: string;
  /** Fields that a job's `key` may name. */
  readonly key: readonly Field[];
  /** Fields of a record, all optional: what a job's `expect` may name. */
  readonly record: readonly Field[];
}

/** A record's name within a source. */
export interface RecordName {
  /** Unambiguous text; equal for one and the same record only. */
  readonly id: string;
  /** What people call it. */
  readonly label: string;
}

/**
 * Something that can be compared with what the platform holds, as data (contract section 8). Each lies in the folder of its
 * inquiry; its name stands in `RECONCILED` too, and itself in `platform/comparisons/`.
 */
export interface Comparison extends ComparisonShape {
  /**
   * Records may share a name, and a row means the one that fits best (a default customer among others). If false, all
   * records of the name must be as expected.
   */
  readonly sharedNames: boolean;
  /** The operation that reads the records. */
  readonly inquiry: OperationName;
  /** The key's fields that make the request, as the inquiry takes them; rows whose requests are equal share one. */
  request(key: JsonObject): JsonObject;
  /** The records that a row names, each once. */
  names(key: JsonObject): readonly RecordName[];
  /** The name of a record in a reply to a request; undefined when it has none. */
  nameOf(record: JsonObject, request: JsonObject): RecordName | undefined;
}
