import { expect, test } from 'vitest';
import type { SharedPause } from '../../src/ledger/contract/queue.js';
import type { LimitStore } from '../../src/ledger/postgres/limits.js';
import {
  beginPause,
  currentPause,
  PlatformPause,
  reportPause,
} from '../../src/platform/client/platform-pause.js';
import { systemClock } from '../../src/util/clock.js';
import type { SharedLedger } from '../../src/workers/services.js';
import { SharedLimits } from '../../src/workers/shared-limits.js';

const ORIGIN = 'https://paused.example.com';

test('a pause that began while the others were asked is not over by their answer', async () => {
  let answer = (_: readonly SharedPause[]): void => {};
  const limits: Pick<LimitStore, 'pause' | 'pauses'> = {
    pause: async () => {},
    pauses: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  };
  const ledger = { queue: { limits } } as unknown as SharedLedger;
  const services = { ledger, clock: systemClock };
  const shared = new SharedLimits({ services, worker: 'w1', slots: 1, leaseMs: 1000 });
  shared.sharePausesOf(ORIGIN);
  const heard = shared.refreshPauses();
  const now = systemClock.monotonic();
  const pause = new PlatformPause({ httpStatus: 429, retryAfterMs: 60_000 }, now, () => 0);
  beginPause(ORIGIN, pause);
  reportPause(ORIGIN, pause, now);
  await Promise.resolve();
  await Promise.resolve();
  answer([]);
  await heard;
  expect(currentPause(ORIGIN)).toBe(pause);
  // Asked once more they say that it is over.
  const again = shared.refreshPauses();
  answer([]);
  await again;
  expect(currentPause(ORIGIN)).toBeUndefined();
  shared.close();
});
