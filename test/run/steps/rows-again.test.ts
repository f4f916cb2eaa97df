import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEnd } from '../../../src/run/run-end.js';
import { type Answer, FakePlatform, type Seen } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { OnboardingPlatform, onboarding, onboardingRows, stepOf } from '../../support/onboarding.js';

let fixture: Fixture;
let platform: FakePlatform;
let done: OnboardingPlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  done = new OnboardingPlatform();
  platform = await new FakePlatform((seen) => done.answer(seen)).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const REJECTED: Answer = { body: { code: '13004', message: 'no', cause: 'why' } };

/** Runs these rows; the orders named are refused. Gives the end, and what was sent. */
async function run(rows: readonly string[], refused: readonly string[] = [], file = onboarding()) {
  platform.answer = (seen: Seen) => {
    const it = stepOf(seen);
    return it.step === 'order' && refused.includes(it.of) ? REJECTED : done.answer(seen);
  };
  await fixture.file('rows.csv', onboardingRows(rows));
  const from = platform.seen.length;
  const job = await fixture.file('job.yaml', file);
  const end: RunEnd = await fixture.run(job, { connection: platform.connection() });
  return { end, sent: platform.seen.slice(from) };
}

const steps = (sent: readonly Seen[]) => sent.map((it) => stepOf(it).step);

/** The lock numbers of each order that was sent. */
function numbers(sent: readonly Seen[]): Record<string, readonly string[]> {
  const found: Record<string, readonly string[]> = {};
  for (const it of sent.filter((one) => stepOf(one).step === 'order')) {
    const [order] = it.body.orderList as { assets: { assetNos: string[] }[] }[];
    found[stepOf(it).of] = order!.assets.flatMap((asset) => asset.assetNos);
  }
  return found;
}

describe('a row that comes again', () => {
  it('corrected where only a later step looks, keeps what it got from the steps before', async () => {
    const first = await run(['SO-1,C1,,2,5', 'SO-2,C2,,1,5'], ['SO-2']);
    expect(first.end.counts).toEqual({ succeeded: 1, rejected: 1 });
    const again = await run(['SO-1,C1,,2,5', 'SO-2,C2,,1,6']);
    expect(steps(again.sent)).toEqual(['order']);
    expect(numbers(again.sent)).toEqual({ 'SO-2': numbers(first.sent)['SO-2'] });
    expect(again.end.counts).toEqual({ succeeded: 1, skipped: 1 });
  });

  it('never takes what another one got, though its own and the earlier cells are the same', async () => {
    const first = await run(['SO-1,C1,,1,5', 'SO-2,C1,,1,5', 'SO-3,C1,,1,5'], ['SO-2', 'SO-3']);
    const again = await run(['SO-3,C1,,1,7']);
    expect(steps(again.sent)).toEqual(['order']);
    expect(numbers(again.sent)).toEqual({ 'SO-3': numbers(first.sent)['SO-3'] });
    const rest = await run(['SO-2,C1,,1,8', 'SO-1,C1,,1,5']);
    expect(numbers(rest.sent)).toEqual({ 'SO-2': numbers(first.sent)['SO-2'] });
  });

  it('corrected where the step itself looks, is another row to it', async () => {
    const first = await run(['SO-1,C1,,1,5'], ['SO-1']);
    const again = await run(['SO-1,C1,,2,5']);
    expect(steps(again.sent)).toEqual(['numbers', 'order']);
    expect(numbers(again.sent)['SO-1']).toHaveLength(2);
    expect(numbers(again.sent)['SO-1']).not.toContain(numbers(first.sent)['SO-1']![0]);
  });

  it('whose order succeeded is refused before anything is allocated for it again', async () => {
    await run(['SO-1,C1,,1,5']);
    const again = await run(['SO-1,C1,,2,5']);
    expect(again.sent).toEqual([]);
    expect(again.end).toMatchObject({ exitCode: 3, counts: { invalid: 1 } });
  });

  it('gets nothing a second time where a step was renamed, though nothing but its content names its order', async () => {
    const unnumbered = onboarding().replace('      channelOrderId: Order\n', '');
    const rows = ['SO-1,C1,,1,5', 'SO-2,C2,,1,5'];
    const first = await run(rows, [], unnumbered);
    expect(first.end.counts).toEqual({ succeeded: 2 });
    const renamed = unnumbered.replace('name: numbers', 'name: locks').replaceAll('numbers.', 'locks.');
    const again = await run(rows, [], renamed);
    expect(again.sent).toEqual([]);
    expect(again.end.counts).toEqual({ skipped: 2 });
  });

  it('is apart in each of two steps of one operation', async () => {
    const more = '  - name: spare\n    operation: asset.numbers\n    map: { size: Locks }\n  - name: order\n';
    const twice = onboarding().replace('  - name: order\n', more);
    const { end, sent } = await run(['SO-1,C1,,1,5'], [], twice);
    expect(steps(sent)).toEqual(['customer', 'numbers', 'numbers', 'order']);
    expect(end.counts).toEqual({ succeeded: 1 });
  });

  it('nor an order that an earlier run left accepted', async () => {
    const note =
      '  - name: note\n    operation: enterprise.update\n    map: { crmCustomerId: Customer, customerName: Customer, branchName: Customer }\n';
    const file = onboarding({ extra: note }).replace('value: sync', 'value: async');
    const first = await run(['SO-1,C1,,1,5'], [], file);
    expect(first.end.counts).toEqual({ not_sent: 1 });
    const again = await run(['SO-1,C1,,1,5'], [], file);
    expect(again.sent).toEqual([]);
    expect(again.end.counts).toEqual({ not_sent: 1 });
  });

  it('and is twice in its sheet, succeeded in both places', async () => {
    const rows = ['SO-1,C1,,2,5', 'SO-1,C1,,2,5', 'SO-2,C2,,1,5'];
    const first = await run(rows);
    expect(numbers(first.sent)).toEqual({ 'SO-1': ['8600000001', '8600000002'], 'SO-2': ['8600000003'] });
    const again = await run(rows);
    expect(again.sent).toEqual([]);
    expect(again.end).toMatchObject({ exitCode: 0, counts: { skipped: 3 } });
  });

  it('under another order, is another row', async () => {
    const first = await run(['SO-1,C1,,1,5'], ['SO-1']);
    const again = await run(['SO-9,C1,,1,5']);
    expect(steps(again.sent)).toEqual(['numbers', 'order']);
    expect(numbers(again.sent)['SO-9']).not.toEqual(numbers(first.sent)['SO-1']);
  });

  it('is one row where it stands twice in a sheet, and its order has one lot of numbers', async () => {
    const { end, sent } = await run(['SO-1,C1,,2,5', 'SO-2,C1,,1,5', 'SO-1,C1,,2,5']);
    expect(end.counts).toEqual({ succeeded: 3 });
    expect(steps(sent)).toEqual(['customer', 'numbers', 'numbers', 'order', 'order']);
    expect(numbers(sent)['SO-1']).toHaveLength(2);
    expect(end.warnings?.map(({ code }) => code)).toContain('mapping.rows_agree');
    const again = await run(['SO-2,C1,,1,5', 'SO-1,C1,,2,5']);
    expect(again.sent).toEqual([]);
  });

  it('has numbers of its own next to a line of the same order that differs in what is ordered', async () => {
    const { sent } = await run(['SO-1,C1,,1,5', 'SO-1,C1,,1,6', 'SO-1,C1,,1,6']);
    expect(new Set(numbers(sent)['SO-1']).size).toBe(2);
    expect(steps(sent)).toEqual(['customer', 'numbers', 'numbers', 'order']);
  });

  it('that names a different customer is shown which cells have to agree', async () => {
    const job = onboarding().replace('customerName: Customer', 'customerName: Nodes');
    await fixture.file('rows.csv', onboardingRows(['SO-1,C1,,1,5', 'SO-2,C1,,1,6', 'SO-3,C2,,1,5']));
    const end = await fixture.run(await fixture.file('job.yaml', job), { connection: platform.connection() });
    expect(end).toMatchObject({ exitCode: 3, counts: { invalid: 2, not_sent: 1 } });
    const row = await fixture.ledger.report.row(`${end.run}-1`, 2);
    expect(row?.result.faults[0]?.message).toMatchObject({
      code: 'run.contradiction',
      params: { value: 'C1', rows: '3 (B3)', differs: 'customerName (E2, E3)' },
    });
  });

  it('under another name of the job, is given nothing again where its order succeeded', async () => {
    const renamed = onboarding().replace('name: onboard', 'name: newcomers');
    await run(['SO-1,C1,,1,5', 'SO-2,C2,,1,5']);
    const again = await run(['SO-1,C1,,1,5', 'SO-2,C2,,1,5'], [], renamed);
    expect(again.sent).toEqual([]);
    expect(again.end).toMatchObject({ exitCode: 3, counts: { invalid: 2 } });
    const skipping = `${renamed}run: { onInvalid: skip }\n`;
    const mixed = await run(['SO-1,C1,,1,5', 'SO-3,C3,,1,5'], [], skipping);
    expect(steps(mixed.sent)).toEqual(['customer', 'numbers', 'order']);
    expect(Object.keys(numbers(mixed.sent))).toEqual(['SO-3']);
    expect(mixed.end.counts).toEqual({ invalid: 1, succeeded: 1 });
  });

  it('under another name of the job, without an order number of its own, is not ordered twice', async () => {
    const unnamed = onboarding().replace('      channelOrderId: Order\n', '');
    await run(['SO-1,C1,,1,5', 'SO-2,C2,,1,5'], [], unnamed);
    const renamed = unnamed.replace('name: onboard', 'name: newcomers');
    const again = await run(['SO-1,C1,,1,5', 'SO-2,C2,,1,5'], [], renamed);
    expect(again.sent).toEqual([]);
    expect(again.end).toMatchObject({ exitCode: 3, counts: { invalid: 2 } });
  });

  it('in another job that asks for something else, gets numbers of its own', async () => {
    const unnamed = onboarding().replace('      channelOrderId: Order\n', '');
    const first = await run(['SO-1,C1,,1,5'], [], unnamed);
    const other = unnamed.replace('name: onboard', 'name: second').replaceAll('value: P1', 'value: P2');
    const again = await run(['SO-1,C1,,1,5'], [], other);
    expect(steps(again.sent)).toEqual(['numbers', 'order']);
    expect(again.end.counts).toEqual({ succeeded: 1 });
    expect(Object.values(numbers(again.sent))).not.toEqual(Object.values(numbers(first.sent)));
  });

  it('under another name, goes again where duplicates are to be sent', async () => {
    const unnamed = onboarding().replace('      channelOrderId: Order\n', '');
    await run(['SO-1,C1,ID-C1,1,5'], [], unnamed);
    const twice = `${unnamed.replace('name: onboard', 'name: newcomers')}safety: { duplicates: send }\n`;
    expect(steps((await run(['SO-1,C1,ID-C1,1,5'], [], twice)).sent)).toEqual(['numbers', 'order']);
  });
});
