import { expect, test } from 'vitest';
import {
  carry,
  closeBatch,
  collect,
  openBatch,
  order,
  planRun,
  SUCCEEDED,
} from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

describeLedger('attempts of a run', (here) => {
  const attempts = async (run: string) => (await collect(here.ledger.report.attempts(run))).flat();

  test('come by batch and attempt, without those of other runs', async () => {
    await planRun(here.ledger, 'r0', [order(2)]);
    await carry(here.ledger, 'r0', 1, { 1: SUCCEEDED });
    await planRun(here.ledger, 'r1', [order(2), order(3)]);
    await carry(here.ledger, 'r1', 2, { 2: SUCCEEDED });
    await openBatch(here.ledger, 'r1', 1);
    await here.ledger.execution.close({
      run: 'r1',
      batch: 1,
      attempt: 1,
      endedAt: 1500,
      event: 'refused',
      sent: false,
      outcomes: [],
    });
    await openBatch(here.ledger, 'r1', 1, 2);
    await planRun(here.ledger, 'r2', [order(2)]);
    await carry(here.ledger, 'r2', 1, { 1: SUCCEEDED });
    expect(await attempts('r1')).toEqual([
      {
        batch: 1,
        attempt: 1,
        startedAt: 1000,
        endedAt: 1500,
        event: 'refused',
        sent: false,
        items: 1,
        settled: 0,
      },
      { batch: 1, attempt: 2, startedAt: 2000, items: 1, settled: 0 },
      {
        batch: 2,
        attempt: 1,
        startedAt: 1000,
        endedAt: 2000,
        httpStatus: 200,
        event: 'reply',
        sent: true,
        items: 1,
        settled: 1,
      },
    ]);
  });

  test('report what they processed and what they resolved of it', async () => {
    const orders = [2, 3, 4, 5].map((row) => order(row));
    await planRun(here.ledger, 'r1', orders, { size: 10, operation: 'asset.lock' });
    await carry(here.ledger, 'r1', 1, { 1: SUCCEEDED, 2: { status: 'rejected' } });
    await openBatch(here.ledger, 'r1', 1, 2);
    await closeBatch(here.ledger, 'r1', 1, { 3: { status: 'unknown' } }, { attempt: 2 });
    await openBatch(here.ledger, 'r1', 1, 3);
    const unauthorized = { httpStatus: 401 };
    await closeBatch(
      here.ledger,
      'r1',
      1,
      { 4: { status: 'not_sent' } },
      { attempt: 3, noEffect: true, ...unauthorized },
    );
    expect((await attempts('r1')).map((it) => [it.attempt, it.items, it.settled])).toEqual([
      [1, 4, 2],
      [2, 2, 1],
      [3, 1, 0],
    ]);
  });

  test('count no item that was withheld', async () => {
    await planRun(here.ledger, 'r1', [order(2, { key: 'K1' })]);
    await carry(here.ledger, 'r1', 1, { 1: SUCCEEDED });
    await planRun(here.ledger, 'r2', [order(2, { key: 'K1' }), order(3, { key: 'K2' })], { size: 10 });
    await carry(here.ledger, 'r2', 1, { 2: SUCCEEDED });
    expect(await attempts('r2')).toMatchObject([{ items: 1, settled: 1 }]);
  });

  test('of a process that died: when that was found', async () => {
    await planRun(here.ledger, 'r1', [order(2)]);
    await openBatch(here.ledger, 'r1', 1);
    await here.ledger.execution.recover('r1', false, { status: 'unknown' });
    expect(await attempts('r1')).toMatchObject([{ event: 'died', sent: true, items: 1, settled: 1 }]);
  });

  test('come in pages when they are many, and not at all where there are none', async () => {
    const many = Array.from({ length: 1300 }, (_, index) => order(index + 2));
    await planRun(here.ledger, 'r1', many);
    expect(await attempts('r1')).toEqual([]);
    await Promise.all(many.map((_, index) => openBatch(here.ledger, 'r1', index + 1)));
    await Promise.all(
      many.map((_, index) => closeBatch(here.ledger, 'r1', index + 1, { [index + 1]: SUCCEEDED })),
    );
    const pages = await collect(here.ledger.report.attempts('r1'));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().map((it) => it.batch)).toEqual(many.map((_, index) => index + 1));
  });
});
