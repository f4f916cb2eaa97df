import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import {
  countsAs,
  effectOf,
  type ItemState,
  isToBeSent,
  mayHaveHadEffect,
} from '../../src/ledger/rules/item-state.js';
import { isUnresolved } from '../../src/ledger/rules/resolutions.js';
import { packId } from '../../src/ledger/store/ids.js';
import * as sql from '../../src/ledger/store/item-state.js';
import type { ItemStatus } from '../../src/model/item.js';
import { allRows, collect, order, planRun } from '../support/ledger-samples.js';
import { LEDGER_MAKERS, type LedgerPlace, SQLITE } from '../support/ledgers.js';

const OUTCOMES: readonly (ItemStatus | undefined)[] = [
  undefined,
  'succeeded',
  'accepted',
  'rejected',
  'failed',
  'unknown',
  'not_sent',
  'skipped',
];

/** Attempts of a batch, oldest first. */
const ATTEMPTS: readonly (readonly ('open' | 'doubtful' | 'ended')[])[] = [
  [],
  ['open'],
  ['ended'],
  ['doubtful'],
  ['ended', 'open'],
  ['doubtful', 'open'],
  ['doubtful', 'ended'],
];

interface Case extends ItemState {
  /** Number of the item, its batch, and (one more) its row. */
  readonly item: number;
  readonly attempts: (typeof ATTEMPTS)[number];
}

const CASES: readonly Case[] = OUTCOMES.flatMap((outcome) =>
  ATTEMPTS.map((attempts) => ({ outcome, attempts })),
).map((it, index) => ({
  ...it,
  item: index + 1,
  open: it.attempts.includes('open'),
  uncertain: it.attempts.includes('doubtful'),
}));

const reported = ({ item, outcome, attempts }: Case): string =>
  `${item}: ${outcome ?? 'none'} after ${attempts.join(', ') || 'nothing'}`;
const where = (holds: (it: Case) => boolean): readonly string[] => CASES.filter(holds).map(reported);

describe.each(LEDGER_MAKERS)('$name', (maker) => {
  let folder: string;
  let place: LedgerPlace;
  let ledger: Ledger;

  /** A run with an item for each case, each in a batch of its own; its tables filled manually. */
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ledger-rules-'));
    place = await maker.place(folder);
    ledger = await place.open();
    const items = CASES.map(({ item }) => order(item + 1, { key: `K${item}` }));
    await planRun(ledger, 'r1', items);
    // Attempts as no process would write them.
    if (maker === SQLITE) await place.ask('DROP TRIGGER attempts_only_folded');
    const attempts = CASES.flatMap(({ item, attempts }) =>
      attempts.map((it, at) => {
        const end = it === 'open' ? 'NULL, NULL' : `2, ${Number(it === 'doubtful')}`;
        return `(${packId(1, item)}, ${at + 1}, 'n${item}-${at}', 1, ${end})`;
      }),
    );
    await place.ask(
      `INSERT INTO attempts (batch, attempt, nonce, started_at, ended_at, doubtful) VALUES ${attempts.join(', ')}`,
    );
    const outcomes = CASES.flatMap(({ item, outcome }) =>
      outcome ? [`(${packId(1, item)}, '${outcome}', 1)`] : [],
    );
    await place.ask(`INSERT INTO outcomes (item, status, attempts) VALUES ${outcomes.join(', ')}`);
  });

  afterAll(async () => {
    await ledger.close();
    await place.remove();
    await rm(folder, { recursive: true, force: true });
  });

  describe('the rules in SQL say of every item what the rules say', () => {
    it.each([
      ['isToBeSent', sql.TO_BE_SENT, (it: Case) => isToBeSent(it.outcome)],
      [
        'countsAs: unknown without an end',
        sql.countsAsUnknown('items.id'),
        (it: Case) => isToBeSent(it.outcome) && countsAs(it, 'valid') === 'unknown',
      ],
      ['mayHaveHadEffect', sql.mayHaveHadEffect('items.id'), mayHaveHadEffect],
      ['isUnresolved', sql.isUnresolved('batch_items.batch'), isUnresolved],
    ])('%s', async (_, condition, rule) => {
      const found = await place.ask<{ id: number | string }>(
        `SELECT items.id FROM items JOIN batch_items ON batch_items.item = items.id
         LEFT JOIN outcomes ON outcomes.item = items.id WHERE ${condition} ORDER BY items.id`,
      );
      const numbers = new Set(found.map(({ id }) => Number(id) - packId(1, 0)));
      expect(where(({ item }) => numbers.has(item))).toEqual(where(rule));
    });
  });

  describe('the stores go by the rules', () => {
    it.each(['valid', 'not_sent'] as const)('rows, where what waits counts as %s', async (pendingAs) => {
      const found = (await allRows(ledger, 'r1', pendingAs)).map((it) => it.status);
      expect(found).toEqual(CASES.map((it) => countsAs(it, pendingAs)));
    });

    it('counts, evidence, and what may be resolved', async () => {
      const counts: Record<string, number> = {};
      for (const it of CASES) {
        const status = countsAs(it, 'not_sent');
        counts[status] = (counts[status] ?? 0) + 1;
      }
      expect(await ledger.runs.counts('r1')).toEqual(counts);
      const traces = (await collect(ledger.resolutions.traces('r1', { records: false }))).flat();
      expect(traces.map(({ item, status }) => [item, status])).toEqual(
        CASES.filter(mayHaveHadEffect).map(({ item, outcome }) => [item, effectOf(outcome)]),
      );
      const unknown = await collect(ledger.resolutions.unknown('r1'));
      expect(unknown.map(({ item }) => item)).toEqual(CASES.filter(isUnresolved).map(({ item }) => item));
    });
  });
});
