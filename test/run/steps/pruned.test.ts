import { describe, expect, it } from 'vitest';
import type { Seen } from '../../support/fake-platform.js';
import { LEDGER_MAKERS } from '../../support/ledgers.js';
import { onboarding, onboardingRows, stepOf } from '../../support/onboarding.js';
import { useOnboardingFixture } from '../../support/onboarding-fixture.js';

/** The order takes the enterprise's name from what binding returned: a personal name that other runs don't keep. */
const JOB = onboarding().replace(
  'address: { value: Street 1 }',
  'address: { from: customer.enterpriseName, else: Customer }',
);

describe.each(LEDGER_MAKERS)('a file that comes again after its run was pruned ($name)', (maker) => {
  const here = useOnboardingFixture(maker);
  const run = (rows: readonly string[], refused: readonly string[] = []) =>
    here.run(JOB, onboardingRows(rows), (order) => refused.includes(stepOf(order).of));

  async function prune(): Promise<void> {
    expect(await here.fixture.ledger.runs.prune(Date.now() + 1000)).toBeGreaterThan(0);
  }

  const numbersOf = (sent: readonly Seen[]): (readonly [string, readonly string[]])[] =>
    sent
      .filter((it) => stepOf(it).step === 'order')
      .map(({ body }) => {
        const [order] = body.orderList as { address: string; assets: { assetNos: string[] }[] }[];
        return [order!.address, order!.assets.flatMap((asset) => asset.assetNos)] as const;
      });

  it('is skipped where it was through: nothing is allocated or ordered again', async () => {
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

  it('continues with what it got', async () => {
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
