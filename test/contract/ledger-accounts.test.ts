import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import type { ItemOutcome, ItemStatus } from '../../src/model/item.js';
import { STATUSES, type Status, severity } from '../../src/model/status.js';
import {
  allPending,
  allRows,
  closeBatch,
  columnsOf,
  openBatch,
  order,
  runStart,
} from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

const ENDS: readonly ItemStatus[] = ['succeeded', 'accepted', 'rejected', 'failed', 'unknown', 'not_sent'];

/** What happens to one item in one attempt: an end, or none (it comes again). */
const end = fc.option(fc.constantFrom(...ENDS), { nil: undefined });

const row = fc.record({
  items: fc.integer({ min: 0, max: 3 }),
  verdict: fc.option(fc.constantFrom('invalid' as const, 'skipped' as const), { nil: undefined }),
  channel: fc.constantFrom('A', 'B', 'C'),
});

const story = fc.record({
  rows: fc.array(row, { maxLength: 25 }),
  /** Rows that share an item with the row before them. */
  shared: fc.array(fc.nat(24), { maxLength: 5 }),
  size: fc.integer({ min: 1, max: 4 }),
  rounds: fc.array(fc.array(fc.array(end, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 30 }), {
    maxLength: 4,
  }),
  /** Batches whose last attempt stays open, as after a crash. */
  crashes: fc.nat(3),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

describeLedger('accounts', (here) => {
  let runs = 0;

  /** Plans and executes a story; gives what each row must show. */
  async function live(ledger: Ledger, run: string, it: Story): Promise<Map<number, Status>> {
    const expected = new Map<number, Status[]>();
    const rowsOf = new Map<number, readonly number[]>();
    const note = (number: number, status: Status) =>
      expected.set(number, [...(expected.get(number) ?? []), status]);
    await ledger.runs.create(runStart(run));
    let item = 0;
    for (const [index, { items, verdict, channel }] of it.rows.entries()) {
      const rows = it.shared.includes(index) ? [index + 2, index + 3] : [index + 2];
      for (let n = 0; n < items; n += 1) {
        item += 1;
        rowsOf.set(item, rows);
        await ledger.plan.addItems(
          run,
          columnsOf([order(index + 2, { rows, envelope: { channelCode: channel } })]),
        );
      }
      if (!verdict) continue;
      await ledger.plan.addVerdicts(run, [{ row: index + 2, status: verdict }]);
      note(index + 2, verdict);
    }
    await ledger.plan.formBatches(run, it.size);
    await ledger.plan.finish(run, 0);
    const state = new Map<number, Status>([...rowsOf.keys()].map((number) => [number, 'not_sent']));
    for (const round of it.rounds) {
      const batches = await allPending(ledger, run);
      await Promise.all(
        batches.map(async ({ batch, items, attempts }, index) => {
          const ends = round[index % round.length] ?? [];
          await openBatch(ledger, run, batch, attempts + 1);
          const outcomes: Record<number, ItemOutcome> = {};
          for (const [place, { item: number }] of items.entries()) {
            const status = ends[place];
            if (status === undefined) continue;
            outcomes[number] = { status };
            state.set(number, status as Status);
          }
          await closeBatch(ledger, run, batch, outcomes, { attempt: attempts + 1, noEffect: true });
        }),
      );
    }
    for (const { batch, items, attempts } of (await allPending(ledger, run)).slice(0, it.crashes)) {
      await openBatch(ledger, run, batch, attempts + 1);
      for (const { item: number } of items) state.set(number, 'unknown');
    }
    for (const [number, status] of state) for (const its of rowsOf.get(number) ?? []) note(its, status);
    return new Map([...expected].map(([number, all]) => [number, worstOf(all)]));
  }

  test('every planned row shows once, with the worst of its statuses, and all counts add up', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (it) => {
        runs += 1;
        const run = `r${runs}`;
        const expected = await live(here.ledger, run, it);
        const shown = await allRows(here.ledger, run);
        expect(shown.map(({ row: number, status }) => [number, status])).toEqual(
          [...expected].sort(([a], [b]) => a - b),
        );
        const tally = Object.fromEntries(
          STATUSES.map((status) => [status, shown.filter((its) => its.status === status).length]).filter(
            ([, n]) => n !== 0,
          ),
        );
        expect(await here.ledger.runs.counts(run)).toEqual(tally);
        const items = await here.ledger.execution.itemCounts(run);
        const { pending = 0, open = 0 } = items;
        expect((await here.ledger.execution.remaining(run)).items).toBe(pending + open);
        const planned = (await here.ledger.runs.get(run))?.items;
        expect(Object.values(items).reduce((sum, n) => sum + n, 0)).toBe(planned);
      }),
      { numRuns: 25 },
    );
  });
});

function worstOf(all: readonly Status[]): Status {
  const found = [...all].sort((a, b) => severity(b) - severity(a))[0] ?? 'not_sent';
  // `rejected` means "without effect".
  return found === 'rejected' && all.some((it) => it === 'succeeded' || it === 'accepted') ? 'failed' : found;
}
