import type { ItemOutcome } from '../../model/outcome.js';

/** What a worker holds while it carries a chunk of a run's batches: without it nothing of the chunk may leave. */
export interface Lease {
  readonly chunk: number;
  /** One more with every takeover: a holder that was taken over finds its own no longer fitting. */
  readonly token: number;
}

export interface Intent {
  readonly run: string;
  readonly batch: number;
  /** Counted from 1 within the batch. */
  readonly attempt: number;
  readonly nonce: string;
  readonly startedAt: number;
  /** The attempt before was told to wait, so that this one counts as no retry. */
  readonly afterPause?: boolean;
  /** Of the worker that sends it; absent where the process holds the run's lock itself. */
  readonly lease?: Lease;
}

/** `late`: its batch had been taken over; it was kept as evidence, and settled so many items that were unknown. */
export type AttemptClosed = { readonly kind: 'ended' } | { readonly kind: 'late'; readonly settled: number };

export const ENDED: AttemptClosed = { kind: 'ended' };

/** Ids that the platform gave to items of an attempt: each belongs to one item at most. */
export interface IdsGiven {
  /** Ids with their kind (`order LO-1`, `asset 8600000001`). */
  readonly items: readonly { readonly item: number; readonly ids: readonly string[] }[];
  /** They are also compared with those of new purchases and allocations of earlier runs with another key. */
  readonly acrossRuns: boolean;
}

export interface AttemptEnd {
  readonly run: string;
  readonly batch: number;
  readonly attempt: number;
  /** The intent's: told where an end may be written again, or come after somebody else has taken the batch over. */
  readonly nonce?: string;
  /** The intent's. */
  readonly lease?: Lease;
  readonly endedAt: number;
  readonly httpStatus?: number;
  /** Short word for people: `reply`, `timeout`, `reset`, `refused`, … */
  readonly event: string;
  /** Whether request headers had left (promises). */
  readonly sent: boolean;
  /**
   * Although sent, it certainly changed nothing (a 429): items left pending let go of their keys, so that other runs
   * may send them. Without it they keep them until they have an outcome.
   */
  readonly noEffect?: boolean;
  /** Reply text or error text, redacted; what is beyond 64 KiB is cut off. */
  readonly reply?: string;
  /**
   * Outcomes by item number; items without one stay pending (to be sent again), and so do items that are `not_sent`,
   * whose code and message are kept for the report.
   */
  readonly outcomes: readonly { readonly item: number; readonly outcome: ItemOutcome }[];
  /** An item that was given an id of another item is written as `unknown`, without any value of the reply. */
  readonly given?: IdsGiven;
}

/** One attempt, as far as a run's figures need it. */
export interface AttemptFigures extends Omit<Intent, 'run' | 'nonce' | 'lease'> {
  /** These four are absent while it is open. `endedAt` of event `died` is when that was found. */
  readonly endedAt?: number;
  readonly event?: string;
  readonly sent?: boolean;
  /** Also absent where no reply came. */
  readonly httpStatus?: number;
  /** Items that it carried, and those of them that it brought to their outcome (also `unknown`). */
  readonly items: number;
  readonly settled: number;
}
