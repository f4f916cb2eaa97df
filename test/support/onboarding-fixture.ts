import { afterEach, beforeEach } from 'vitest';
import type { RunEnd } from '../../src/run/run-end.js';
import { type Answer, FakePlatform, type Seen } from './fake-platform.js';
import { Fixture } from './job-runs.js';
import type { LedgerMaker } from './ledgers.js';
import { OnboardingPlatform, stepOf } from './onboarding.js';

const REJECTED: Answer = { body: { code: '13004', message: 'no', cause: 'why' } };

interface OnboardingFixture {
  fixture: Fixture;
  platform: FakePlatform;
  /** Runs a job over a sheet; orders that are refused are rejected. Gives what was sent, too. */
  run(
    job: string,
    sheet: string,
    isRefused?: (order: Seen) => boolean,
  ): Promise<{ readonly end: RunEnd; readonly sent: readonly Seen[] }>;
}

/** A fixture, and a platform that does what jobs of several steps ask for: afresh for each test of the suite. */
export function useOnboardingFixture(maker: LedgerMaker): OnboardingFixture {
  let done: OnboardingPlatform;
  const here = {
    async run(job: string, sheet: string, isRefused: (order: Seen) => boolean = () => false) {
      const { fixture, platform } = here;
      platform.answer = (seen) =>
        stepOf(seen).step === 'order' && isRefused(seen) ? REJECTED : done.answer(seen);
      await fixture.file('rows.csv', sheet);
      const from = platform.seen.length;
      const end = await fixture.run(await fixture.file('job.yaml', job), {
        connection: platform.connection(),
      });
      return { end, sent: platform.seen.slice(from) };
    },
  } as Partial<OnboardingFixture> as OnboardingFixture;

  beforeEach(async () => {
    here.fixture = await Fixture.open(maker);
    done = new OnboardingPlatform();
    here.platform = await new FakePlatform((seen) => done.answer(seen)).start();
  });

  afterEach(async () => {
    await here.platform.stop();
    await here.fixture.close();
  });

  return here;
}
