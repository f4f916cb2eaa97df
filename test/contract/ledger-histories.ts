import fc from 'fast-check';
import type { Cleared } from '../../src/ledger/contract/execution.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import type { RowResult } from '../../src/ledger/contract/report.js';
import type { ResolvedTo } from '../../src/ledger/contract/resolutions.js';
import type { ItemOutcome } from '../../src/model/item.js';
import { allRows, collect, order, planRun } from '../support/ledger-samples.js';

/** What may happen to the batches of two runs that share keys. */
export type Step =
  | { readonly do: 'open'; readonly run: Run; readonly batches: readonly number[]; readonly claim: boolean }
  | { readonly do: 'close'; readonly run: Run; readonly batch: number; readonly as: keyof typeof ENDS }
  | { readonly do: 'settle'; readonly run: Run; readonly item: number; readonly to: ResolvedTo }
  | { readonly do: 'recover' | 'release' | 'look'; readonly run: Run };

type Run = 'r1' | 'r2';
const BATCHES = 5;
const PER_BATCH = 2;

const all = (outcome: ItemOutcome) => [outcome, outcome];
const RECORD = { customerId: 'C1', long: 12345678901234567890n };

/** Outcomes by the item's place in its batch, and whether its request had left. */
const ENDS = {
  succeeded: { sent: true, outcomes: all({ status: 'succeeded', licenseOrderId: 'LO-1', code: '0' }) },
  accepted: { sent: true, outcomes: all({ status: 'accepted', columns: { customerId: '客户' } }) },
  records: { sent: true, outcomes: all({ status: 'succeeded', records: [RECORD, { a: null }] }) },
  rejected: {
    sent: true,
    outcomes: all({ status: 'rejected', code: '4\u0000\ud800', message: 'no "\u2028" \ud800' }),
  },
  unknown: { sent: true, outcomes: all({ status: 'unknown' }) },
  inPart: { sent: true, outcomes: [{ status: 'succeeded', licenseOrderId: '订单' } as const, undefined] },
  halfFailed: { sent: true, outcomes: [undefined, { status: 'failed', message: 'later' } as const] },
  unsent: { sent: false, outcomes: [] },
  lost: { sent: true, outcomes: [] },
  harmless: { sent: true, noEffect: true, outcomes: [] },
  turnedAway: { sent: true, outcomes: all({ status: 'not_sent', code: '401', message: 'who are you?' }) },
} satisfies Record<
  string,
  { sent: boolean; noEffect?: boolean; outcomes: readonly (ItemOutcome | undefined)[] }
>;

const run = fc.constantFrom<Run>('r1', 'r2');
const batch = fc.integer({ min: 1, max: BATCHES });

export const HISTORY: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('open' as const),
        run,
        batches: fc.uniqueArray(batch, { minLength: 1, maxLength: 4 }),
        claim: fc.boolean(),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('close' as const),
        run,
        batch,
        as: fc.constantFrom(...(Object.keys(ENDS) as (keyof typeof ENDS)[])),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom('recover' as const, 'release' as const), run }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('settle' as const),
        run,
        // Mostly one whose key both runs have.
        item: fc.oneof(
          batch.map((it) => it * PER_BATCH),
          fc.integer({ min: 1, max: BATCHES * PER_BATCH }),
        ),
        to: fc.constantFrom<ResolvedTo>('succeeded', 'failed', 'unknown'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const), run }) },
  ),
  { minLength: 1, maxLength: 30, size: 'max' },
);

/**
 * What the first run left unknown of the keys that both have is said to have failed, and the second one is about to send
 * them: whatever follows may correct it.
 */
export const SETTLED_FIRST: readonly Step[] = [
  ...[1, 2, 3, 4, 5].flatMap((batch): Step[] => [
    { do: 'open', run: 'r1', batches: [batch], claim: true },
    { do: 'close', run: 'r1', batch, as: 'unknown' },
    { do: 'settle', run: 'r1', item: batch * PER_BATCH, to: 'failed' },
  ]),
  { do: 'open', run: 'r2', batches: [1], claim: true },
];

/** Two planned runs; every second key of the first is one of the second, too. */
export async function planBoth(
  ledger: Ledger,
  scopes: readonly [string, string] = ['sandbox', 'sandbox'],
): Promise<void> {
  const items = Array.from({ length: BATCHES * PER_BATCH }, (_, index) => index + 1);
  const of = (name: string, shared: (item: number) => boolean) =>
    items.map((item) =>
      order(item + 1, {
        ...(item === 3 ? {} : { key: shared(item) ? `k${item}` : `${name}-${item}` }),
        content: `c${item}`,
      }),
    );
  await planRun(
    ledger,
    'r1',
    of('r1', () => true),
    { size: PER_BATCH, scope: scopes[0] },
  );
  await planRun(
    ledger,
    'r2',
    of('r2', (item) => item % 2 === 0),
    { size: PER_BATCH, scope: scopes[1] },
  );
}

/** Executes a history; gives what each of its steps returned. */
export class Teller {
  readonly #ledger: Ledger;
  readonly #attempts = new Map<string, number>();
  #clock = 1000;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** @param reader who looks; another connection, or the same */
  async tell(step: Step, reader: Ledger): Promise<unknown> {
    this.#clock += 1000;
    const at = this.#clock;
    switch (step.do) {
      case 'open':
        return Promise.all(step.batches.map((batch) => this.#open(step.run, batch, step.claim, at)));
      case 'close':
        return this.#close(step.run, step.batch, step.as, at);
      case 'settle':
        return this.#settle(step, at);
      case 'recover':
        return this.#ledger.execution.recover(step.run, false, { status: 'unknown', message: 'died' });
      case 'release':
        return this.#ledger.execution.release(step.run);
      case 'look':
        return reader.runs.get(step.run).then((it) => [it?.requests, it?.retries]);
    }
  }

  async #open(run: string, batch: number, claim: boolean, startedAt: number): Promise<unknown> {
    const place = `${run} ${batch}`;
    const attempt = (this.#attempts.get(place) ?? 0) + 1;
    const nonce = `${place} ${attempt}`;
    try {
      const intent = { run, batch, attempt, nonce, startedAt, afterPause: attempt === 3 };
      const cleared = await this.#ledger.execution.open(intent, { claim });
      if (cleared.withheld.length < PER_BATCH) this.#attempts.set(place, attempt);
      return cleared;
    } catch (error) {
      return codeOf(error);
    }
  }

  #settle({ run, item, to }: Step & { do: 'settle' }, at: number): Promise<readonly number[]> {
    const found = { item, at, who: 'me@desk', how: 'operator', corrects: true } as const;
    return this.#ledger.resolutions.record(run, [{ ...found, outcome: { status: to } }]);
  }

  async #close(run: string, batch: number, as: keyof typeof ENDS, endedAt: number): Promise<unknown> {
    const { outcomes, ...left } = ENDS[as];
    const first = (batch - 1) * PER_BATCH + 1;
    const attempt = this.#attempts.get(`${run} ${batch}`) ?? 1;
    const said = outcomes.flatMap((outcome, place) =>
      outcome ? [{ item: first + place, outcome: outcome as ItemOutcome }] : [],
    );
    const end = { run, batch, attempt, endedAt, event: 'reply', reply: `"${as}"`, ...left, outcomes: said };
    return this.#ledger.execution.close(end).then(() => 'closed', codeOf);
  }
}

function codeOf(error: unknown): unknown {
  return (error as { detail?: { code: string } }).detail?.code ?? String(error);
}

/**
 * Items that a step has released although the other run sent the same thing, or may have: what must never be, but
 * where a repeat is required, or the item itself may have been sent before.
 * @param before rows of the run and of the other one, before the step
 */
export function sentTwice(
  step: Step,
  reported: unknown,
  before: { readonly own: readonly RowResult[]; readonly other: readonly RowResult[] },
): readonly number[] {
  if (step.do !== 'open' || !step.claim) return [];
  const statusOf = (rows: readonly RowResult[], item: number) =>
    rows.find((it) => it.row === item + 1)?.status;
  return step.batches.flatMap((batch, index) => {
    const cleared = (reported as readonly unknown[])[index];
    if (typeof cleared === 'string') return [];
    const withheld = new Set((cleared as Cleared).withheld.map((it) => it.item));
    // The second item of a batch is the one whose key both runs have.
    const item = batch * PER_BATCH;
    const effect = ['succeeded', 'accepted', 'unknown'].includes(statusOf(before.other, item) ?? '');
    return effect && statusOf(before.own, item) === 'not_sent' && !withheld.has(item) ? [item] : [];
  });
}

/** All that a ledger says of both runs. */
export async function tellAll(ledger: Ledger): Promise<unknown> {
  const reported: unknown[] = [];
  for (const id of ['r1', 'r2']) {
    const { requests, retries } = (await ledger.runs.get(id)) ?? {};
    const rows = await allRows(ledger, id);
    reported.push({
      made: [requests, retries],
      rows,
      counts: await ledger.runs.counts(id),
      items: await ledger.execution.itemCounts(id),
      remaining: await ledger.execution.remaining(id),
      pending: await ledger.execution.pending(id, 0, 100),
      attempts: (await collect(ledger.report.attempts(id))).flat(),
      records: (await collect(ledger.report.records(id))).flat(),
      held: await collect(ledger.plan.heldKeys(id)),
      unknown: await collect(ledger.resolutions.unknown(id)),
      stories: await Promise.all(rows.map(({ row }) => ledger.report.row(id, row))),
    });
  }
  return timeless(reported);
}

/** When a process was found dead is of the clock, not of the history. */
function timeless(reported: unknown): unknown {
  if (Array.isArray(reported)) return reported.map(timeless);
  if (typeof reported !== 'object' || reported === null) return reported;
  const members = Object.entries(reported).map(([name, value]) => [
    name,
    name === 'endedAt' && Number(value) > 1e12 ? 'found' : timeless(value),
  ]);
  return Object.fromEntries(members);
}
