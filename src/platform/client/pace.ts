import type { Clock } from '../../util/clock.js';

/** Determines when the next request may start, on the monotonic clock. */
export interface Pace {
  /** undefined: a start must be requested first. */
  next(now: number): number | undefined;
  /** Requests this number of starts; false if none could be reserved. */
  ask(count: number): Promise<boolean>;
  /** Records that the next start was used. */
  started(now: number): void;
}

/** Timers fire a little late. At most this much is made up for, so that no burst follows a pause. */
const SLACK_MS = 20;

/** Evenly spaced starts of one process. */
export class LocalPace implements Pace {
  readonly #intervalMs: number;
  #nextAt = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number) {
    this.#intervalMs = 1000 / perSecond;
  }

  next(): number {
    return this.#nextAt;
  }

  ask(): Promise<boolean> {
    return Promise.resolve(true);
  }

  started(now: number): void {
    this.#nextAt = Math.max(this.#nextAt, now - SLACK_MS) + this.#intervalMs;
  }
}

/** A reserved start that is this late is discarded: timers of a busy process fire late. */
const LATE_MS = 100;
/** Starts are reserved this long in advance, so that one request to the ledger serves many starts. */
const AHEAD_MS = 250;
/**
 * After a longer reply it is unknown when the starts are: counted from the reply, they would coincide with the starts
 * of other processes. So the request is repeated, unless several replies in a row take this long.
 */
const SLOW_ANSWER_MS = 50;
const SLOW_ANSWERS = 3;

/** Starts reserved in the ledger, shared by several processes. A start that is not used in time is lost. */
export class SharedPace implements Pace {
  readonly #parts: {
    readonly perSecond: number;
    /** Reserves starts; each number is milliseconds from now. */
    readonly reserve: (count: number) => Promise<readonly number[]>;
    readonly clock: Clock;
  };
  readonly #starts: number[] = [];
  /** Slow replies in a row that were not used. */
  #unused = 0;

  constructor(parts: {
    readonly perSecond: number;
    readonly reserve: (count: number) => Promise<readonly number[]>;
    readonly clock: Clock;
  }) {
    this.#parts = parts;
  }

  next(now: number): number | undefined {
    while (this.#starts.length > 0 && this.#starts[0]! < now - LATE_MS) this.#starts.shift();
    return this.#starts[0];
  }

  async ask(count: number): Promise<boolean> {
    const { perSecond, reserve, clock } = this.#parts;
    const limit = Math.max(1, Math.floor((perSecond * AHEAD_MS) / 1000));
    try {
      const requestedAt = clock.monotonic();
      const starts = await reserve(Math.min(count, limit));
      // Counted from the reply: never too early, however long the request took.
      const now = clock.monotonic();
      if (now - requestedAt > SLOW_ANSWER_MS && this.#unused < SLOW_ANSWERS) {
        this.#unused += 1;
        return true;
      }
      this.#unused = 0;
      this.#starts.push(...starts.map((ms) => now + Math.max(ms, 0)));
      return true;
    } catch {
      return false;
    }
  }

  started(): void {
    this.#starts.shift();
  }
}
