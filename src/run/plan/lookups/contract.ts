import type { Message } from '../../../errors/message.js';
import type { LookupAnswer, LookupAnswers, LookupRequest } from '../../../mapping/lookup/contract.js';
import type { Operation } from '../../../model/operation.js';

/** What answers the look-ups of rows while they are planned. */
export interface RowLookups extends LookupAnswers {
  /** Sees to it that these are asked; doesn't wait for the answers. */
  want(requests: readonly LookupRequest[]): void;
  /** Waits for the answers to these. Some are lacking where planning is stopped meanwhile. */
  answers(requests: readonly LookupRequest[]): Promise<ReadonlyMap<string, LookupAnswer>>;
  /** Call it however planning ended. */
  close(): Promise<void>;
  /** What is to be told of the look-ups as a whole. */
  warnings(operation: Operation): readonly Message[];
}
