import type { Message } from '../../errors/message.js';
import type { ItemOutcome } from '../../model/item.js';
import type { JsonObject } from '../../model/json.js';
import type { LookupOperationName } from '../../model/map.js';
import type { Fault } from '../../model/row.js';

/** The status or message of a source row itself, as opposed to its items. */
export interface RowVerdict {
  readonly row: number;
  /**
   * `not_sent`: in a run of several steps, because of the row's outcome in another step. `valid`: only a message; the row's
   * items decide its status.
   */
  readonly status: 'invalid' | 'skipped' | 'not_sent' | 'valid';
  readonly faults?: readonly Fault[];
  readonly message?: Message;
  /** Skipped because an earlier run succeeded: that run's result. */
  readonly got?: EarlierResult;
}

/** A key or subject that occurs more than once within one run. */
export interface RepeatedKey {
  /** One entry per item: its number in the run and its source rows. */
  readonly items: readonly { readonly item: number; readonly rows: readonly number[] }[];
}

/** An item with rows that must not be sent. */
export interface InvalidItem {
  readonly item: number;
  readonly rows: readonly number[];
  /** The rows that are invalid, or not sent because of another step. */
  readonly invalid: readonly number[];
}

/** An item's result in an earlier run, as results show it. */
export type EarlierResult = Pick<ItemOutcome, 'licenseOrderId' | 'columns' | 'records'>;

/** The item that has a key: an earlier item that took effect or may have. */
export interface KeyHolder {
  readonly run: string;
  readonly row: number;
  readonly status: 'succeeded' | 'accepted' | 'unknown';
  readonly content: string;
  readonly got: EarlierResult;
}

/** An item whose key another run has. */
export interface HeldItem {
  readonly item: number;
  readonly rows: readonly number[];
  readonly content: string;
  readonly holder: KeyHolder;
}

/** A lookup of a run and its reply. */
export interface LookupLine {
  /** Digest of operation and request; distinct within the run. */
  readonly key: string;
  readonly operation: LookupOperationName;
  /** The request's fields. */
  readonly request: JsonObject;
  readonly answer: AnsweredLookup;
  /** Number of attempts. */
  readonly requests: number;
  readonly askedAt: number;
}

export type AnsweredLookup =
  /** `json`: the list of all records, as JSON text; possibly megabytes. */
  | { readonly kind: 'records'; readonly count: number; readonly json: string }
  | { readonly kind: 'none'; readonly detail: Message | string };

export interface LookupCounts {
  /** Distinct lookups that were requested. */
  readonly asked: number;
  /** Lookups without a valid reply. */
  readonly unanswered: number;
  /** Total number of attempts. */
  readonly requests: number;
}
