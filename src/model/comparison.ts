import type { Field } from './field.js';
import type { JsonObject } from './json.js';
import type { OperationName } from './operation.js';
import type { Status } from './status.js';

/** The fields that the `key` and the `expect` of a reconciliation may name. */
export interface ComparisonShape {
  readonly name: Reconciled;
  /** Description in one line. */
  readonly purpose: string;
  /** Fields that a job's `key` may name. */
  readonly key: readonly Field[];
  /** Fields of a record, all optional, that a job's `expect` may name. */
  readonly record: readonly Field[];
}

/** A record's name within a source. */
export interface RecordName {
  /** Text that is different for each record. */
  readonly id: string;
  /** The name for users. */
  readonly label: string;
}

/**
 * A comparison with the platform's records, as data (contract section 8). Each is in the folder of its inquiry; its name is
 * also in `RECONCILED`, and the comparison in `platform/operations/catalogue.ts`.
 */
export interface Comparison extends ComparisonShape {
  /**
   * True if records may share a name: a row then refers to the best match (a default customer among others). If false, all
   * records with the name must be as expected.
   */
  readonly sharedNames: boolean;
  /** The operation that reads the records. */
  readonly inquiry: OperationName;
  /** The fields of the inquiry's request, from the key. Rows with equal requests share one. */
  request(key: JsonObject): JsonObject;
  /** The distinct records that a row names. */
  names(key: JsonObject): readonly RecordName[];
  /** The name of a record in a reply to a request; undefined if it has none. */
  nameOf(record: JsonObject, request: JsonObject): RecordName | undefined;
}

/** The kinds of records that a reconciliation can compare (contract section 8). */
export const RECONCILED = ['asset', 'enterprise'] as const;

export type Reconciled = (typeof RECONCILED)[number];

/** The result of comparing a row of the source; `extra` is a record that no row of the source names. */
export const DRIFT_STATUSES = ['in_sync', 'different', 'missing', 'extra', 'error', 'skipped'] as const;

export type DriftStatus = (typeof DRIFT_STATUSES)[number];

/** Symbols that distinguish statuses without colour, in display order. `under_way` is a request in flight, on pages only. */
export const STATUS_SIGNS: Readonly<Record<Status | DriftStatus | 'under_way', string>> = {
  valid: '✓',
  invalid: '!',
  skipped: '–',
  succeeded: '✓',
  accepted: '✓',
  rejected: '✕',
  failed: '✕',
  unknown: '?',
  under_way: '▶',
  not_sent: '…',
  in_sync: '✓',
  different: '≠',
  missing: '✕',
  extra: '+',
  error: '!',
};
