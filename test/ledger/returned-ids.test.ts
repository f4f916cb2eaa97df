import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderText } from '../../src/errors/message.js';
import type { AttemptEnd } from '../../src/ledger/contract/execution.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { allRows, closeBatch, openBatch, order, planRun, statuses } from '../support/ledger-samples.js';
import { LEDGER_MAKERS, type LedgerPlace, POSTGRES } from '../support/ledgers.js';

const bought = (id: string) => ({ status: 'succeeded', licenseOrderId: id, code: '0' }) as const;
const given = (item: number, id: string, acrossRuns = true): Partial<AttemptEnd> => ({
  given: { items: [{ item, ids: [`order ${id}`] }], acrossRuns },
});

describe.each(LEDGER_MAKERS)('ids that a platform gave to items ($name)', (maker) => {
  let folder: string;
  let place: LedgerPlace;
  let ledger: Ledger;
  /** Another process at the same ledger. */
  let other: Ledger;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ledger-given-'));
    place = await maker.place(folder);
    ledger = await place.open();
    other = await place.open();
  });

  afterEach(async () => {
    await other.close();
    await ledger.close();
    await place.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('belong to one of two items whose replies are written at the same time by two processes', async () => {
    const count = 40;
    await planRun(
      ledger,
      'r1',
      Array.from({ length: count }, (_, at) => order(at + 2, { key: `k${at}` })),
    );
    for (let batch = 1; batch <= count; batch += 1) await openBatch(ledger, 'r1', batch);
    await Promise.all(
      Array.from({ length: count }, (_, at) => {
        const id = `LO-${at % (count / 2)}`;
        const by = at < count / 2 ? ledger : other;
        return closeBatch(by, 'r1', at + 1, { [at + 1]: bought(id) }, given(at + 1, id));
      }),
    );
    const rows = await allRows(ledger, 'r1');
    for (let at = 0; at < count / 2; at += 1) {
      const pair = [rows[at]!, rows[at + count / 2]!];
      expect(pair.map((it) => it.status).sort()).toEqual(['succeeded', 'unknown']);
      const twice = pair.find((it) => it.status === 'unknown')!;
      const first = pair.find((it) => it.status === 'succeeded')!;
      expect(twice.licenseOrderId).toBeUndefined();
      expect(twice.messages.map(({ text }) => renderText(text)).join()).toContain(
        `row ${first.row} of run r1`,
      );
    }
  });

  it('may be given again for the same key, not for another', async () => {
    await planRun(ledger, 'r1', [order(2, { key: 'K' })]);
    await openBatch(ledger, 'r1', 1);
    await closeBatch(ledger, 'r1', 1, { 1: bought('LO-1') }, given(1, 'LO-1'));
    await planRun(ledger, 'r2', [order(2, { key: 'K' }), order(3, { key: 'L' })]);
    for (const batch of [1, 2]) await openBatch(ledger, 'r2', batch, 1, false);
    await closeBatch(ledger, 'r2', 2, { 2: bought('LO-1') }, given(2, 'LO-1'));
    // The other one is still in progress.
    expect(await statuses(ledger, 'r2')).toBe('2 unknown, 3 unknown');
    await closeBatch(ledger, 'r2', 1, { 1: bought('LO-9') }, given(1, 'LO-9'));
    await planRun(ledger, 'r3', [order(2, { key: 'K' })]);
    await openBatch(ledger, 'r3', 1, 1, false);
    await closeBatch(ledger, 'r3', 1, { 1: bought('LO-1') }, given(1, 'LO-1'));
    expect(await statuses(ledger, 'r3')).toBe('2 succeeded');
  });
});

it('an id of another item resolves nothing when its reply comes late', async () => {
  const place = await POSTGRES.place('');
  const ledger = await place.open();
  try {
    await planRun(ledger, 'r1', [order(2), order(3)]);
    await openBatch(ledger, 'r1', 1);
    await closeBatch(ledger, 'r1', 1, { 1: bought('LO-1') }, given(1, 'LO-1'));
    const nonce = 'late';
    await ledger.execution.open({ run: 'r1', batch: 2, attempt: 1, nonce, startedAt: 1 }, { claim: true });
    await ledger.execution.recover('r1', false, { status: 'unknown' });
    await closeBatch(ledger, 'r1', 2, { 2: bought('LO-1') }, { nonce, ...given(2, 'LO-1') });
    expect(await statuses(ledger, 'r1')).toBe('2 succeeded, 3 unknown');
  } finally {
    await ledger.close();
    await place.remove();
  }
});
