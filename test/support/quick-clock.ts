import { type Clock, systemClock } from '../../src/util/clock.js';

/** Time passes as requested, but at once, so that nothing needs to be waited for. `waits`: gets what was slept for. */
export function quickClock(waits: number[] = []): Clock {
  let skipped = 0;
  return {
    now: () => systemClock.now() + Math.round(skipped),
    monotonic: () => systemClock.monotonic() + skipped,
    sleep: async (ms, signal) => {
      waits.push(ms);
      skipped += ms;
      await new Promise((resolve) => setImmediate(resolve));
      return signal?.aborted !== true;
    },
  };
}
