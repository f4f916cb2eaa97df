import { setTimeout as delay } from 'node:timers/promises';

/** Node's timers have at most 31 bits of milliseconds; a longer one would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The program's clock; tests replace it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. May jump: for timestamps, never for waiting. */
  now(): number;
  /** Monotonic milliseconds, for measuring differences. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds with true, or with false when the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<boolean>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      return await delay(ms, true, signal ? { signal } : {});
    } catch (error) {
      if (signal?.aborted) return false;
      throw error;
    }
  },
};

const LONGEST_MS = 50;

/**
 * Lets the event loop run from time to time in a loop that does not wait otherwise, so that signals, timers and
 * messages of other processes are handled. `if (turns.isDue) await turns.take()` costs almost nothing in a fast loop.
 */
export class EventLoopTurns {
  #last = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#last >= LONGEST_MS;
  }

  async take(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#last = performance.now();
  }
}
