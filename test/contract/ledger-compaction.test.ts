import fc from 'fast-check';
import { expect, test } from 'vitest';
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
import { describeLedger, useLedger } from '../support/ledgers.js';
import { HISTORY, planBoth, SETTLED_FIRST, sentTwice, Teller, tellAll } from './ledger-histories.js';

describeLedger('a process that reads while a run sends', (here) => {
  test('sees every attempt and outcome at once, from another connection too', async () => {
    await planRun(here.ledger, 'r1', [order(2), order(3), order(4)]);
    const other = await here.another();
    await openBatch(here.ledger, 'r1', 1);
    expect(await statuses(other, 'r1')).toBe('2 unknown, 3 not_sent, 4 not_sent');
    await openBatch(here.ledger, 'r1', 2);
    expect((await other.runs.get('r1'))?.requests).toBe(2);
    await here.ledger.execution.close({
      run: 'r1',
      batch: 1,
      attempt: 1,
      endedAt: 2000,
      event: 'reply',
      sent: true,
      outcomes: [{ item: 1, outcome: SUCCEEDED }],
    });
    expect(await statuses(other, 'r1')).toBe('2 succeeded, 3 unknown, 4 not_sent');
    expect(await other.execution.itemCounts('r1')).toEqual({ succeeded: 1, open: 1, pending: 1 });
    expect(await other.runs.list(1)).toMatchObject([{ requests: 2, retries: 0 }]);
    expect(await statuses(here.ledger, 'r1')).toBe('2 succeeded, 3 unknown, 4 not_sent');
  });

  test('two that read at once count nothing twice', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => index + 2);
    await planRun(
      here.ledger,
      'r1',
      rows.map((row) => order(row, { key: `k${row}` })),
    );
    await Promise.all(rows.map((row) => carry(here.ledger, 'r1', row - 1, { [row - 1]: SUCCEEDED })));
    const readers = await Promise.all([here.another(), here.another(), here.another()]);
    const reported = await Promise.all(readers.map((it) => it.runs.get('r1')));
    expect(reported.map((it) => it?.requests)).toEqual([300, 300, 300]);
    expect(await readers[0]?.runs.counts('r1')).toEqual({ succeeded: 300 });
  });

  test('of more results than are folded at once none is lost or counted twice', async () => {
    const rows = Array.from({ length: 1700 }, (_, index) => index + 2);
    await planRun(
      here.ledger,
      'r1',
      rows.map((row) => order(row, { key: `k${row}` })),
    );
    for (let from = 0; from < rows.length; from += 100) {
      const some = rows.slice(from, from + 100);
      await Promise.all(some.map((row) => carry(here.ledger, 'r1', row - 1, { [row - 1]: SUCCEEDED })));
    }
    expect(await here.ledger.runs.counts('r1')).toEqual({ succeeded: 1700 });
    expect((await here.ledger.runs.get('r1'))?.requests).toBe(1700);
    expect((await allRows(here.ledger, 'r1')).every((it) => it.attempts === 1)).toBe(true);
  });
});

describeLedger('a process that reads page by page while others send', (here) => {
  test('shows a holder as it is when its page is read', async () => {
    await planRun(here.ledger, 'r1', [order(2, { key: 'K' }), order(3, { key: 'L' })]);
    await openBatch(here.ledger, 'r1', 1);
    await openBatch(here.ledger, 'r1', 2);
    const other = await here.another();
    await planRun(other, 'r2', [order(2, { key: 'K' }), order(3, { key: 'L' })], { job: 'two' });
    const held = other.plan.heldKeys('r2');
    await closeBatch(here.ledger, 'r1', 1, { 1: { status: 'rejected', code: '13004' } });
    await closeBatch(here.ledger, 'r1', 2, { 2: SUCCEEDED });
    expect((await collect(held)).map((it) => `${it.item} ${it.holder.status}`)).toEqual(['2 succeeded']);
  });

  test('sees what ended since the page before', async () => {
    await planRun(
      here.ledger,
      'r1',
      Array.from({ length: 600 }, (_, index) => order(index + 2, { key: `k${index}` })),
    );
    await openBatch(here.ledger, 'r1', 550);
    const other = await here.another();
    const reported: string[] = [];
    for await (const page of other.report.rows('r1', 'not_sent')) {
      reported.push(...page.map((it) => `${it.row} ${it.status}`));
      if (reported.length <= 500) {
        await closeBatch(here.ledger, 'r1', 550, { 550: SUCCEEDED });
        await openBatch(here.ledger, 'r1', 560);
      }
    }
    expect(reported).toHaveLength(600);
    expect(reported.filter((it) => !it.endsWith('not_sent'))).toEqual(['551 succeeded', '561 unknown']);
  });
});

describeLedger('histories', (often, maker) => {
  const late = useLedger(maker);

  test.each([
    ['sandbox', 'sandbox'],
    ['sandbox', 'sandbox http://localhost:1'],
    ['sandbox http://localhost:1', 'sandbox'],
  ] as const)(
    'never send what the other run sent successfully, or may have: scopes %s and %s',
    async (...scopes) => {
      await fc.assert(
        fc.asyncProperty(HISTORY, async (history) => {
          await often.renew();
          await planBoth(often.ledger, scopes);
          const tellers = { r1: new Teller(often.ledger), r2: new Teller(await often.another()) };
          for (const step of [...SETTLED_FIRST, ...history]) {
            const [own, other] = step.run === 'r1' ? ['r1', 'r2'] : ['r2', 'r1'];
            const before = {
              own: await allRows(often.ledger, own),
              other: await allRows(often.ledger, other),
            };
            const reported = await tellers[step.run].tell(step, often.ledger);
            expect(sentTwice(step, reported, before)).toEqual([]);
          }
        }),
        {
          numRuns: Number(process.env.LEDGER_HISTORIES ?? maker.histories(12)),
          seed: Number(process.env.LEDGER_SEED ?? 15),
        },
      );
    },
  );

  test('come to the same, whether a process reads after each step or only now and then', async () => {
    await fc.assert(
      fc.asyncProperty(HISTORY, async (history) => {
        for (const it of [often, late]) {
          await it.renew();
          await planBoth(it.ledger);
        }
        const others = await late.another();
        const reported = [new Teller(often.ledger), new Teller(late.ledger)] as const;
        for (const step of history) {
          const first = await reported[0].tell(step, often.ledger);
          await often.ledger.runs.list(1);
          expect(await reported[1].tell(step, others)).toEqual(first);
        }
        expect(await tellAll(others)).toEqual(await tellAll(often.ledger));
        expect(await tellAll(late.ledger)).toEqual(await tellAll(often.ledger));
      }),
      {
        numRuns: Number(process.env.LEDGER_HISTORIES ?? maker.histories(6)),
        seed: Number(process.env.LEDGER_SEED ?? 14),
      },
    );
  });
});
