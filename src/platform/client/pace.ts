import type { Clock } from '../../util/clock.js';

/** Says when the next request may start, on the monotonic clock. */
export interface Pace {
  /** undefined: it must be asked for first. */
  next(now: number): number | undefined;
  /** Asks for so many starts; false when none could be had. */
  ask(count: number): Promise<boolean>;
  /** The next one was taken. */
  started(now: number): void;
}

/** Timers fire a little late; so much of it may be made up for, and no more, so that no burst follows a pause. */
const SLACK_MS = 20;

/** So many a second, evenly, for one process. */
export class OwnPace implements Pace {
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

/** A reserved start is given up when it is so late: the timers of a busy process are. */
const LATE_MS = 100;
/** Starts are asked for ahead for so long: one question for many. */
const AHEAD_MS = 250;
/**
 * An answer that took longer doesn't say when its starts are: used as of the answer they fall together with those of
 * others. So it is asked again, unless all answers take that long.
 */
const SLOW_ANSWER_MS = 50;
const SLOW_ANSWERS = 3;

/** Starts that are reserved where all who keep the pace can see it. One that isn't used in time is lost. */
export class SharedPace implements Pace {
  readonly #parts: {
    readonly perSecond: number;
    /** Reserves starts; each is in so many milliseconds from now. */
    readonly reserve: (count: number) => Promise<readonly number[]>;
    readonly clock: Clock;
  };
  readonly #starts: number[] = [];
  /** So many answers in a row were slow, and were not used. */
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
    const most = Math.max(1, Math.floor((perSecond * AHEAD_MS) / 1000));
    try {
      const asked = clock.monotonic();
      const starts = await reserve(Math.min(count, most));
      // As of the answer: never too early, whatever the way took.
      const now = clock.monotonic();
      if (now - asked > SLOW_ANSWER_MS && this.#unused < SLOW_ANSWERS) {
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
