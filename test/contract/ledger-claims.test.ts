import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import type { RunLock } from '../../src/ledger/contract/run-lock.js';
import { takeLock } from '../../src/ledger/take-lock.js';
import type { ItemOutcome } from '../../src/model/item.js';
import {
  allPending,
  allRows,
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

const KEYED = order(7, { key: 'K', content: 'same' });

async function heldBy(ledger: Ledger, run: string): Promise<string[]> {
  return (await collect(ledger.plan.heldKeys(run))).map(
    (it) => `${it.item}: ${it.holder.run} ${it.holder.row} ${it.holder.status}`,
  );
}

describeLedger('keys', (here) => {
  /** A run `first` that has processed its one item to an end. */
  async function first(outcome: ItemOutcome): Promise<void> {
    await planRun(here.ledger, 'first', [KEYED]);
    await carry(here.ledger, 'first', 1, { 1: outcome });
  }

  async function second(): Promise<void> {
    await planRun(here.ledger, 'second', [order(2), order(3, { key: 'K', content: 'new' })]);
  }

  test.each(['succeeded', 'accepted', 'unknown'] as const)(
    'an item that ended %s holds its key',
    async (status) => {
      await first({ status, licenseOrderId: 'LO-9' });
      await second();
      expect(await collect(here.ledger.plan.heldKeys('second'))).toEqual([
        {
          item: 2,
          rows: [3],
          content: 'new',
          holder: { run: 'first', row: 7, status, content: 'same', got: { licenseOrderId: 'LO-9' } },
        },
      ]);
    },
  );

  test('which of some keys are held is reported for all that holds in the scope, its own and what was pruned', async () => {
    await first(SUCCEEDED);
    await planRun(here.ledger, 'refused', [order(7, { key: 'L' })]);
    await carry(here.ledger, 'refused', 1, { 1: { status: 'rejected' } });
    await second();
    const held = async () => [...(await here.ledger.plan.whichHeld('second', ['K', 'L', 'M']))];
    expect(await held()).toEqual(['K']);
    expect(await here.ledger.plan.whichHeld('second', [])).toEqual(new Set());
    await carry(here.ledger, 'second', 1, { 1: SUCCEEDED });
    await here.ledger.runs.patch('first', { state: 'completed', endedAt: 9, exitCode: 0 });
    await here.ledger.runs.prune(10);
    expect(await held()).toEqual(['K']);
  });

  test.each(['rejected', 'failed'] as const)('an item that ended %s lets go of its key', async (status) => {
    await first({ status });
    await second();
    expect(await heldBy(here.ledger, 'second')).toEqual([]);
    expect(await openBatch(here.ledger, 'second', 2)).toEqual({ withheld: [] });
  });

  test('keys of another scope, and of the run itself, hold nothing', async () => {
    await first(SUCCEEDED);
    await planRun(here.ledger, 'elsewhere', [KEYED], { connection: 'production', scope: 'production' });
    expect(await heldBy(here.ledger, 'elsewhere')).toEqual([]);
    expect(await openBatch(here.ledger, 'elsewhere', 1)).toEqual({ withheld: [] });
    expect(await heldBy(here.ledger, 'first')).toEqual([]);
  });

  describe('of connections that bear one name', () => {
    const at = (host: string) => ({ connection: 'p', scope: host === '' ? 'p' : `p ${host}` });
    const plan = (id: string, host: string) => planRun(here.ledger, id, [KEYED], at(host));
    const send = async (id: string, host: string, outcome: ItemOutcome): Promise<void> => {
      await plan(id, host);
      await carry(here.ledger, id, 1, { 1: outcome });
    };

    test('another host blocks nothing', async () => {
      await send('a', 'a.example', SUCCEEDED);
      await plan('b', 'b.example');
      expect(await heldBy(here.ledger, 'b')).toEqual([]);
      expect(await openBatch(here.ledger, 'b', 1)).toEqual({ withheld: [] });
      await plan('again', 'a.example');
      expect(await heldBy(here.ledger, 'again')).toEqual(['1: a 7 succeeded']);
    });

    test.each(['succeeded', 'unknown'] as const)(
      'one whose host is not known withholds: %s',
      async (status) => {
        await plan('b', 'b.example');
        await send('old', '', { status });
        expect(await heldBy(here.ledger, 'b')).toEqual([`1: old 7 ${status}`]);
        expect((await openBatch(here.ledger, 'b', 1)).withheld).toMatchObject([{ holder: { run: 'old' } }]);
      },
    );

    test('a run whose host is not known is withheld by those of every host', async () => {
      await plan('old', '');
      await send('b', 'b.example', SUCCEEDED);
      expect(await heldBy(here.ledger, 'old')).toEqual(['1: b 7 succeeded']);
      expect((await openBatch(here.ledger, 'old', 1)).withheld).toHaveLength(1);
    });

    test('what failed under an unknown host holds nothing, and a wanted repeat counts from then on', async () => {
      await send('old', '', { status: 'failed' });
      await plan('b', 'b.example');
      expect(await heldBy(here.ledger, 'b')).toEqual([]);
      await send('older', '', SUCCEEDED);
      expect(await openBatch(here.ledger, 'b', 1, 1, false)).toEqual({ withheld: [] });
      await closeBatch(here.ledger, 'b', 1, { 1: { status: 'unknown' } });
      await plan('c', 'b.example');
      expect(await heldBy(here.ledger, 'c')).toEqual(['1: b 7 unknown']);
    });

    test('a name that begins with another one is not of its kind', async () => {
      await planRun(here.ledger, 'old', [KEYED], { connection: 'p2', scope: 'p2' });
      await carry(here.ledger, 'old', 1, { 1: SUCCEEDED });
      await plan('b', 'b.example');
      expect(await heldBy(here.ledger, 'b')).toEqual([]);
    });
  });

  test('an item that another run is sending counts as unknown there', async () => {
    await planRun(here.ledger, 'first', [KEYED]);
    await second();
    await openBatch(here.ledger, 'first', 1);
    expect(await heldBy(here.ledger, 'second')).toEqual(['2: first 7 unknown']);
  });

  test('an item that succeeded since the plan is withheld in the commit of the intent', async () => {
    await second();
    await first(SUCCEEDED);
    expect(await openBatch(here.ledger, 'second', 2)).toEqual({
      withheld: [
        {
          item: 2,
          holder: {
            run: 'first',
            row: 7,
            status: 'succeeded',
            content: 'same',
            got: { licenseOrderId: 'LO-1' },
          },
        },
      ],
    });
    expect((await allRows(here.ledger, 'second'))[1]).toMatchObject({
      row: 3,
      status: 'skipped',
      attempts: 0,
      messages: [{ text: { code: 'ledger.held_changed', params: { run: 'first', row: 7 } } }],
    });
    expect((await allPending(here.ledger, 'second')).map((it) => it.batch)).toEqual([1]);
    expect((await here.ledger.runs.get('second'))?.requests).toBe(0);
  });

  test('the message says whether the other run succeeded with it or left it unknown', async () => {
    await planRun(here.ledger, 'second', [order(3, { key: 'K', content: 'same' }), order(4, { key: 'U' })]);
    await planRun(here.ledger, 'first', [KEYED, order(8, { key: 'U' })]);
    await carry(here.ledger, 'first', 1, { 1: SUCCEEDED });
    await openBatch(here.ledger, 'first', 2);
    await Promise.all([openBatch(here.ledger, 'second', 1), openBatch(here.ledger, 'second', 2)]);
    const said = (await allRows(here.ledger, 'second')).map((it) => it.messages[0]?.text);
    expect(said).toMatchObject([{ code: 'ledger.held_done' }, { code: 'ledger.held_unknown' }]);
  });

  test('of a batch in part withheld the rest is open', async () => {
    await planRun(here.ledger, 'second', [order(3, { key: 'K' }), order(4, { key: 'L' })], { size: 2 });
    await first(SUCCEEDED);
    const { withheld } = await openBatch(here.ledger, 'second', 1);
    expect(withheld.map((it) => it.item)).toEqual([1]);
    expect(await here.ledger.execution.itemCounts('second')).toEqual({ skipped: 1, open: 1 });
    await closeBatch(here.ledger, 'second', 1, { 2: SUCCEEDED });
    expect(await here.ledger.execution.remaining('second')).toEqual({ batches: 0, items: 0 });
  });

  test('a retry keeps its own claim', async () => {
    await planRun(here.ledger, 'first', [KEYED]);
    await carry(here.ledger, 'first', 1, {});
    expect(await openBatch(here.ledger, 'first', 1, 2)).toEqual({ withheld: [] });
  });

  test('of two runs that open the same key at once one is withheld', async () => {
    await planRun(here.ledger, 'first', [KEYED]);
    await planRun(here.ledger, 'second', [KEYED]);
    const other = await here.another();
    const [a, b] = await Promise.all([openBatch(here.ledger, 'first', 1), openBatch(other, 'second', 1)]);
    expect([a.withheld.length, b.withheld.length].sort()).toEqual([0, 1]);
  });

  test('an attempt without effect releases the key, an uncertain one keeps it, also after a later harmless one', async () => {
    await planRun(here.ledger, 'first', [KEYED]);
    await second();
    await carry(here.ledger, 'first', 1, {}, { sent: false, event: 'refused' });
    expect(await heldBy(here.ledger, 'second')).toEqual([]);
    await carry(here.ledger, 'first', 1, {}, { attempt: 2, httpStatus: 429, noEffect: true });
    expect(await heldBy(here.ledger, 'second')).toEqual([]);
    await carry(here.ledger, 'first', 1, { 1: { status: 'not_sent' } }, { attempt: 3, httpStatus: 401 });
    expect(await heldBy(here.ledger, 'second')).toEqual([]);
    await carry(here.ledger, 'first', 1, {}, { attempt: 4 });
    expect(await heldBy(here.ledger, 'second')).toEqual(['2: first 7 unknown']);
    await carry(here.ledger, 'first', 1, {}, { attempt: 5, sent: false, event: 'refused' });
    expect(await heldBy(here.ledger, 'second')).toEqual(['2: first 7 unknown']);
  });

  test('duplicates: send takes the key over and gives it back when nothing came of it', async () => {
    await first(SUCCEEDED);
    await planRun(here.ledger, 'again', [KEYED]);
    expect(await openBatch(here.ledger, 'again', 1, 1, false)).toEqual({ withheld: [] });
    await closeBatch(here.ledger, 'again', 1, { 1: { status: 'rejected' } });
    await second();
    expect(await heldBy(here.ledger, 'second')).toEqual(['2: first 7 succeeded']);
  });

  test('duplicates: send that succeeded holds the key from then on', async () => {
    await first(SUCCEEDED);
    await planRun(here.ledger, 'again', [order(4, { key: 'K' })]);
    await openBatch(here.ledger, 'again', 1, 1, false);
    await closeBatch(here.ledger, 'again', 1, { 1: SUCCEEDED });
    await second();
    expect(await heldBy(here.ledger, 'second')).toEqual(['2: again 4 succeeded']);
  });

  test('an attempt lost with its process leaves its key unknown', async () => {
    await planRun(here.ledger, 'first', [KEYED]);
    await openBatch(here.ledger, 'first', 1);
    await here.ledger.execution.recover('first', false, { status: 'unknown' });
    await second();
    expect(await heldBy(here.ledger, 'second')).toEqual(['2: first 7 unknown']);
  });

  describe('claimed for items that nothing has left of yet', () => {
    /** A run `first` at work, that has begun the first of its three batches. */
    async function atWork(): Promise<RunLock> {
      const lock = await takeLock(here.ledger, 'new-buy', 'sandbox', 'first');
      await planRun(here.ledger, 'first', [
        order(7, { key: 'K' }),
        order(8, { key: 'L' }),
        order(9, { key: 'M' }),
      ]);
      await openBatch(here.ledger, 'first', 1);
      return lock;
    }
    const planSecond = () =>
      planRun(here.ledger, 'second', [
        order(2, { key: 'K' }),
        order(3, { key: 'L' }),
        order(4, { key: 'M' }),
      ]);

    test('are taken by the run that sends them first; the one that had claimed them learns it, and keeps the rest', async () => {
      const lock = await atWork();
      await planSecond();
      const other = await here.another();
      expect(await openBatch(other, 'second', 3)).toEqual({ withheld: [] });
      expect(await openBatch(here.ledger, 'first', 2)).toEqual({ withheld: [] });
      expect((await openBatch(here.ledger, 'first', 3)).withheld).toMatchObject([
        { item: 3, holder: { run: 'second', row: 4, status: 'unknown' } },
      ]);
      expect((await allRows(here.ledger, 'first'))[2]).toMatchObject({
        status: 'skipped',
        messages: [{ text: { code: 'ledger.held_unknown', params: { run: 'second', row: 4 } } }],
      });
      await lock.release();
    });

    test('do not mark the row of another run that comes to them: nothing was ever sent', async () => {
      const lock = await atWork();
      await planSecond();
      await carry(here.ledger, 'second', 3, { 3: SUCCEEDED });
      expect((await openBatch(here.ledger, 'second', 1)).withheld).toMatchObject([{ holder: { row: 7 } }]);
      await here.ledger.execution.release('first');
      await lock.release();
      expect(await statuses(here.ledger, 'second')).toBe('2 skipped, 3 not_sent, 4 succeeded');
      expect(await statuses(here.ledger, 'first')).toBe('7 unknown, 8 not_sent, 9 not_sent');
    });

    test('are not seen by a plan, nor reported to a row: nothing has happened to them', async () => {
      const lock = await atWork();
      await planSecond();
      expect(await heldBy(here.ledger, 'second')).toEqual(['1: first 7 unknown']);
      expect((await here.ledger.report.row('second', 4))?.items[0]).not.toHaveProperty('holder');
      expect(await here.ledger.execution.itemCounts('first')).toEqual({ open: 1, pending: 2 });
      await lock.release();
    });

    test.each(['release', 'recover'] as const)('are given back: %s', async (how) => {
      const lock = await atWork();
      await planSecond();
      if (how === 'release') await here.ledger.execution.release('first');
      else await here.ledger.execution.recover('first', false, { status: 'unknown' });
      expect(await openBatch(here.ledger, 'second', 2)).toEqual({ withheld: [] });
      expect((await openBatch(here.ledger, 'second', 1)).withheld).toHaveLength(1);
      expect((await openBatch(here.ledger, 'first', 2)).withheld).toMatchObject([
        { holder: { run: 'second', row: 3, status: 'unknown' } },
      ]);
      await lock.release();
    });

    test('are free where no process works on the run; one that only seemed dead does not send them', async () => {
      const lock = await atWork();
      await planSecond();
      await lock.release();
      const other = await here.another();
      expect(await openBatch(other, 'second', 3)).toEqual({ withheld: [] });
      expect((await openBatch(other, 'second', 1)).withheld).toHaveLength(1);
      expect((await openBatch(here.ledger, 'first', 3)).withheld).toMatchObject([
        { holder: { run: 'second', row: 4, status: 'unknown' } },
      ]);
      expect(await openBatch(here.ledger, 'first', 2)).toEqual({ withheld: [] });
    });

    test('a further attempt goes only after its key was looked at: it was let go of since', async () => {
      const lock = await atWork();
      await planSecond();
      await carry(here.ledger, 'first', 2, {}, { noEffect: true });
      expect(await openBatch(here.ledger, 'second', 2)).toEqual({ withheld: [] });
      expect((await openBatch(here.ledger, 'first', 2, 2)).withheld).toMatchObject([
        { holder: { run: 'second', row: 3, status: 'unknown' } },
      ]);
      await lock.release();
    });

    test('are claimed for batches beyond the first thousand, too', async () => {
      const lock = await takeLock(here.ledger, 'new-buy', 'sandbox', 'first');
      const items = Array.from({ length: 2600 }, (_, index) => order(index + 2, { key: `k${index + 1}` }));
      await planRun(here.ledger, 'first', items);
      await planRun(here.ledger, 'second', [order(2, { key: 'k700' }), order(3, { key: 'k2500' })]);
      for (let from = 1; from <= 2000; from += 250) {
        const batches = Array.from({ length: 250 }, (_, index) => from + index);
        await Promise.all(batches.map((it) => openBatch(here.ledger, 'first', it)));
        // What is claimed further is claimed behind.
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      }
      expect((await openBatch(here.ledger, 'second', 1)).withheld).toHaveLength(1);
      expect(await openBatch(here.ledger, 'second', 2)).toEqual({ withheld: [] });
      expect((await openBatch(here.ledger, 'first', 2500)).withheld).toHaveLength(1);
      expect(await openBatch(here.ledger, 'first', 2501)).toEqual({ withheld: [] });
      await lock.release();
    });
  });
});
