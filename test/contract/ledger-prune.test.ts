import { expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import {
  allRows,
  carry,
  closeBatch,
  collect,
  openBatch,
  order,
  planRun,
  SUCCEEDED,
} from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

describeLedger('prune', (here) => {
  async function endedRun(
    id: string,
    endedAt: number,
    middle: 'accepted' | 'unknown' = 'accepted',
  ): Promise<void> {
    const items = [order(2, { key: `${id}-a` }), order(3, { key: `${id}-b` }), order(4, { key: `${id}-c` })];
    await planRun(here.ledger, id, items);
    await here.ledger.plan.addWarnings(id, [message('ledger.bad_address')]);
    await carry(here.ledger, id, 1, { 1: { ...SUCCEEDED, records: [{ a: 1 }] } });
    await carry(here.ledger, id, 2, { 2: { status: middle } });
    await carry(here.ledger, id, 3, { 3: { status: 'rejected' } });
    await here.ledger.runs.patch(id, { state: 'completed', endedAt, exitCode: 6 });
  }

  test('rows, requests and replies of runs that ended before no longer exist; the list still shows them', async () => {
    await endedRun('old', 1000);
    await endedRun('young', 3000);
    expect(await here.ledger.runs.prune(2000)).toBe(1);
    expect(await here.ledger.runs.prune(2000)).toBe(0);
    expect(await allRows(here.ledger, 'old')).toEqual([]);
    expect(await here.ledger.plan.warnings('old')).toEqual([]);
    expect(await collect(here.ledger.report.records('old'))).toEqual([]);
    expect(await here.ledger.report.row('old', 2)).toBeUndefined();
    expect(await here.ledger.runs.counts('old')).toEqual({ succeeded: 1, accepted: 1, rejected: 1 });
    expect(await here.ledger.runs.get('old')).toMatchObject({
      state: 'completed',
      requests: 3,
      rows: 3,
      settings: {},
      prunedAt: expect.any(Number),
    });
    expect((await here.ledger.runs.list(9)).map((it) => it.id)).toEqual(['young', 'old']);
    expect(await allRows(here.ledger, 'young')).toHaveLength(3);
    expect(await here.ledger.runs.get('young')).not.toHaveProperty('prunedAt');
  });

  test('a run with rows that are unknown is left as it is until they are resolved', async () => {
    await endedRun('old', 1000, 'unknown');
    expect(await here.ledger.runs.prune(2000)).toBe(0);
    expect(await allRows(here.ledger, 'old')).toHaveLength(3);
    const outcome = { status: 'failed' } as const;
    const settlement = { item: 2, outcome, at: 5, who: 'wang', how: 'operator' } as const;
    expect(await here.ledger.resolutions.record('old', [settlement])).toEqual([2]);
    expect(await here.ledger.runs.prune(2000)).toBe(1);
    expect(await allRows(here.ledger, 'old')).toEqual([]);
  });

  test.each(['stopped', 'interrupted', 'executed'] as const)(
    'a run that can be resumed is kept, with all that are bound to it: %s',
    async (state) => {
      await endedRun('parent', 1000);
      await endedRun('sister', 1000);
      await endedRun('stranger', 1000);
      await planRun(here.ledger, 'again', [order(2)], { parent: 'parent' });
      await planRun(here.ledger, 'other', [order(2)], { parent: 'parent' });
      for (const [id, it] of [
        ['again', state],
        ['other', 'completed'],
      ] as const)
        await here.ledger.runs.patch(id, { state: it, endedAt: 1000, exitCode: 4 });
      expect(await here.ledger.runs.prune(2000)).toBe(2);
      for (const id of ['parent', 'again', 'other'])
        expect(await here.ledger.runs.get(id)).not.toHaveProperty('prunedAt');
      await here.ledger.runs.patch('again', { state: 'completed', endedAt: 1000, exitCode: 0 });
      expect(await here.ledger.runs.prune(2000)).toBe(3);
    },
  );

  test('a run that continues is not pruned', async () => {
    await planRun(here.ledger, 'r1', [order(2)]);
    expect(await here.ledger.runs.prune(Number.MAX_SAFE_INTEGER)).toBe(0);
    expect(await allRows(here.ledger, 'r1')).toHaveLength(1);
  });

  test('repeats of a pruned run are still found, with what is needed to judge them', async () => {
    await endedRun('old', 1000);
    await here.ledger.runs.prune(2000);
    await here.reopen();
    const items = ['old-a', 'old-b', 'old-c'].map((key, index) => order(index + 2, { key }));
    await planRun(here.ledger, 'new', items);
    expect((await collect(here.ledger.plan.heldKeys('new'))).map((it) => it.holder)).toEqual([
      { run: 'old', row: 2, status: 'succeeded', content: 'content-2', got: { licenseOrderId: 'LO-1' } },
      { run: 'old', row: 3, status: 'accepted', content: 'content-3', got: {} },
    ]);
    const { withheld } = await openBatch(here.ledger, 'new', 1);
    expect(withheld).toMatchObject([{ item: 1, holder: { run: 'old', row: 2 } }]);
  });

  test('a holder pruned while another had taken its key over comes back with all that is known', async () => {
    await endedRun('old', 1000);
    await planRun(here.ledger, 'again', [order(9, { key: 'old-a' })]);
    await openBatch(here.ledger, 'again', 1, 1, false);
    await here.ledger.runs.prune(2000);
    await closeBatch(here.ledger, 'again', 1, { 1: { status: 'rejected' } });
    await planRun(here.ledger, 'new', [order(2, { key: 'old-a' })]);
    expect((await collect(here.ledger.plan.heldKeys('new'))).map((it) => it.holder)).toEqual([
      { run: 'old', row: 2, status: 'succeeded', content: 'content-2', got: { licenseOrderId: 'LO-1' } },
    ]);
  });
});
