import { afterEach, beforeEach } from 'vitest';
import type { RunEnd } from '../../src/run/run-end.js';
import { type Answer, FakePlatform, type Seen } from './fake-platform.js';
import { Desk } from './job-runs.js';
import type { LedgerMaker } from './ledgers.js';
import { OnboardingPlatform, stepOf } from './onboarding.js';

const REJECTED: Answer = { body: { code: '13004', message: 'no', cause: 'why' } };

interface OnboardingDesk {
  desk: Desk;
  platform: FakePlatform;
  /** Runs a job over a sheet; orders that are refused are rejected. Gives what was sent, too. */
  run(
    job: string,
    sheet: string,
    isRefused?: (order: Seen) => boolean,
  ): Promise<{ readonly end: RunEnd; readonly sent: readonly Seen[] }>;
}

/** A desk, and a platform that does what jobs of several steps ask for: afresh for each test of the suite. */
export function useOnboardingDesk(maker: LedgerMaker): OnboardingDesk {
  let done: OnboardingPlatform;
  const here = {
    async run(job: string, sheet: string, isRefused: (order: Seen) => boolean = () => false) {
      const { desk, platform } = here;
      platform.answer = (seen) =>
        stepOf(seen).step === 'order' && isRefused(seen) ? REJECTED : done.answer(seen);
      await desk.file('rows.csv', sheet);
      const from = platform.seen.length;
      const end = await desk.run(await desk.file('job.yaml', job), { connection: platform.connection() });
      return { end, sent: platform.seen.slice(from) };
    },
  } as Partial<OnboardingDesk> as OnboardingDesk;

  beforeEach(async () => {
    here.desk = await Desk.open(maker);
    done = new OnboardingPlatform();
    here.platform = await new FakePlatform((seen) => done.answer(seen)).start();
  });

  afterEach(async () => {
    await here.platform.stop();
    await here.desk.close();
  });

  return here;
}
