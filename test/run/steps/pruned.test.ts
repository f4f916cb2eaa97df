import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, FakePlatform, type Seen } from '../../support/fake-platform.js';
import { Desk } from '../../support/job-runs.js';
import { LEDGER_MAKERS } from '../../support/ledgers.js';
import { OnboardingPlatform, onboarding, onboardingRows, stepOf } from '../../support/onboarding.js';

const REJECTED: Answer = { body: { code: '13004', message: 'no', cause: 'why' } };

/** The order takes the enterprise's name from what binding returned: a personal name that other runs don't keep. */
const JOB = onboarding().replace(
  'address: { value: Street 1 }',
  'address: { from: customer.enterpriseName, else: Customer }',
);

describe.each(LEDGER_MAKERS)('a file that comes again after its run was pruned ($name)', (maker) => {
  let desk: Desk;
  let platform: FakePlatform;
  let done: OnboardingPlatform;

  beforeEach(async () => {
    desk = await Desk.open(maker);
    done = new OnboardingPlatform();
    platform = await new FakePlatform((seen) => done.answer(seen)).start();
  });

  afterEach(async () => {
    await platform.stop();
    await desk.close();
  });

  async function run(rows: readonly string[], refused: readonly string[] = []) {
    platform.answer = (seen: Seen) => {
      const it = stepOf(seen);
      return it.step === 'order' && refused.includes(it.of) ? REJECTED : done.answer(seen);
    };
    await desk.file('rows.csv', onboardingRows(rows));
    const from = platform.seen.length;
    const end = await desk.run(await desk.file('job.yaml', JOB), { connection: platform.connection() });
    return { end, sent: platform.seen.slice(from) };
  }

  async function prune(): Promise<void> {
    expect(await desk.ledger.runs.prune(Date.now() + 1000)).toBeGreaterThan(0);
  }

  const numbersOf = (sent: readonly Seen[]): (readonly [string, readonly string[]])[] =>
    sent
      .filter((it) => stepOf(it).step === 'order')
      .map(({ body }) => {
        const [order] = body.orderList as { address: string; assets: { assetNos: string[] }[] }[];
        return [order!.address, order!.assets.flatMap((asset) => asset.assetNos)] as const;
      });

  it('is skipped where it was through: nothing is drawn or ordered anew', async () => {
    const rows = ['SO-1,C1,,2,5', 'SO-2,C2,,1,5'];
    const first = await run(rows);
    expect(first.end.counts).toEqual({ succeeded: 2 });
    for (const _ of [1, 2]) {
      await prune();
      const again = await run(rows);
      expect(again.sent).toEqual([]);
      expect(again.end).toMatchObject({ exitCode: 0, counts: { skipped: 2 } });
    }
  });

  it('goes on with what it got', async () => {
    const rows = ['SO-1,C1,,2,5', 'SO-2,C2,,1,5'];
    const first = await run(rows, ['SO-1', 'SO-2']);
    expect(first.end.counts).toEqual({ rejected: 2 });
    await prune();
    const again = await run(rows);
    expect(again.sent.map((it) => stepOf(it).step)).toEqual(['order', 'order']);
    expect(new Map(numbersOf(again.sent))).toEqual(new Map(numbersOf(first.sent)));
    expect(again.end.counts).toEqual({ succeeded: 2 });
  });
});
