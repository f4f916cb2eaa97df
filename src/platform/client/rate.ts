import { type Clock, systemClock } from '../../util/clock.js';

interface Waiter {
  readonly go: () => void;
}

/** Timers fire a little late; so much of it may be made up for, and no more, so that no burst follows a pause. */
const SLACK_MS = 20;

const FREE = Promise.resolve(true);
const GONE = Promise.resolve(false);

/** Paces requests: `perSecond` a second, evenly, first come first served, by the monotonic clock. */
export class RateLimiter {
  readonly #intervalMs: number;
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();
  #nextAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  /** Set while the pump sleeps; aborted when no one waits any more, as a timer would keep the process alive. */
  #nap: AbortController | undefined;
  #pumping = false;

  /** `perSecond` undefined: no pace of its own, only `hold` delays. */
  constructor(perSecond: number | undefined, clock: Clock = systemClock) {
    this.#intervalMs = perSecond === undefined ? 0 : 1000 / perSecond;
    this.#clock = clock;
  }

  /** Resolves with true when one request may start, with false when the signal is aborted before. Never rejects. */
  take(signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return GONE;
    // No pace, no pause, nobody before: most requests of most runs.
    if (this.#intervalMs === 0 && this.#heldUntil === Number.NEGATIVE_INFINITY) return FREE;
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#waiters.delete(waiter);
        if (this.#waiters.size === 0) this.#nap?.abort();
        resolve(false);
      };
      const waiter: Waiter = {
        go: () => {
          signal?.removeEventListener('abort', leave);
          resolve(true);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiters.add(waiter);
      if (!this.#pumping) void this.#pump();
    });
  }

  /** Nothing starts for so many milliseconds (the platform asked for a pause); a longer hold stands. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.monotonic() + ms);
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    for (;;) {
      const [first] = this.#waiters;
      if (!first) break;
      const now = this.#clock.monotonic();
      const at = Math.max(this.#nextAt, this.#heldUntil);
      if (now < at) {
        await this.#sleep(Math.ceil(at - now));
        continue;
      }
      this.#waiters.delete(first);
      this.#nextAt = Math.max(this.#nextAt, now - SLACK_MS) + this.#intervalMs;
      first.go();
    }
    this.#pumping = false;
  }
  async #sleep(ms: number): Promise<void> {
    const nap = new AbortController();
    this.#nap = nap;
    await this.#clock.sleep(ms, nap.signal);
    this.#nap = undefined;
  }
}
