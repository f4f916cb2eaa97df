import type { Message } from '../../errors/message.js';
import type { JsonObject } from '../../model/json.js';
import type { LookupOperationName } from '../../model/map.js';

/** A look-up of a run, and what came of it. */
export interface LookupLine {
  /** Digest of operation and request; distinct within the run. */
  readonly key: string;
  readonly operation: LookupOperationName;
  /** The request's fields. */
  readonly request: JsonObject;
  readonly answer: AnsweredLookup;
  /** Attempts that it took. */
  readonly requests: number;
  readonly askedAt: number;
}

export type AnsweredLookup =
  /** `json`: the list of all records, as JSON text. It may hold megabytes. */
  | { readonly kind: 'records'; readonly count: number; readonly json: string }
  | { readonly kind: 'none'; readonly detail: Message | string };

export interface LookupCounts {
  /** Distinct look-ups that were asked. */
  readonly asked: number;
  /** Those without a good answer. */
  readonly unanswered: number;
  /** Attempts in all. */
  readonly requests: number;
}

/** What look-ups were answered while runs were planned. A plan that is made again finds the answers here. */
export interface LookupStore {
  /** One transaction. Replaces what a run has of the same keys. */
  add(run: string, lines: readonly LookupLine[]): Promise<void>;
  /** Those of the keys that the run has, in any order. */
  find(run: string, keys: readonly string[]): Promise<readonly LookupLine[]>;
  counts(run: string): Promise<LookupCounts>;
  /** All of a run, a few at a time, without the records of the answers. */
  requests(run: string): AsyncIterable<readonly Pick<LookupLine, 'operation' | 'request'>[]>;
}
