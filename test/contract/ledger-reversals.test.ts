import { expect, test } from 'vitest';
import type { ItemOutcome } from '../../src/model/item.js';
import { carry, collect, openBatch, order, planRun, SUCCEEDED } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

const KEYED = order(2, { key: 'K', content: 'same' });

describeLedger('what was reverted', (here) => {
  const undoings = () => here.ledger.reversals;

  /** A run of one keyed order (row 2) and one without a key (row 5), both through. */
  async function through(id: string): Promise<void> {
    await planRun(here.ledger, id, [KEYED, order(5)]);
    await carry(here.ledger, id, 1, { 1: SUCCEEDED });
    await carry(here.ledger, id, 2, { 2: { ...SUCCEEDED, licenseOrderId: 'LO-2' } });
  }

  /** A run whose row 2 takes an item of another back, with what comes of it. */
  async function takeBack(id: string, run: string, item: number, outcome?: ItemOutcome): Promise<void> {
    await planRun(here.ledger, id, [order(2, { key: `undo ${run} ${item}` })], { job: id });
    await undoings().link(id, [{ row: 2, undone: { run, item } }]);
    if (!outcome) return;
    await carry(here.ledger, id, 1, { 1: outcome });
    await undoings().finish(id);
  }

  const effects = async (run: string, rows?: readonly number[]) =>
    (await collect(undoings().effects(run, rows))).flat();

  const held = async (id: string): Promise<readonly string[]> => {
    await planRun(here.ledger, id, [KEYED], { job: id });
    return (await collect(here.ledger.plan.heldKeys(id))).map((it) => `${it.holder.run} ${it.holder.status}`);
  };

  test('items that had an effect, or may have had one, come by their first row, with all of theirs', async () => {
    const item = order(2, { rows: [2, 7, 9] });
    await planRun(here.ledger, 'r', [item, order(3), order(4), order(5), order(6)]);
    await carry(here.ledger, 'r', 1, { 1: { ...SUCCEEDED, columns: { customerId: 'C-1' } } });
    await carry(here.ledger, 'r', 2, { 2: { status: 'rejected', code: '1' } });
    await carry(here.ledger, 'r', 3, { 3: { status: 'accepted', licenseOrderId: 'LO-3' } });
    await openBatch(here.ledger, 'r', 4);
    const found = await effects('r');
    expect(found.map((it) => `${it.rows} ${it.outcome.status}`)).toEqual([
      '2,7,9 succeeded',
      '4 accepted',
      '5 unknown',
    ]);
    expect(found[0]).toMatchObject({
      item: 1,
      envelope: { channelCode: 'C1', syncMode: 'sync' },
      body: { adminAccount: '2' },
      outcome: { licenseOrderId: 'LO-1', columns: { customerId: 'C-1' } },
    });
    expect((await effects('r', [9, 3])).map((it) => it.item)).toEqual([1]);
  });

  test('a key is free again once its item was undone for certain, and not before', async () => {
    await through('one');
    await takeBack('back', 'one', 1);
    await undoings().finish('back');
    expect(await held('two')).toEqual(['one succeeded']);
    await carry(here.ledger, 'back', 1, { 1: SUCCEEDED });
    await undoings().finish('back');
    expect(await held('three')).toEqual([]);
    expect((await openBatch(here.ledger, 'three', 1)).withheld).toEqual([]);
    // The item that has it now keeps it.
    await undoings().finish('back');
    expect(await held('four')).toEqual(['three unknown']);
  });

  test.each<ItemOutcome['status']>(['accepted', 'unknown', 'rejected', 'failed', 'not_sent'])(
    'a reversal that is %s frees no key',
    async (status) => {
      await through('one');
      await takeBack('back', 'one', 1, { status });
      expect(await held('two')).toEqual(['one succeeded']);
    },
  );

  test('what has undone an item, or may have, is reported with it', async () => {
    await through('one');
    await takeBack('back', 'one', 1);
    expect((await effects('one')).map((it) => it.undone)).toEqual([undefined, undefined]);
    await openBatch(here.ledger, 'back', 1);
    const [first] = await effects('one');
    expect(first?.undone).toEqual({ run: 'back', row: 2, status: 'unknown' });
    expect(await undoings().ofRow('one', 2)).toEqual([{ run: 'back', row: 2, status: 'unknown' }]);
    expect(await undoings().ofRow('one', 5)).toEqual([]);
    expect(await undoings().by('one')).toEqual([{ run: 'back', rows: 1, succeeded: 0 }]);
  });

  test('a reversal that was itself reverted counts no more, and the key is held again', async () => {
    await through('one');
    await takeBack('back', 'one', 1, SUCCEEDED);
    await takeBack('forth', 'back', 1, SUCCEEDED);
    expect((await effects('one'))[0]?.undone).toBeUndefined();
    expect((await effects('back'))[0]?.undone).toMatchObject({ run: 'forth', status: 'succeeded' });
    expect(await held('two')).toEqual(['one succeeded']);
    // The first one, resolved once more, changes nothing of that.
    await undoings().finish('back');
    expect(await held('three')).toEqual(['one succeeded']);
    await takeBack('again', 'one', 1, SUCCEEDED);
    expect(await held('four')).toEqual([]);
  });

  test('what a person resolves of a reversal counts, and so does a correction', async () => {
    await through('one');
    await takeBack('back', 'one', 1, { status: 'unknown' });
    const settle = async (status: 'succeeded' | 'failed', corrects: boolean) => {
      const outcome = { status };
      await here.ledger.resolutions.record('back', [
        { item: 1, at: 5, who: 'me@desk', how: 'operator', corrects, outcome },
      ]);
      await undoings().finish('back');
    };
    await settle('succeeded', false);
    expect(await held('two')).toEqual([]);
    await settle('failed', true);
    expect(await held('three')).toEqual(['one succeeded']);
  });

  test('a key that is passed on goes to none that was undone', async () => {
    await through('one');
    await takeBack('back', 'one', 1, SUCCEEDED);
    await planRun(here.ledger, 'two', [KEYED], { job: 'two' });
    await carry(here.ledger, 'two', 1, { 1: { status: 'unknown' } });
    await here.ledger.resolutions.record('two', [
      { item: 1, at: 5, who: 'me@desk', how: 'operator', outcome: { status: 'failed' } },
    ]);
    expect(await held('three')).toEqual([]);
  });

  test('a plan that is made again forgets what it was to revert', async () => {
    await through('one');
    await takeBack('back', 'one', 1);
    await here.ledger.plan.clear('back');
    expect(await undoings().by('one')).toEqual([]);
  });

  test('what a pruned run has undone stays undone', async () => {
    await through('one');
    await takeBack('back', 'one', 1, SUCCEEDED);
    await here.ledger.runs.patch('back', { state: 'executing' });
    await here.ledger.runs.patch('back', { state: 'completed', endedAt: 10, exitCode: 0 });
    expect(await here.ledger.runs.prune(11)).toBe(1);
    expect((await effects('one'))[0]?.undone).toEqual({ run: 'back', row: 2, status: 'succeeded' });
    expect(await undoings().by('one')).toEqual([{ run: 'back', rows: 1, succeeded: 1 }]);
    expect(await held('two')).toEqual([]);
  });
});
