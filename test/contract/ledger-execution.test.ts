import { expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import type { ItemOutcome } from '../../src/model/item.js';
import {
  allPending,
  allRows,
  carry,
  closeBatch,
  openBatch,
  order,
  planRun,
  SUCCEEDED,
  statuses,
} from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

const LOST: ItemOutcome = { status: 'unknown', message: message('run.died') };

describeLedger('execution', (here) => {
  test('an opened batch is not pending, a closed one is done', async () => {
    await planRun(here.ledger, 'r1', [order(2), order(3), order(4)]);
    await openBatch(here.ledger, 'r1', 2);
    expect((await allPending(here.ledger, 'r1')).map((it) => it.batch)).toEqual([1, 3]);
    expect(await here.ledger.execution.itemCounts('r1')).toEqual({ pending: 2, open: 1 });
    expect(await statuses(here.ledger, 'r1')).toBe('2 not_sent, 3 unknown, 4 not_sent');
    expect(await here.ledger.runs.counts('r1')).toEqual({ unknown: 1, not_sent: 2 });
    await closeBatch(here.ledger, 'r1', 2, { 2: SUCCEEDED });
    expect(await statuses(here.ledger, 'r1')).toBe('2 not_sent, 3 succeeded, 4 not_sent');
    expect(await here.ledger.execution.itemCounts('r1')).toEqual({ pending: 2, succeeded: 1 });
    expect(await here.ledger.execution.remaining('r1')).toEqual({ batches: 2, items: 2 });
  });

  test('pending is asked for in windows', async () => {
    await planRun(
      here.ledger,
      'r1',
      [2, 3, 4, 5].map((row) => order(row)),
    );
    const window = async (after: number) =>
      (await here.ledger.execution.pending('r1', after, 2)).map((it) => it.batch);
    expect(await window(0)).toEqual([1, 2]);
    expect(await window(2)).toEqual([3, 4]);
    expect(await window(4)).toEqual([]);
    const upTo = async (last: number) =>
      (await here.ledger.execution.pending('r1', 1, 10, last)).map((it) => it.batch);
    expect(await upTo(3)).toEqual([2, 3]);
    await openBatch(here.ledger, 'r1', 2);
    expect(await upTo(3)).toEqual([3]);
    expect(await upTo(1)).toEqual([]);
  });

  test('calls made together are all executed', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => index + 2);
    await planRun(
      here.ledger,
      'r1',
      rows.map((row) => order(row, { key: `k${row}` })),
    );
    await Promise.all(rows.map((row) => carry(here.ledger, 'r1', row - 1, { [row - 1]: SUCCEEDED })));
    expect(await here.ledger.execution.remaining('r1')).toEqual({ batches: 0, items: 0 });
    expect(await here.ledger.runs.counts('r1')).toEqual({ succeeded: 200 });
    expect((await here.ledger.runs.get('r1'))?.requests).toBe(200);
  });

  test('a batch is never opened twice, nor when it is done; the others of the group are not harmed', async () => {
    await planRun(here.ledger, 'r1', [order(2), order(3)]);
    const asked = await Promise.allSettled([
      openBatch(here.ledger, 'r1', 1),
      openBatch(here.ledger, 'r1', 1, 2),
      openBatch(here.ledger, 'r1', 2),
    ]);
    // Which of the two comes first is no user's promise: they may go over two connections.
    const [first, second, other] = asked.map((it) => it.status);
    expect([first, second].sort()).toEqual(['fulfilled', 'rejected']);
    expect(other).toBe('fulfilled');
    const attempt = first === 'fulfilled' ? 1 : 2;
    await closeBatch(here.ledger, 'r1', 1, { 1: SUCCEEDED }, { attempt });
    await expect(openBatch(here.ledger, 'r1', 1, 3)).rejects.toMatchObject({
      kind: 'internal',
      detail: { code: 'ledger.batch_not_pending' },
    });
    await expect(openBatch(here.ledger, 'r1', 99)).rejects.toThrow(/batch 99/);
    expect((await here.ledger.runs.get('r1'))?.requests).toBe(2);
  });

  test('an attempt is closed once; a resolved outcome never changes', async () => {
    await planRun(here.ledger, 'r1', [order(2), order(3)], { size: 2 });
    await openBatch(here.ledger, 'r1', 1);
    await closeBatch(here.ledger, 'r1', 1, { 1: SUCCEEDED });
    await expect(closeBatch(here.ledger, 'r1', 1, { 1: { status: 'failed' } })).rejects.toMatchObject({
      detail: { code: 'ledger.attempt_not_open' },
    });
    await carry(here.ledger, 'r1', 1, { 1: { status: 'failed' }, 2: SUCCEEDED }, { attempt: 2 });
    expect(await statuses(here.ledger, 'r1')).toBe('2 succeeded, 3 succeeded');
  });

  test('an attempt without outcomes leaves the batch pending with its number of attempts', async () => {
    await planRun(here.ledger, 'r1', [order(2)]);
    await carry(here.ledger, 'r1', 1, {}, { event: 'refused', sent: false });
    expect(await allPending(here.ledger, 'r1')).toMatchObject([{ batch: 1, attempts: 1 }]);
    await carry(here.ledger, 'r1', 1, { 1: SUCCEEDED }, { attempt: 2 });
    expect((await allRows(here.ledger, 'r1'))[0]).toMatchObject({ status: 'succeeded', attempts: 2 });
  });

  test('of a batch that came back in part only the rest is pending', async () => {
    await planRun(here.ledger, 'r1', [order(2), order(3), order(4)], { size: 3 });
    await carry(here.ledger, 'r1', 1, { 1: SUCCEEDED, 3: { status: 'rejected', code: '4' } });
    const batches = await allPending(here.ledger, 'r1');
    expect(batches.map((it) => it.items.map(({ item }) => item))).toEqual([[2]]);
    expect(await here.ledger.execution.remaining('r1')).toEqual({ batches: 1, items: 1 });
    await carry(here.ledger, 'r1', 1, { 2: SUCCEEDED }, { attempt: 2 });
    expect(await allPending(here.ledger, 'r1')).toEqual([]);
    expect((await allRows(here.ledger, 'r1')).map((it) => it.attempts)).toEqual([1, 2, 1]);
  });

  test('not_sent shows in the report with its reason and is sent by a resume', async () => {
    await planRun(here.ledger, 'r1', [order(2, { key: 'k' })]);
    const turnedAway: ItemOutcome = { status: 'not_sent', code: '401', message: 'token expired' };
    await carry(here.ledger, 'r1', 1, { 1: turnedAway }, { httpStatus: 401 });
    await here.reopen();
    expect(await allRows(here.ledger, 'r1')).toMatchObject([
      { status: 'not_sent', code: '401', messages: [{ text: 'token expired' }], attempts: 1 },
    ]);
    expect(await here.ledger.execution.remaining('r1')).toEqual({ batches: 1, items: 1 });
    expect(await here.ledger.execution.itemCounts('r1')).toEqual({ pending: 1 });
    const [batch] = await allPending(here.ledger, 'r1');
    expect(batch).toMatchObject({ attempts: 1, items: [{ item: 1, key: 'k' }] });
    await carry(here.ledger, 'r1', 1, { 1: SUCCEEDED }, { attempt: 2 });
    const [row] = await allRows(here.ledger, 'r1');
    expect(row).toMatchObject({ status: 'succeeded', code: '0', messages: [], attempts: 2 });
  });

  test('recover: what is not repeatable becomes unknown and is never pending again', async () => {
    await planRun(here.ledger, 'r1', [order(2), order(3), order(4)], { size: 2 });
    await openBatch(here.ledger, 'r1', 1);
    await here.reopen();
    expect(await statuses(here.ledger, 'r1')).toBe('2 unknown, 3 unknown, 4 not_sent');
    expect(await here.ledger.execution.recover('r1', false, LOST)).toBe(1);
    expect(await here.ledger.execution.recover('r1', false, LOST)).toBe(0);
    expect((await allPending(here.ledger, 'r1')).map((it) => it.batch)).toEqual([2]);
    expect(await allRows(here.ledger, 'r1')).toMatchObject([
      { row: 2, status: 'unknown', messages: [{ text: LOST.message }], attempts: 1 },
      { row: 3, status: 'unknown' },
      { row: 4, status: 'not_sent' },
    ]);
  });

  test('recover: what is repeatable is pending again', async () => {
    await planRun(here.ledger, 'r1', [order(2), order(3)], { size: 2 });
    await carry(here.ledger, 'r1', 1, { 1: SUCCEEDED }, { noEffect: true });
    await openBatch(here.ledger, 'r1', 1, 2);
    await here.reopen();
    expect(await here.ledger.execution.recover('r1', true, LOST)).toBe(1);
    expect(await allPending(here.ledger, 'r1')).toMatchObject([
      { batch: 1, attempts: 2, items: [{ item: 2 }] },
    ]);
    expect(await statuses(here.ledger, 'r1')).toBe('2 succeeded, 3 not_sent');
  });

  test('an item that waits to be sent again shows as unknown when an attempt may have had its effect', async () => {
    await planRun(here.ledger, 'r1', [order(2), order(3)]);
    await carry(here.ledger, 'r1', 1, {});
    await carry(here.ledger, 'r1', 2, {}, { noEffect: true });
    await here.reopen();
    expect(await statuses(here.ledger, 'r1')).toBe('2 unknown, 3 not_sent');
    expect(await here.ledger.runs.counts('r1')).toEqual({ unknown: 1, not_sent: 1 });
    expect((await allPending(here.ledger, 'r1')).map((it) => it.uncertain)).toEqual([true, false]);
  });
});
