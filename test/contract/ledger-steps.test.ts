import { expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { closeBatch, collect, columnsOf, openBatch, order, runStart } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

const NOT_HERE = message('ledger.bad_address');

/** A run of two steps over rows 2 to 5; row 5 was skipped by the first, and row 4 is no longer sent in the second. */
async function twoSteps(ledger: Ledger): Promise<void> {
  await ledger.runs.create(runStart('whole', { operation: 'steps' }));
  await ledger.runs.create(runStart('one', { parent: 'whole', step: 1 }));
  await ledger.runs.create(runStart('two', { parent: 'whole', step: 2 }));
  await ledger.plan.addItems('one', columnsOf([order(2), order(3, { rows: [3, 4] })]));
  await ledger.plan.addVerdicts('one', [{ row: 5, status: 'skipped' }]);
  await ledger.plan.formBatches('one', 1);
  await ledger.plan.finish('one', 4);
  await ledger.plan.addItems('two', columnsOf([order(2), order(3), order(5)]));
  await ledger.plan.addVerdicts('two', [{ row: 4, status: 'not_sent', message: NOT_HERE }]);
  await ledger.plan.finish('two', 4, 'given');
}

describeLedger('runs of several steps', (here) => {
  test('step runs belong to their parent: neither listed nor summed by themselves', async () => {
    const { ledger } = here;
    await twoSteps(ledger);
    expect((await ledger.runs.list(9)).map((it) => it.id)).toEqual(['whole']);
    expect((await ledger.runs.last())?.id).toBe('whole');
    expect((await ledger.runs.last(['run']))?.id).toBe('whole');
    const { job, connection, scope } = runStart('whole');
    expect((await ledger.runs.listOf({ job, connection, scope })).map((it) => it.id)).toEqual(['whole']);
    expect((await ledger.runs.lastOf({ job, connection, scope, unended: true }))?.id).toBe('whole');
    for (const id of ['whole', 'one'])
      await ledger.runs.patch(id, { state: 'completed', endedAt: 9, exitCode: 0 });
    expect((await ledger.runs.totals()).map((it) => it.last.id)).toEqual(['whole']);
    expect((await ledger.runs.children('whole')).map(({ id, step }) => [id, step])).toEqual([
      ['one', 1],
      ['two', 2],
    ]);
  });

  test('its versions are the newest runs of each, those of the own job first, and pruned ones too', async () => {
    const { ledger } = here;
    const versions = [
      ['v1', 'onboard', 'one', 'here'],
      ['v2', 'onboard', 'two', 'here'],
      ['v3', 'newcomers', 'three', 'here'],
      ['v4', 'onboard', 'two', 'here'],
      ['v5', 'onboard', 'four', 'elsewhere'],
    ] as const;
    for (const [id, job, jobSha256, connection] of versions) {
      const of = { job, jobSha256, connection, scope: `${connection} https://${connection}.example.com` };
      await ledger.runs.create(runStart(id, { ...of, operation: 'steps' }));
      await ledger.runs.create(runStart(`${id}-1`, { ...of, parent: id, step: 1 }));
    }
    expect(await ledger.runs.versionsOfSteps('v4-1', 9)).toEqual(['v4', 'v1', 'v3']);
    expect(await ledger.runs.versionsOfSteps('v3-1', 9)).toEqual(['v3', 'v4', 'v1']);
    expect(await ledger.runs.versionsOfSteps('v3-1', 1)).toEqual(['v3']);
    for (const id of ['v1', 'v1-1'])
      await ledger.runs.patch(id, { state: 'completed', endedAt: 9, exitCode: 0 });
    expect(await ledger.runs.prune(10)).toBe(1);
    expect(await ledger.runs.versionsOfSteps('v4-1', 9)).toEqual(['v4', 'v1', 'v3']);
  });

  test('a row counts once over all steps, by the worst of them that had it', async () => {
    const { ledger } = here;
    await twoSteps(ledger);
    expect(await ledger.runs.counts('whole')).toEqual({ not_sent: 4 });
    await openBatch(ledger, 'one', 1);
    await closeBatch(ledger, 'one', 1, { 1: { status: 'rejected' } });
    await openBatch(ledger, 'one', 2);
    await closeBatch(ledger, 'one', 2, { 2: { status: 'succeeded' } });
    expect(await ledger.runs.counts('whole')).toEqual({ rejected: 1, not_sent: 3 });
    await ledger.plan.clear('two');
    await ledger.plan.addVerdicts('two', [
      { row: 2, status: 'not_sent' },
      { row: 3, status: 'skipped' },
      { row: 4, status: 'skipped' },
      { row: 5, status: 'skipped' },
    ]);
    expect(await ledger.runs.counts('whole')).toEqual({ rejected: 1, succeeded: 2, skipped: 1 });
  });

  test('what was planned with given values stays in planning, has no batches, and can only be planned again', async () => {
    const { ledger } = here;
    await twoSteps(ledger);
    expect(await ledger.runs.get('two')).toMatchObject({ state: 'planning', rows: 4, items: 3 });
    expect(await ledger.execution.pending('two', 0, 9)).toEqual([]);
    await expect(ledger.runs.patch('two', { state: 'executing' })).rejects.toThrow();
    await expect(openBatch(ledger, 'two', 1)).rejects.toThrow();
    await ledger.plan.clear('two');
    await ledger.runs.patch('two', { settings: { now: 'real' } });
    await ledger.plan.finish('two', 0);
    expect(await ledger.runs.get('two')).toMatchObject({ state: 'planned', settings: { now: 'real' } });
  });

  test('every row of an item is reported with its records, also where an earlier run got them', async () => {
    const { ledger } = here;
    await twoSteps(ledger);
    await ledger.plan.addVerdicts('one', [
      {
        row: 6,
        status: 'skipped',
        got: { licenseOrderId: 'L6', records: [{ n: '6' }], columns: { customerId: 'C6' } },
      },
    ]);
    await openBatch(ledger, 'one', 1);
    await closeBatch(ledger, 'one', 1, { 1: { status: 'succeeded', columns: { customerId: 'C2' } } });
    await openBatch(ledger, 'one', 2);
    const records = [{ assetNumber: 'A' }, { assetNumber: 'B' }];
    await closeBatch(ledger, 'one', 2, { 2: { status: 'succeeded', records } });
    const gains = (await collect(ledger.report.gains('one'))).flat();
    expect(
      gains.map((it) => [it.row, it.status, it.columns.customerId, it.records, it.licenseOrderId]),
    ).toEqual([
      [2, 'succeeded', 'C2', [], undefined],
      [3, 'succeeded', undefined, records, undefined],
      [4, 'succeeded', undefined, records, undefined],
      [5, 'skipped', undefined, [], undefined],
      [6, 'skipped', 'C6', [{ n: '6' }], 'L6'],
    ]);
  });
});
