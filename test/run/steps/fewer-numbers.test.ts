import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportResult } from '../../../src/run/report/export-result.js';
import { resolveRows } from '../../../src/run/resolve/resolve-run.js';
import { FakePlatform, type Seen } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { LEDGER_MAKERS, SQLITE } from '../../support/ledgers.js';
import { OnboardingPlatform, onboarding, onboardingRows, stepOf } from '../../support/onboarding.js';
import { readLines, readSheet } from '../../support/read-sheet.js';

const ROWS = onboardingRows(['SO-1,C1,,2,5', 'SO-2,C2,,1,5']);

describe.each(LEDGER_MAKERS)('a platform that gives fewer numbers than a row asked for ($name)', (maker) => {
  let fixture: Fixture;
  let platform: FakePlatform;
  let done: OnboardingPlatform;
  let isShort: boolean;

  beforeEach(async () => {
    fixture = await Fixture.open(maker);
    done = new OnboardingPlatform();
    isShort = true;
    platform = await new FakePlatform((seen) => {
      const isTwo =
        stepOf(seen).step === 'numbers' && String(seen.query.get('size') ?? seen.body.size) === '2';
      return isTwo && isShort
        ? { body: { code: 0, message: 'success', data: ['8600000900'] } }
        : done.answer(seen);
    }).start();
  });

  afterEach(async () => {
    await platform.stop();
    await fixture.close();
  });

  async function run() {
    await fixture.file('rows.csv', ROWS);
    const from = platform.seen.length;
    const end = await fixture.run(await fixture.file('job.yaml', onboarding()), {
      connection: platform.connection(),
    });
    return { end, sent: platform.seen.slice(from) };
  }

  const orders = (sent: readonly Seen[]) =>
    sent
      .filter((it) => stepOf(it).step === 'order')
      .map((it) => [
        stepOf(it).of,
        (it.body.orderList as { assets: { assetNos: string[] }[] }[])[0]!.assets[0]!.assetNos,
      ]);

  async function settle(run: string, as: 'succeeded' | 'failed') {
    const whole = (await fixture.ledger.runs.get(run))!;
    return resolveRows({ ...fixture.parts(), who: 'me' }, whole, [{ row: 2, as }]);
  }

  it('continues with those that came once a person confirms them', async () => {
    await settle((await run()).end.run, 'succeeded');
    const again = await run();
    expect(orders(again.sent)).toEqual([['SO-1', ['8600000900']]]);
    expect(again.end.counts).toEqual({ succeeded: 1, skipped: 1 });
  });

  // The rest is the same on both: contract/ runs the ledger's statements on each.
  if (maker !== SQLITE) return;

  it('reports it at the row, shows those that came, and sends no order for it', async () => {
    const { end, sent } = await run();
    expect(orders(sent)).toEqual([['SO-2', ['8600000001']]]);
    expect(end).toMatchObject({ exitCode: 6, counts: { unknown: 1, succeeded: 1 } });
    const [row] = await readSheet(end.output!);
    expect(row).toMatchObject({ status: 'unknown', step: 'numbers', 'order.status': 'not_sent' });
    expect(row!['numbers.message']).toContain('2 asset numbers were requested, 1 were returned');
    expect(row!['numbers.message']).toContain('are in the sheet Records');
    const csv = path.join(fixture.folder, 'again.csv');
    await exportResult(fixture.parts(), (await fixture.ledger.runs.get(end.run))!, csv);
    const text = await readFile(csv, 'utf8');
    expect(text).toContain(
      `license-sync runs export ${end.run} --output FILE.xlsx lists the returned numbers`,
    );
    expect(text).not.toContain('sheet Records');
    expect((await readLines(end.output!, 'Records')).map((it) => it.at(-1))).toContain('8600000900');
    const again = await run();
    expect(again.sent).toEqual([]);
    expect(again.end.exitCode).toBe(6);
  });

  it('is asked again for all of them once a person says that nothing was allocated', async () => {
    await settle((await run()).end.run, 'failed');
    isShort = false;
    const again = await run();
    expect(orders(again.sent)).toEqual([['SO-1', ['8600000002', '8600000003']]]);
  });
});
