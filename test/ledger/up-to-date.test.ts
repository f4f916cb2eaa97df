import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { openLedger } from '../../src/ledger/open.js';
import { Database } from '../../src/ledger/sqlite/database.js';
import { SqlStore } from '../../src/ledger/store/runner.js';
import { closeBatch, collect, openBatch, order, planRun, SUCCEEDED } from '../support/ledger-samples.js';

const SETTLED = {
  item: 3,
  at: 5,
  who: 'me',
  how: 'operator',
  outcome: { status: 'succeeded', licenseOrderId: 'LO-9' },
} as const;
const OF_JOB = { job: 'new-buy', connection: 'sandbox', scope: 'sandbox' };

type Stores = Pick<
  Ledger,
  'runs' | 'plan' | 'execution' | 'report' | 'resolutions' | 'reversals' | 'assetIndex'
>;
/** What a function reports; `WRITES`: it neither reads attempts nor depends on the outcome of them. */
type Reported = (ledger: Ledger) => Promise<unknown>;
const WRITES = 'writes';

/** Every function of the stores that share the ledger's file: a new one needs a line. */
const REPORTED: {
  readonly [S in keyof Stores]: { readonly [F in keyof Stores[S]]: Reported | typeof WRITES };
} = {
  runs: {
    create: WRITES,
    patch: WRITES,
    get: (it) => it.runs.get('r1'),
    last: (it) => it.runs.last(['run']),
    children: (it) => it.runs.children('r0'),
    versionsOfSteps: (it) => it.runs.versionsOfSteps('r1', 9),
    list: (it) => it.runs.list(9),
    find: (it) => it.runs.find({}, 9),
    counts: (it) => it.runs.counts('r1'),
    lastOf: (it) => it.runs.lastOf(OF_JOB),
    listOf: (it) => it.runs.listOf(OF_JOB),
    totals: (it) => it.runs.totals(),
    prune: (it) => it.runs.prune(1e15),
  },
  plan: {
    clear: (it) => it.plan.clear('r1').then(String, (error: Error) => error.message),
    addItems: WRITES,
    addVerdicts: WRITES,
    addWarnings: WRITES,
    warnings: (it) => it.plan.warnings('r1'),
    repeatedKeys: (it) => collect(it.plan.repeatedKeys('r1')),
    contradictions: (it) => collect(it.plan.contradictions('r1')),
    content: (it) => it.plan.content('r1', 1),
    itemsOfInvalidRows: (it) => collect(it.plan.itemsOfInvalidRows('r1')),
    unlink: WRITES,
    heldKeys: (it) => collect(it.plan.heldKeys('r2')),
    whichHeld: (it) => it.plan.whichHeld('r2', ['k2', 'other']),
    withdraw: WRITES,
    refuse: WRITES,
    formBatches: WRITES,
    finish: WRITES,
    bodies: (it) => collect(it.plan.bodies('r1')),
  },
  execution: {
    pending: (it) => it.execution.pending('r1', 0, 9),
    open: (it) => openBatch(it, 'r2', 1),
    close: WRITES,
    recover: (it) => it.execution.recover('r1', false, { status: 'unknown' }),
    release: WRITES,
    remaining: (it) => it.execution.remaining('r1'),
    itemCounts: (it) => it.execution.itemCounts('r1'),
  },
  report: {
    rows: (it) => collect(it.report.rows('r1', 'not_sent')),
    nextOf: (it) => it.report.nextOf('r1', ['succeeded'], { pendingAs: 'not_sent', after: 0 }),
    gains: (it) => collect(it.report.gains('r1')),
    records: (it) => collect(it.report.records('r1')),
    row: (it) => it.report.row('r1', 2),
    bodiesOf: (it) => it.report.bodiesOf('r1', [1, 2]),
    nearestRows: (it) => it.report.nearestRows('r1', 2, 2),
    sharedRows: (it) => collect(it.report.sharedRows('r1')),
    batch: (it) => it.report.batch('r1', 1),
    attempts: (it) => collect(it.report.attempts('r1')),
  },
  resolutions: {
    unknown: (it) => collect(it.resolutions.unknown('r1')),
    correctable: (it) => it.resolutions.correctable('r1', 2),
    traces: (it) => collect(it.resolutions.traces('r1', { records: true })),
    record: (it) => it.resolutions.record('r1', [SETTLED]),
    list: (it) => it.resolutions.list('r1'),
  },
  reversals: {
    effects: (it) => collect(it.reversals.effects('r1')),
    link: WRITES,
    finish: WRITES,
    orders: (it) => it.reversals.orders('r1'),
    by: (it) => it.reversals.by('r1'),
    ofRow: (it) => it.reversals.ofRow('r1', 2),
  },
  assetIndex: {
    unindexed: WRITES,
    add: WRITES,
    indexed: WRITES,
    contents: (it) => collect(it.assetIndex.contents('r1')),
    sentAlike: (it) => collect(it.assetIndex.sentAlike('r1', 'orders')),
    namedElsewhere: (it) => collect(it.assetIndex.namedElsewhere('r1')),
    namedForSeveral: (it) => it.assetIndex.namedForSeveral('r1'),
    sharing: (it) => it.assetIndex.sharing('r1', 7),
    rows: (it) => it.assetIndex.rows('r1', [1, 2]),
    things: (it) => it.assetIndex.things('r1', [1, 2]),
    naming: (it) => it.assetIndex.naming('r2', [7], { operations: 'all' }),
    reverted: (it) => it.assetIndex.reverted('r1', [1, 2]),
    idOf: (it) => it.assetIndex.idOf('r1', 2),
    runsNaming: (it) => it.assetIndex.runsNaming([7]),
  },
};

const ROWS = Object.entries(REPORTED).flatMap(([store, functions]) =>
  Object.entries(functions).map(([name, reported]) => ({ store: store as keyof Stores, name, reported })),
);

let folder: string;
let opened: Ledger[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledger-up-to-date-'));
  opened = [];
});

afterEach(async () => {
  for (const it of opened) await it.close();
  await rm(folder, { recursive: true, force: true });
});

const open = async (name: string): Promise<Ledger> => {
  const ledger = await openLedger(join(folder, name, 'ledger.db'));
  opened.push(ledger);
  return ledger;
};
const isFunction = (it: unknown): boolean => typeof it === 'function';
const lying = (name: string): number => {
  const db = new Database(join(folder, name, 'ledger.db'), { timeout: 0 });
  const found = db.get<{ n: number }>('SELECT count(*) AS n FROM attempts_begun')?.n ?? 0;
  db.close();
  return found;
};

/** A run with an attempt that succeeded, one that was refused, one with an uncertain outcome and one that is open; all of it appended. */
async function prepare(name: string): Promise<Ledger> {
  const ledger = await open(name);
  const items = [2, 3, 4, 5, 6].map((row) => order(row, { key: `k${row}`, things: [7] }));
  await planRun(ledger, 'r0', [order(9)]);
  await planRun(ledger, 'r1', items, { parent: 'r0' });
  await planRun(ledger, 'r2', items, { job: 'two' });
  for (const batch of [1, 2, 3, 4]) await openBatch(ledger, 'r1', batch);
  const records = [{ assetNum: 'A1' }];
  await closeBatch(ledger, 'r1', 1, { 1: { ...SUCCEEDED, records } });
  await closeBatch(ledger, 'r1', 2, { 2: { status: 'rejected', code: '13004' } });
  await closeBatch(ledger, 'r1', 3, { 3: { status: 'unknown' } });
  expect(lying(name)).toBe(4);
  return ledger;
}

describe('whatever a store reports while lines lie unfolded', () => {
  test('every function of a store has its line', async () => {
    const ledger = await open('any');
    for (const store of Object.keys(REPORTED) as (keyof Stores)[]) {
      const names = new Set(
        Object.entries(ledger[store]).flatMap(([name, it]) => (isFunction(it) ? [name] : [])),
      );
      for (
        let it = Object.getPrototypeOf(ledger[store]);
        it !== Object.prototype && it !== SqlStore.prototype;
        it = Object.getPrototypeOf(it)
      )
        for (const name of Object.getOwnPropertyNames(it)) names.add(name);
      for (const inner of ['constructor', 'readAll']) names.delete(inner);
      expect([...names].sort()).toEqual(Object.keys(REPORTED[store]).sort());
    }
  });

  test.each(ROWS.filter(({ reported }) => reported !== WRITES))(
    '$store, $name: reports it as after a fold',
    async ({ reported }) => {
      if (reported === WRITES) return;
      await prepare('now');
      const before = await open('now');
      await (await prepare('later')).runs.list(1);
      expect(lying('later')).toBe(0);
      // The same at each place, but for the numbers that no two attempts share.
      const plain = (it: unknown): string =>
        JSON.stringify(it, (key, value: unknown) => {
          if (key === 'nonce') return 'nonce';
          return typeof value === 'bigint' ? `${value}` : value;
        }) ?? 'nothing';
      const after = await open('later');
      expect(plain(await reported(before))).toBe(plain(await reported(after)));
    },
  );
});
