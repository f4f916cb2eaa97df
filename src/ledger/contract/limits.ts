/** A pause that a platform asked for, as all workers keep it. */
export interface SharedPause {
  /** Where the requests go that it holds. */
  readonly origin: string;
  readonly httpStatus: number;
  readonly retryAfterMs?: number;
  /** How long it still holds, in milliseconds; 0 or less: one request may probe. */
  readonly leftMs: number;
  /** A worker's request is on its way to see whether the platform answers again. */
  readonly probing: boolean;
}

/** Limits that hold over all workers together, by the database's clock. */
export interface LimitStore {
  /**
   * Reserves the next starts of requests, evenly over all who ask with the same key.
   * @returns for each, in how many milliseconds from now it is; with several rates the latest of theirs
   */
  reserveStarts(
    rates: readonly { readonly key: string; readonly perSecond: number }[],
    count: number,
  ): Promise<readonly number[]>;
  /**
   * Says how many requests to a place this worker would have under way, and gets how many it may: its share among those
   * who want any, and never more than the others leave of `most`. It holds until `ms` later.
   */
  holdSlots(
    scope: string,
    worker: string,
    want: { readonly most: number; readonly wanted: number; readonly inFlight: number },
    ms: number,
  ): Promise<number>;
  /** All workers wait as told; a pause that lasts longer already stays. */
  pause(pause: Omit<SharedPause, 'probing'>): Promise<void>;
  /** What holds of these places now. */
  pauses(origins: readonly string[]): Promise<readonly SharedPause[]>;
  /** Whether this worker's request may probe: one at a time, once the pause is over. Another may after `ms`. */
  probe(origin: string, worker: string, ms: number): Promise<boolean>;
  /** The platform answers again. */
  lift(origin: string): Promise<void>;
}
