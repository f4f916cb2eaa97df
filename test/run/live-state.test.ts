import { expect, it } from 'vitest';
import type { Run } from '../../src/ledger/contract/run.js';
import { takeLock } from '../../src/ledger/take-lock.js';
import { liveStateOf } from '../../src/run/live-state.js';
import { ownProcess } from '../../src/util/process-alive.js';
import { runStart } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

describeLedger('a run that was read while its process was at work on it', (here) => {
  const read = async (): Promise<Run> => (await here.ledger.runs.get('r1'))!;

  for (const kind of ['run', 'reconcile'] as const) {
    it(`is not cut off because it ended meanwhile: ${kind}`, async () => {
      const { runs } = here.ledger;
      await runs.create(runStart('r1', { kind }));
      const lock = await takeLock(here.ledger, 'new-buy', 'sandbox', 'r1');
      const before = await read();
      expect(await liveStateOf(here.ledger, before)).toBe('planning');
      if (kind === 'run') await runs.patch('r1', { state: 'planned' });
      await runs.patch('r1', { state: 'completed' });
      await lock.release();
      // It is told as it was read, like all that was read with it.
      expect(await liveStateOf(here.ledger, before)).toBe('planning');
      expect(await liveStateOf(here.ledger, await read())).toBe('completed');
    });
  }

  it('is not cut off because its planning ended, and its process with it', async () => {
    const begunBy = { ...ownProcess(), process: 2 ** 22 + 1 };
    await here.ledger.runs.create(runStart('r1', { kind: 'plan', settings: { begunBy } }));
    const before = await read();
    expect(await liveStateOf(here.ledger, before)).toBe('cut off');
    await here.ledger.runs.patch('r1', { state: 'planned' });
    expect(await liveStateOf(here.ledger, before)).toBe('planning');
  });

  it('is cut off where nobody holds it and nothing more came of it', async () => {
    await here.ledger.runs.create(runStart('r1'));
    const before = await read();
    await here.ledger.runs.patch('r1', { state: 'planned' });
    expect(await liveStateOf(here.ledger, before)).toBe('cut off');
  });
});
