import { expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import { openLedger } from '../../src/ledger/open.js';
import { carry, order, planRun, runStart, SUCCEEDED } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

describeLedger('runs', (here) => {
  test('a run comes back as it was started, over a reopening, big integers exact', async () => {
    await here.ledger.runs.create(runStart('r1', { parent: 'r0' }));
    await here.reopen();
    expect(await here.ledger.runs.get('r1')).toEqual({
      ...runStart('r1', { parent: 'r0' }),
      state: 'planning',
      requests: 0,
      retries: 0,
      rows: 0,
      items: 0,
      executeMs: 0,
    });
    expect(await here.ledger.runs.get('r2')).toBeUndefined();
  });

  test('its address opens the same ledger again', async () => {
    await here.ledger.runs.create(runStart('r1'));
    const again = await openLedger(here.ledger.address);
    try {
      expect((await again.runs.get('r1'))?.job).toBe('new-buy');
      expect(again.stateFolder).toBe(here.ledger.stateFolder);
    } finally {
      await again.close();
    }
  });

  test('the runs made from another are reported, oldest first', async () => {
    await here.ledger.runs.create(runStart('r1'));
    await here.ledger.runs.create(runStart('r2', { parent: 'r1' }));
    await here.ledger.runs.create(runStart('r3', { parent: 'r2' }));
    await here.ledger.runs.create(runStart('r4', { parent: 'r1' }));
    expect((await here.ledger.runs.children('r1')).map((it) => it.id)).toEqual(['r2', 'r4']);
    expect(await here.ledger.runs.children('r4')).toEqual([]);
  });

  test('the same id twice is refused and the first stands', async () => {
    await here.ledger.runs.create(runStart('r1'));
    await expect(here.ledger.runs.create(runStart('r1', { job: 'other' }))).rejects.toMatchObject({
      kind: 'internal',
    });
    expect((await here.ledger.runs.get('r1'))?.job).toBe('new-buy');
  });

  test('a patch changes what it names and adds up execute times', async () => {
    await here.ledger.runs.create(runStart('r1'));
    await here.ledger.runs.patch('r1', { state: 'planned' });
    await here.ledger.runs.patch('r1', { state: 'executing', addExecuteMs: 5 });
    await here.ledger.runs.patch('r1', {
      state: 'stopped',
      endedAt: 9,
      exitCode: 4,
      addExecuteMs: 7,
      output: '/out.xlsx',
      reason: message('ledger.bad_address'),
    });
    expect(await here.ledger.runs.get('r1')).toMatchObject({
      state: 'stopped',
      endedAt: 9,
      exitCode: 4,
      executeMs: 12,
      output: '/out.xlsx',
      reason: message('ledger.bad_address'),
    });
  });

  test('a stopped run that continues has no end, and one that ends well no reason', async () => {
    await here.ledger.runs.create(runStart('r1'));
    const stopped = {
      state: 'stopped',
      endedAt: 9,
      exitCode: 4,
      reason: message('ledger.bad_address'),
    } as const;
    await here.ledger.runs.patch('r1', stopped);
    await here.ledger.runs.patch('r1', { state: 'executing' });
    const run = await here.ledger.runs.get('r1');
    expect(run).not.toHaveProperty('endedAt');
    expect(run).not.toHaveProperty('exitCode');
    expect(run).not.toHaveProperty('reason');
    await here.ledger.runs.patch('r1', stopped);
    await here.ledger.runs.patch('r1', { state: 'executed' });
    expect(await here.ledger.runs.get('r1')).not.toHaveProperty('reason');
  });

  test('a finished run is not taken up again, and no run goes back to its plan', async () => {
    await here.ledger.runs.create(runStart('r1'));
    await here.ledger.runs.patch('r1', { state: 'planned' });
    const other = await here.another();
    await other.runs.patch('r1', { state: 'completed', endedAt: 9, exitCode: 0 });
    for (const state of ['planning', 'executing', 'stopped'] as const) {
      await expect(here.ledger.runs.patch('r1', { state })).rejects.toMatchObject({
        kind: 'internal',
        detail: { code: 'ledger.state_passed', params: { run: 'r1', from: 'completed', to: state } },
      });
    }
    expect(await here.ledger.runs.get('r1')).toMatchObject({ state: 'completed', endedAt: 9, exitCode: 0 });
  });

  test('patching a run that is not there is an error that names it', async () => {
    await expect(here.ledger.runs.patch('nope', { exitCode: 0 })).rejects.toThrow(/nope/);
  });

  test('last and list go from the newest, last by kind', async () => {
    expect(await here.ledger.runs.last()).toBeUndefined();
    await here.ledger.runs.create(runStart('r1'));
    await here.ledger.runs.create(runStart('r2', { kind: 'dry_run' }));
    await here.ledger.runs.create(runStart('r3', { kind: 'plan', scope: 'production' }));
    expect((await here.ledger.runs.last())?.id).toBe('r3');
    expect((await here.ledger.runs.last(['run', 'dry_run']))?.id).toBe('r2');
    expect((await here.ledger.runs.last(['run']))?.id).toBe('r1');
    expect((await here.ledger.runs.list(2)).map((it) => it.id)).toEqual(['r3', 'r2']);
    expect((await here.ledger.runs.get('r3'))?.scope).toBe('production');
  });

  test('pending rows count as not_sent in a run and as valid in a dry run or a plan', async () => {
    for (const kind of ['run', 'dry_run', 'plan'] as const) {
      await planRun(here.ledger, kind, [order(2), order(3)], { kind });
    }
    expect(await here.ledger.runs.counts('run')).toEqual({ not_sent: 2 });
    expect(await here.ledger.runs.counts('dry_run')).toEqual({ valid: 2 });
    expect(await here.ledger.runs.counts('plan')).toEqual({ valid: 2 });
  });

  test('requests and retries are counted with their attempts', async () => {
    await planRun(here.ledger, 'r1', [order(2), order(3)]);
    await carry(here.ledger, 'r1', 1, {});
    await carry(here.ledger, 'r1', 1, { 1: SUCCEEDED }, { attempt: 2 });
    await carry(here.ledger, 'r1', 2, { 2: SUCCEEDED });
    expect(await here.ledger.runs.get('r1')).toMatchObject({ requests: 3, retries: 1, rows: 2, items: 2 });
  });
});
