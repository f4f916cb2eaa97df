import { setTimeout as delay } from 'node:timers/promises';

/** Time as the program sees it; tests put their own in its place. */
export interface Clock {
  /** Milliseconds since 1970, UTC. May jump: for stamps shown to people, never for waiting. */
  now(): number;
  /** Milliseconds that only ever grow; differences are what counts. */
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
