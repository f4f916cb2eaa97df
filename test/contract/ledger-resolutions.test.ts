import { describe, expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import type { NewResolution } from '../../src/ledger/contract/resolutions.js';
import {
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
import { describeLedger, SQLITE } from '../support/ledgers.js';

const UNKNOWN = { status: 'unknown', code: '503' } as const;
const KEYED = order(7, { key: 'K', content: 'same' });

function settlement(item: number, change: Partial<NewResolution> = {}): NewResolution {
  const outcome = { status: 'succeeded', licenseOrderId: 'LO-5' } as const;
  return { item, outcome, at: 5000, who: 'wang', how: 'operator', evidence: 'seen in the portal', ...change };
}

const FAILED = { outcome: { status: 'failed' } } as const;

describeLedger('resolutions', (here, maker) => {
  const holders = async (run: string): Promise<string[]> =>
    (await collect(here.ledger.plan.heldKeys(run))).map(({ holder }) => `${holder.run} ${holder.status}`);

  /** A run whose one keyed item was left unknown, and a later one with the same key. */
  async function left(): Promise<void> {
    await planRun(here.ledger, 'first', [KEYED]);
    await carry(here.ledger, 'first', 1, { 1: UNKNOWN });
    await planRun(here.ledger, 'second', [order(2, { key: 'K', content: 'same' })]);
  }

  test('unknown items are reported with their rows, content and attempts; others are not', async () => {
    await planRun(here.ledger, 'r', [order(2), order(3, { rows: [3, 5] }), order(9), order(12)]);
    await carry(here.ledger, 'r', 1, { 1: SUCCEEDED });
    await carry(here.ledger, 'r', 2, {}, { sent: false, event: 'refused' });
    await carry(here.ledger, 'r', 2, { 2: UNKNOWN }, { attempt: 2 });
    await carry(here.ledger, 'r', 3, {});
    const found = await collect(here.ledger.resolutions.unknown('r'));
    expect(found).toMatchObject([
      { item: 2, rows: [3, 5], body: { adminAccount: '3' }, attempts: [{ startedAt: 2000 }] },
      { item: 3, rows: [9], envelope: { channelCode: 'C1' }, attempts: [{ startedAt: 1000 }] },
    ]);
    expect(await collect(here.ledger.resolutions.unknown('r', 5))).toHaveLength(1);
    expect(await collect(here.ledger.resolutions.unknown('r', 2))).toEqual([]);
  });

  test('a resolved item shows in all its rows, with an audit line that outlives the connection', async () => {
    await planRun(here.ledger, 'r', [order(3, { rows: [3, 5] })]);
    await carry(here.ledger, 'r', 1, { 1: UNKNOWN });
    expect(await here.ledger.resolutions.record('r', [settlement(1)])).toEqual([1]);
    expect(await statuses(here.ledger, 'r')).toBe('3 succeeded, 5 succeeded');
    const [row] = await allRows(here.ledger, 'r');
    expect(row).toMatchObject({ licenseOrderId: 'LO-5', attempts: 1 });
    expect(row).not.toHaveProperty('code');
    expect(await here.ledger.runs.counts('r')).toEqual({ succeeded: 2 });
    await here.reopen();
    const line = {
      item: 1,
      rows: [3, 5],
      at: 5000,
      who: 'wang',
      how: 'operator',
      from: 'unknown',
      to: 'succeeded',
      licenseOrderId: 'LO-5',
      evidence: 'seen in the portal',
    };
    expect(await here.ledger.resolutions.list('r')).toEqual([line]);
    expect(await here.ledger.resolutions.list('r', 5)).toEqual([line]);
    expect(await here.ledger.resolutions.list('r', 4)).toEqual([]);
  });

  test('of two who resolve the same item at once, one does', async () => {
    const items = Array.from({ length: 12 }, (_, at) => order(at + 2, { key: `K${at}` }));
    // Of a known host: others of its connection don't wait for it.
    await planRun(here.ledger, 'r', items, { size: 3, scope: 'sandbox example.com' });
    const unknown = Object.fromEntries(items.map((_, at) => [at + 1, UNKNOWN]));
    for (const batch of [1, 2, 3, 4]) {
      const own = Object.entries(unknown).slice(3 * batch - 3, 3 * batch);
      await carry(here.ledger, 'r', batch, Object.fromEntries(own));
    }
    const numbers = items.map((_, at) => at + 1);
    const { resolutions } = await here.another();
    const mine = numbers.map((item) => here.ledger.resolutions.record('r', [settlement(item)]));
    const pairs = numbers.map((item) => [settlement(item, FAILED), settlement((item % 12) + 1, FAILED)]);
    const theirs = pairs.reverse().map((pair) => resolutions.record('r', pair));
    const [succeeded, failed] = [(await Promise.all(mine)).flat(), (await Promise.all(theirs)).flat()];
    expect([...succeeded, ...failed].sort((a, b) => a - b)).toEqual(numbers);
    const reported = numbers.map(
      (item) => `${item + 1} ${succeeded.includes(item) ? 'succeeded' : 'failed'}`,
    );
    expect(await statuses(here.ledger, 'r')).toBe(reported.join(', '));
    expect(await here.ledger.resolutions.list('r')).toHaveLength(12);
  });

  test.each(['failed', 'succeeded'] as const)(
    'while a user finds it to have %s, its key is either still held or free',
    async (status) => {
      for (let round = 0; round < 8; round += 1) {
        const [before, after, later] = [`before-${round}`, `after-${round}`, `later-${round}`];
        const item = order(2, { key: `K${round}`, content: 'same' });
        await planRun(here.ledger, before, [item], { scope: 'sandbox example.com' });
        await carry(here.ledger, before, 1, { 1: UNKNOWN });
        await planRun(here.ledger, after, [item], { scope: 'sandbox example.com' });
        const other = await here.another();
        const [settled, { withheld }] = await Promise.all([
          other.resolutions.record(before, [settlement(1, { outcome: { status } })]),
          openBatch(here.ledger, after, 1),
        ]);
        expect(settled).toEqual([1]);
        await planRun(here.ledger, later, [item], { scope: 'sandbox example.com' });
        const sent = withheld.length === 0;
        if (status === 'succeeded') expect(sent).toBe(false);
        const holder = status === 'succeeded' ? [`${before} succeeded`] : sent ? [`${after} unknown`] : [];
        expect(await holders(later)).toEqual(holder);
        await other.close();
      }
    },
  );

  test('what is said in it comes back as it was said', async () => {
    const texts = ['a', 'a\u0000', 'a\u0001', 'a\u00010', 'a\u0000\u0001', '\u00010\u0000', 'ä\u2028"\\'];
    // SQLite's plain text ends at U+0000; all that is JSON holds it.
    const odd = texts.filter((it) => maker !== SQLITE || !it.includes('\u0000'));
    const items = odd.map((text, at) => order(at + 2, { key: `k${at}`, content: text, body: text }));
    await planRun(here.ledger, 'r', items);
    for (const [at] of odd.entries()) await carry(here.ledger, 'r', at + 1, { [at + 1]: UNKNOWN });
    const said = odd.map((text, at) => {
      const outcome = {
        status: 'succeeded',
        licenseOrderId: text,
        columns: { [text]: text },
        message: text,
      } as const;
      return settlement(at + 1, { outcome, who: text, evidence: text, note: text });
    });
    await here.ledger.resolutions.record('r', said);
    const rows = await allRows(here.ledger, 'r');
    expect(rows.map((it) => it.licenseOrderId)).toEqual(odd);
    expect(rows.map((it) => it.columns)).toEqual(odd.map((text) => ({ [text]: text })));
    expect(rows.map((it) => it.messages)).toEqual(odd.map((text) => [{ text }]));
    const lines = await here.ledger.resolutions.list('r');
    expect(lines.map((it) => [it.who, it.licenseOrderId, it.evidence, it.note])).toEqual(
      odd.map((text) => [text, text, text, text]),
    );
    await planRun(here.ledger, 'again', items);
    const held = await collect(here.ledger.plan.heldKeys('again'));
    expect(held.map(({ item, content, holder }) => [item, content, holder.row, holder.content])).toEqual(
      odd.map((text, at) => [at + 1, text, at + 2, text]),
    );
  });

  test('an item that is not unknown, or was resolved before, stays as it is and leaves no line', async () => {
    await planRun(here.ledger, 'r', [order(2), order(3), order(4)]);
    await carry(here.ledger, 'r', 1, { 1: { status: 'rejected' } });
    await carry(here.ledger, 'r', 2, { 2: UNKNOWN });
    const wanted = [settlement(1), settlement(2, FAILED), settlement(3), settlement(99)];
    expect(await here.ledger.resolutions.record('r', wanted)).toEqual([2]);
    expect(await here.ledger.resolutions.record('r', [settlement(2)])).toEqual([]);
    expect(await statuses(here.ledger, 'r')).toBe('2 rejected, 3 failed, 4 not_sent');
    expect((await here.ledger.resolutions.list('r')).map((it) => `${it.item} ${it.to}`)).toEqual([
      '2 failed',
    ]);
  });

  test('what is resolved as succeeded holds its key with the order id, as failed releases it', async () => {
    await left();
    await here.ledger.resolutions.record('first', [settlement(1)]);
    expect((await collect(here.ledger.plan.heldKeys('second')))[0]?.holder).toMatchObject({
      run: 'first',
      status: 'succeeded',
      got: { licenseOrderId: 'LO-5' },
    });
    await planRun(here.ledger, 'third', [order(7, { key: 'L' })]);
    await carry(here.ledger, 'third', 1, { 1: UNKNOWN });
    await here.ledger.resolutions.record('third', [settlement(1, FAILED)]);
    await planRun(here.ledger, 'fourth', [order(7, { key: 'L' })]);
    expect(await holders('fourth')).toEqual([]);
    expect(await openBatch(here.ledger, 'fourth', 1)).toEqual({ withheld: [] });
  });

  test('an uncertain item that waits for another attempt is not sent any more once it is resolved', async () => {
    await planRun(here.ledger, 'r', [KEYED]);
    await carry(here.ledger, 'r', 1, {});
    expect(await statuses(here.ledger, 'r')).toBe('7 unknown');
    await here.ledger.resolutions.record('r', [settlement(1, FAILED)]);
    expect(await statuses(here.ledger, 'r')).toBe('7 failed');
    expect(await here.ledger.execution.remaining('r')).toEqual({ batches: 0, items: 0 });
    expect(await here.ledger.execution.pending('r', 0, 10)).toEqual([]);
  });

  test('an uncertain item that is on its way again is not resolved before that attempt ends', async () => {
    await planRun(here.ledger, 'r', [KEYED]);
    await carry(here.ledger, 'r', 1, {});
    const again = { run: 'r', batch: 1, attempt: 2, nonce: 'n-2', startedAt: 9 };
    await here.ledger.execution.open(again, { claim: true });
    expect(await here.ledger.resolutions.record('r', [settlement(1, FAILED)])).toEqual([]);
    expect(await here.ledger.resolutions.list('r')).toEqual([]);
    expect(await statuses(here.ledger, 'r')).toBe('7 unknown');
  });

  test('evidence may be a message, and goes when the run is pruned', async () => {
    await left();
    const evidence = message('ledger.bad_address');
    await here.ledger.resolutions.record('first', [settlement(1, { how: 'platform', evidence })]);
    expect(await here.ledger.resolutions.list('first')).toMatchObject([{ how: 'platform', evidence }]);
    await here.ledger.runs.patch('first', { state: 'completed', endedAt: 10 });
    await here.ledger.runs.prune(20);
    expect(await here.ledger.resolutions.list('first')).toEqual([]);
    expect(await holders('second')).toEqual(['first succeeded']);
  });

  describe('a run that may try another’s unknown items again', () => {
    const retry = { claim: true, releasedRun: 'first' };
    const intent = (run: string) => ({ run, batch: 1, attempt: 1, nonce: `n-${run}`, startedAt: 9 });

    test('takes over the hold of that run only', async () => {
      await left();
      await planRun(here.ledger, 'third', [order(4, { key: 'K' })]);
      const { withheld } = await here.ledger.execution.open(intent('third'), {
        claim: true,
        releasedRun: 'second',
      });
      expect(withheld).toMatchObject([{ item: 1, holder: { run: 'first', status: 'unknown' } }]);
      expect(await here.ledger.execution.open(intent('second'), retry)).toEqual({ withheld: [] });
      await closeBatch(here.ledger, 'second', 1, { 1: SUCCEEDED });
      await planRun(here.ledger, 'fourth', [order(5, { key: 'K' })]);
      expect(await holders('fourth')).toEqual(['second succeeded']);
    });

    test('leaves the first run’s hold in place when the second of three is resolved', async () => {
      await planRun(here.ledger, 'first', [KEYED]);
      await carry(here.ledger, 'first', 1, { 1: UNKNOWN });
      for (const [run, over] of [
        ['second', 'first'],
        ['third', 'second'],
      ] as const) {
        await planRun(here.ledger, run, [KEYED], { parent: over });
        await here.ledger.execution.open(intent(run), { claim: true, releasedRun: over });
        await closeBatch(here.ledger, run, 1, { 1: run === 'third' ? FAILED.outcome : UNKNOWN });
      }
      await here.ledger.resolutions.record('second', [settlement(1, FAILED)]);
      await planRun(here.ledger, 'fourth', [KEYED]);
      expect(await holders('fourth')).toEqual(['first unknown']);
      await here.ledger.resolutions.record('first', [settlement(1, FAILED)]);
      expect(await holders('fourth')).toEqual([]);
    });

    test('skips what its own retry chain sent successfully, where that of others is taken over', async () => {
      await left();
      await here.ledger.resolutions.record('first', [settlement(1)]);
      await planRun(here.ledger, 'third', [order(4, { key: 'K' })]);
      const send = { claim: false, releasedRun: 'first' };
      const own = await here.ledger.execution.open(intent('second'), {
        ...send,
        neverFrom: new Set(['first']),
      });
      expect(own.withheld).toMatchObject([{ holder: { run: 'first', status: 'succeeded' } }]);
      const other = await here.ledger.execution.open(intent('third'), {
        ...send,
        neverFrom: new Set(['second']),
      });
      expect(other.withheld).toEqual([]);
    });

    test('is withheld where that run was found to have sent it in the meantime', async () => {
      await left();
      await here.ledger.resolutions.record('first', [settlement(1)]);
      const { withheld } = await here.ledger.execution.open(intent('second'), retry);
      expect(withheld).toMatchObject([{ holder: { run: 'first', status: 'succeeded' } }]);
    });

    test('gives the key back to the open question when nothing came of it', async () => {
      await left();
      await here.ledger.execution.open(intent('second'), retry);
      await closeBatch(here.ledger, 'second', 1, { 1: { status: 'failed' } }, { sent: false });
      await planRun(here.ledger, 'third', [order(5, { key: 'K' })]);
      expect(await holders('third')).toEqual(['first unknown']);
    });

    test('leaves no hold behind when the first is resolved as failed while it has the key', async () => {
      await left();
      await here.ledger.execution.open(intent('second'), retry);
      await here.ledger.resolutions.record('first', [settlement(1, FAILED)]);
      await planRun(here.ledger, 'third', [order(5, { key: 'K' })]);
      expect(await holders('third')).toEqual(['second unknown']);
      await closeBatch(here.ledger, 'second', 1, { 1: { status: 'rejected' } });
      expect(await holders('third')).toEqual([]);
    });
  });

  test('a resolved item can be corrected where that is asked for; a reply’s outcome never', async () => {
    await left();
    await here.ledger.resolutions.record('first', [settlement(1, FAILED)]);
    expect(await here.ledger.resolutions.correctable('first', 7)).toEqual([
      { item: 1, rows: [7], status: 'failed' },
    ]);
    expect(await here.ledger.resolutions.record('first', [settlement(1)])).toEqual([]);
    const corrected = settlement(1, { corrects: true, note: 'on page 2' });
    expect(await here.ledger.resolutions.record('first', [corrected])).toEqual([1]);
    expect(await here.ledger.resolutions.list('first')).toMatchObject([
      { from: 'unknown', to: 'failed' },
      { from: 'failed', to: 'succeeded', note: 'on page 2', licenseOrderId: 'LO-5' },
    ]);
    expect(await holders('second')).toEqual(['first succeeded']);
    await planRun(here.ledger, 'third', [order(9)]);
    await carry(here.ledger, 'third', 1, { 1: SUCCEEDED });
    const changed = settlement(1, { ...FAILED, corrects: true });
    expect(await here.ledger.resolutions.record('third', [changed])).toEqual([]);
  });

  test('what was seen of an item that stays unknown stands on its row and in the audit', async () => {
    await left();
    const seen = message('ledger.bad_address');
    const outcome = { status: 'unknown', message: seen } as const;
    await here.ledger.resolutions.record('first', [
      settlement(1, { outcome, how: 'platform', evidence: seen }),
    ]);
    expect(await allRows(here.ledger, 'first')).toMatchObject([
      { status: 'unknown', code: '503', messages: [{ text: seen }] },
    ]);
    expect(await here.ledger.resolutions.list('first')).toMatchObject([{ from: 'unknown', to: 'unknown' }]);
    expect(await holders('second')).toEqual(['first unknown']);
  });

  test('traces are of items that had an effect or may have had one', async () => {
    const items = [order(2), order(3), order(4), order(5), order(6)];
    await planRun(here.ledger, 'r', items);
    await carry(here.ledger, 'r', 1, { 1: { ...SUCCEEDED, records: [{ assetNum: 'A1' }] } });
    await carry(here.ledger, 'r', 2, { 2: { status: 'rejected' } });
    await carry(here.ledger, 'r', 3, { 3: UNKNOWN });
    await openBatch(here.ledger, 'r', 4);
    const traces = (await collect(here.ledger.resolutions.traces('r', { records: true }))).flat();
    expect(traces.map((it) => `${it.row} ${it.status}`)).toEqual(['2 succeeded', '4 unknown', '5 unknown']);
    expect(traces[0]?.records).toEqual([{ assetNum: 'A1' }]);
    expect(traces[2]).not.toHaveProperty('endedAt');
  });

  test('the rows next to a number are reported, within the run', async () => {
    await planRun(here.ledger, 'before', [order(90)]);
    await planRun(here.ledger, 'r', [order(2), order(5), order(9)]);
    await here.ledger.plan.addVerdicts('r', [{ row: 7, status: 'skipped' }]);
    await planRun(here.ledger, 'after', [order(2)]);
    expect(await here.ledger.report.nearestRows('r', 6, 1)).toEqual([5, 7]);
    expect(await here.ledger.report.nearestRows('r', 1, 2)).toEqual([2, 5]);
    expect(await here.ledger.report.nearestRows('r', 99_999_999_999, 3)).toEqual([5, 7, 9]);
  });

  test('items of several rows name them, and a batch its items in order', async () => {
    const items = [order(2, { rows: [2, 4] }), order(3), order(5, { rows: [5, 6], key: 'K' })];
    await planRun(here.ledger, 'r', items, { size: 3 });
    expect(await collect(here.ledger.report.sharedRows('r'))).toEqual([
      [2, 4],
      [5, 6],
    ]);
    expect((await here.ledger.report.batch('r', 1))?.items.map((it) => it.item)).toEqual([1, 2, 3]);
    await planRun(here.ledger, 'first', [KEYED]);
    await carry(here.ledger, 'first', 1, { 1: SUCCEEDED });
    await openBatch(here.ledger, 'r', 1);
    expect(await here.ledger.report.batch('r', 1)).toMatchObject({
      envelope: { channelCode: 'C1' },
      items: [{ item: 1 }, { item: 2 }],
    });
    expect(await here.ledger.report.batch('r', 2)).toBeUndefined();
  });
});
