import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
import { systemClock } from '../../src/util/clock.js';
import { collect, openBatch, order, planRun } from '../support/ledger-samples.js';

const SRC = new URL('../../src/', import.meta.url).pathname;
/** What reads a clock or waits by one; `Clock` has all of it. */
const TIME = /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b|\bsetTimeout\b|\bsetInterval\b/;

it.each(['ledger', 'run', 'inbox', 'reconcile'])(
  'nothing in src/%s looks at a clock but the one it is given',
  (room) => {
    const files = readdirSync(path.join(SRC, room), { recursive: true, encoding: 'utf8' });
    const sources = files.filter((it) => it.endsWith('.ts'));
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((it) => TIME.test(readFileSync(path.join(SRC, room, it), 'utf8')))).toEqual([]);
  },
);

it('what the ledger finds out by itself bears the time of the clock it was opened with', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledger-time-'));
  const clock = { ...systemClock, now: () => 1_700_000_000_123 };
  const ledger = await openLedger(path.join(folder, 'ledger.db'), { clock });
  try {
    await planRun(ledger, 'r1', [order(2)]);
    await openBatch(ledger, 'r1', 1);
    await ledger.execution.recover('r1', true, { status: 'unknown' });
    const [attempts] = await collect(ledger.report.attempts('r1'));
    expect(attempts?.[0]).toMatchObject({ event: 'died', endedAt: 1_700_000_000_123 });
    await ledger.runs.patch('r1', { state: 'invalid', endedAt: 1 });
    expect(await ledger.runs.prune(2)).toBe(1);
    expect((await ledger.runs.get('r1'))?.prunedAt).toBe(1_700_000_000_123);
  } finally {
    await ledger.close();
    await rm(folder, { recursive: true, force: true });
  }
});
