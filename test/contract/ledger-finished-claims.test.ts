import { describe, expect, test } from 'vitest';
import type { ResolvedTo } from '../../src/ledger/contract/resolutions.js';
import type { RunLock } from '../../src/ledger/contract/run-lock.js';
import { takeLock } from '../../src/ledger/take-lock.js';
import {
  carry,
  closeBatch,
  collect,
  openBatch,
  order,
  planRun,
  SUCCEEDED,
  statuses,
} from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

const KEYED = order(2, { key: 'K', content: 'same' });
const OTHER = order(9, { key: 'Z' });

/** Scopes of the run that is resolved, and of the one that has claimed its key in the meantime. */
const SCOPES = [
  ['c', 'c'],
  ['c', 'c host:1'],
  ['c host:1', 'c'],
] as const;

describeLedger('what is resolved while another run has its key claimed', (here) => {
  const at = (scope: string) => ({ connection: 'c', scope });

  const settle = (status: ResolvedTo, corrects = false) =>
    here.ledger.resolutions.record('one', [
      { item: 1, at: 5, who: 'me@desk', how: 'operator', corrects, outcome: { status } },
    ]);

  const heldBy = async (run: string) =>
    (await collect(here.ledger.plan.heldKeys(run))).map((it) => `${it.holder.run} ${it.holder.status}`);

  /** The first run's item is resolved as failed; the second, at work, has claimed its key for its second batch. */
  async function claimedAhead(one: string, two: string): Promise<RunLock> {
    await planRun(here.ledger, 'one', [KEYED], at(one));
    await carry(here.ledger, 'one', 1, { 1: { status: 'unknown' } });
    await settle('failed');
    const lock = await takeLock(here.ledger, 'two', 'c', 'two');
    await planRun(here.ledger, 'two', [OTHER, KEYED], { job: 'two', ...at(two) });
    await openBatch(here.ledger, 'two', 1);
    return lock;
  }

  const HELD = [{ item: 2, holder: { run: 'one', row: 2, status: 'succeeded' } }];

  describe.each(SCOPES)('scopes %s and %s', (one, two) => {
    test('is not sent by the other one, whose process lives', async () => {
      const lock = await claimedAhead(one, two);
      await settle('succeeded', true);
      expect((await openBatch(here.ledger, 'two', 2)).withheld).toMatchObject(HELD);
      expect(await statuses(here.ledger, 'two')).toBe('2 skipped, 9 unknown');
      await lock.release();
    });

    test('is not sent by the other one, which was killed and is resumed', async () => {
      await (await claimedAhead(one, two)).release();
      await here.reopen();
      await settle('succeeded', true);
      await here.ledger.execution.recover('two', false, { status: 'unknown' });
      expect((await openBatch(here.ledger, 'two', 2)).withheld).toMatchObject(HELD);
    });

    test('keeps its key when the other one is stopped before it sends it', async () => {
      const lock = await claimedAhead(one, two);
      await settle('succeeded', true);
      await here.ledger.execution.release('two');
      await lock.release();
      await planRun(here.ledger, 'three', [KEYED], { job: 'three', ...at(one) });
      expect(await heldBy('three')).toEqual(['one succeeded']);
      expect((await openBatch(here.ledger, 'three', 1)).withheld).toHaveLength(1);
    });

    test('leaves the other one what else it has claimed', async () => {
      const lock = await takeLock(here.ledger, 'two', 'c', 'two');
      await planRun(here.ledger, 'one', [KEYED], at(one));
      await carry(here.ledger, 'one', 1, { 1: { status: 'unknown' } });
      await settle('failed');
      await planRun(here.ledger, 'two', [OTHER, KEYED, order(3, { key: 'L' })], { job: 'two', ...at(two) });
      await openBatch(here.ledger, 'two', 1);
      await settle('unknown', true);
      expect((await openBatch(here.ledger, 'two', 2)).withheld).toMatchObject([
        { holder: { status: 'unknown' } },
      ]);
      expect(await openBatch(here.ledger, 'two', 3)).toEqual({ withheld: [] });
      await lock.release();
    });
  });

  test.each(['succeeded', 'unknown'] as const)(
    'as %s while the other one is sending it, has its key when nothing comes of that',
    async (status) => {
      await claimedAhead('c', 'c');
      await openBatch(here.ledger, 'two', 2);
      await settle(status, true);
      await planRun(here.ledger, 'three', [KEYED], { job: 'three', ...at('c') });
      expect(await heldBy('three')).toEqual(['two unknown']);
      await closeBatch(here.ledger, 'two', 2, { 2: { status: 'rejected' } });
      expect(await heldBy('three')).toEqual([`one ${status}`]);
      expect((await openBatch(here.ledger, 'three', 1)).withheld).toHaveLength(1);
    },
  );

  test('and resolved as failed leaves the key to the other one, which sent it', async () => {
    await claimedAhead('c', 'c');
    await openBatch(here.ledger, 'two', 2);
    await settle('succeeded', true);
    await closeBatch(here.ledger, 'two', 2, { 2: SUCCEEDED });
    await settle('failed', true);
    await planRun(here.ledger, 'three', [KEYED], { job: 'three', ...at('c') });
    expect(await heldBy('three')).toEqual(['two succeeded']);
  });
});

describeLedger('keys claimed ahead', (here) => {
  test('are resumed from where the claim ends: no batch between passes unclaimed', async () => {
    const items = Array.from({ length: 2600 }, (_, index) => order(index + 2, { key: `k${index + 1}` }));
    await planRun(here.ledger, 'one', items);
    await planRun(here.ledger, 'two', [order(2, { key: 'k2050' })], { job: 'two' });
    await openBatch(here.ledger, 'one', 1);
    await openBatch(here.ledger, 'one', 2100);
    expect(await openBatch(here.ledger, 'two', 1)).toEqual({ withheld: [] });
    expect((await openBatch(here.ledger, 'one', 2050)).withheld).toMatchObject([{ holder: { run: 'two' } }]);
  });

  test('go with their run when it is pruned: nothing ever came of them', async () => {
    await planRun(here.ledger, 'one', [order(2, { key: 'K' }), order(3, { key: 'L' })]);
    await here.ledger.runs.patch('one', { state: 'executing' });
    await carry(here.ledger, 'one', 1, { 1: SUCCEEDED });
    await here.reopen();
    await here.ledger.runs.patch('one', { state: 'stopped', endedAt: 9 });
    await here.ledger.runs.patch('one', { state: 'invalid', endedAt: 9 });
    expect(await here.ledger.runs.prune(1e14)).toBe(1);
    await planRun(here.ledger, 'two', [order(2, { key: 'K' }), order(3, { key: 'L' })], { job: 'two' });
    expect(
      (await collect(here.ledger.plan.heldKeys('two'))).map((it) => [it.item, it.holder.status]),
    ).toEqual([[1, 'succeeded']]);
    expect(await openBatch(here.ledger, 'two', 2)).toEqual({ withheld: [] });
  });

  test('of two runs over the same keys each sends what it comes to first, and none sends what the other did', async () => {
    const items = Array.from({ length: 60 }, (_, index) => order(index + 2, { key: `k${index + 1}` }));
    const locks = [
      await takeLock(here.ledger, 'one', 'sandbox', 'one'),
      await takeLock(here.ledger, 'two', 'sandbox', 'two'),
    ];
    await planRun(here.ledger, 'one', items, { job: 'one' });
    await planRun(here.ledger, 'two', items, { job: 'two' });
    const other = await here.another();
    const sent: string[] = [];
    const send = async (ledger: typeof other, run: string, batch: number): Promise<void> => {
      if ((await openBatch(ledger, run, batch)).withheld.length === 0) sent.push(`${run} ${batch}`);
    };
    for (let batch = 1; batch <= 30; batch += 1) {
      await send(here.ledger, 'one', batch);
      await send(other, 'two', 61 - batch);
    }
    for (let batch = 31; batch <= 60; batch += 1) {
      await send(here.ledger, 'one', batch);
      await send(other, 'two', 61 - batch);
    }
    expect(new Set(sent.map((it) => it.split(' ')[1])).size).toBe(60);
    expect(sent).toHaveLength(60);
    expect(sent.filter((it) => it.startsWith('one'))).toHaveLength(30);
    for (const it of locks) await it.release();
  });
});
