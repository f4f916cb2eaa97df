import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import type { Run } from '../../src/ledger/contract/runs.js';
import { takeLock } from '../../src/ledger/take-lock.js';
import { liveStateOf } from '../../src/run/live-state.js';
import { SILENT } from '../../src/run/observer.js';
import { resumeRun } from '../../src/run/start-run.js';
import { systemClock } from '../../src/util/clock.js';
import { ownProcess } from '../../src/util/process.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { runStart } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

describeLedger('a run that was read while its process was at work on it', (here) => {
  const read = async (): Promise<Run> => (await here.ledger.runs.get('r1'))!;

  for (const kind of ['run', 'reconcile'] as const) {
    it(`is not cut off because it ended in the meantime: ${kind}`, async () => {
      const { runs } = here.ledger;
      await runs.create(runStart('r1', { kind }));
      const lock = await takeLock(here.ledger, 'new-buy', 'sandbox', 'r1');
      const before = await read();
      expect(await liveStateOf(here.ledger, before)).toBe('planning');
      if (kind === 'run') await runs.patch('r1', { state: 'planned' });
      await runs.patch('r1', { state: 'completed' });
      await lock.release();
      // It is reported as it was read, like all that was read with it.
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

  it('is cut off where no process holds it and nothing more was recorded', async () => {
    await here.ledger.runs.create(runStart('r1'));
    const before = await read();
    await here.ledger.runs.patch('r1', { state: 'planned' });
    expect(await liveStateOf(here.ledger, before)).toBe('cut off');
  });
});

describeLedger('a plan whose process still exists', (here) => {
  it.each(['plan', 'dry_run'] as const)('is not planned by a second one: %s', async (kind) => {
    const { ledger } = here;
    // It may be suspended: it has no lock that another one could take from it.
    const begunBy = { process: process.ppid, host: hostname() };
    await ledger.runs.create(runStart('r1', { kind, settings: { begunBy } }));
    const services = { ledger, stateFolder: ledger.stateFolder, observer: SILENT, stop: new StopSignal() };
    const parts = { ...services, clock: systemClock, language: 'en', confirm: false } as const;
    const run = (await ledger.runs.get('r1'))!;
    await expect(resumeRun(parts, run, (it) => it)).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'ledger.run_going_on', params: { run: 'r1', process: String(process.ppid) } },
    });
    expect(await ledger.runs.get('r1')).toEqual(run);
  });
});
