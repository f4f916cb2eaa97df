import type { Message } from '../../errors/message.js';
import type { JsonObject } from '../../model/json.js';
import type { LookupOperationName } from '../../model/map.js';
import type { LookupRecords } from './records.js';

/** What a look-up asks the platform for; equal requests are asked once. */
export interface LookupRequest {
  readonly operation: LookupOperationName;
  /** The request's fields, by name in the order of names. */
  readonly fields: JsonObject;
  /** Text that equal requests have in common, and no others. */
  readonly key: string;
}

/** What came of asking. */
export type LookupAnswer =
  | { readonly kind: 'records'; readonly records: LookupRecords }
  /** No good answer, after all retries. `detail`: the program's words, or the platform's. */
  | { readonly kind: 'none'; readonly detail: Message | string }
  /** Nothing is asked (`--offline`): the field counts as given. */
  | { readonly kind: 'unasked' };

/** The answers that are at hand while rows are mapped. */
export interface LookupAnswers {
  /** Undefined while it isn't known: the row has to be mapped again once it is. */
  find(request: LookupRequest): LookupAnswer | undefined;
  /** Told of each field that a look-up filled, or failed to. */
  told?(use: LookupUse): void;
}

/** A field of a row that a look-up was made for. */
export interface LookupUse {
  /** Wire path without indexes. */
  readonly field: string;
  readonly sheet: string;
  readonly row: number;
  readonly request: LookupRequest;
  /** Place among the answer's records, from 0, of the one that the value was taken from. */
  readonly record?: number;
}

/** For maps that have no look-ups. */
export const NO_ANSWERS: LookupAnswers = { find: () => undefined };
