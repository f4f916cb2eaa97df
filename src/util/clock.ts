import { setTimeout as delay } from 'node:timers/promises';

/** Timers of Node take at most 31 bits of milliseconds; beyond it they would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The program's clock; tests replace it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. May jump: for stamps shown to people, never for waiting. */
  now(): number;
  /** Monotonic milliseconds, for measuring differences. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds with true; with false as soon as the signal is aborted. Never rejects. */
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
