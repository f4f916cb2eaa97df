import { expect, test } from 'vitest';
import { carry, collect, order, planRun, runStart, SUCCEEDED } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

describeLedger('reads for those who look on', (here) => {
  test('runs are found by job, person, kind, state and time, newest first, page by page', async () => {
    const { runs } = here.ledger;
    await runs.create(runStart('r1', { job: 'new-buy', startedAt: 1000, by: 'wang' }));
    await runs.create(runStart('r2', { job: 'New_Locks', startedAt: 2000, by: 'os:li@desk' }));
    await runs.create(runStart('r3', { job: 'new-buy', startedAt: 3000, kind: 'dry_run' }));
    await runs.create(runStart('r4', { job: 'new-buy', startedAt: 4000, parent: 'r1', step: 1 }));
    await runs.patch('r1', { state: 'interrupted', endedAt: 1500, exitCode: 130 });
    const found = async (...[wanted, limit = 9]: [Parameters<typeof runs.find>[0], number?]) =>
      (await runs.find(wanted, limit)).map((it) => it.id);
    expect(await found({})).toEqual(['r3', 'r2', 'r1']);
    expect(await found({}, 2)).toEqual(['r3', 'r2']);
    expect(await found({ before: 'r2' })).toEqual(['r1']);
    expect(await found({ before: 'none' })).toEqual([]);
    expect(await found({ job: 'NEW-' })).toEqual(['r3', 'r1']);
    expect(await found({ job: 'new_' })).toEqual(['r2']);
    expect(await found({ job: '%' })).toEqual([]);
    expect(await found({ person: 'LI@' })).toEqual(['r2']);
    expect(await found({ kinds: ['dry_run'] })).toEqual(['r3']);
    expect(await found({ states: ['interrupted', 'stopped'] })).toEqual(['r1']);
    expect(await found({ from: 2000, to: 3000 })).toEqual(['r2']);
  });

  test('rows are read from any row on, and the next one of a status is found', async () => {
    const { ledger } = here;
    await planRun(
      ledger,
      'r1',
      [2, 3, 5, 8, 9].map((row) => order(row)),
    );
    await ledger.plan.addVerdicts('r1', [{ row: 6, status: 'skipped' }]);
    await carry(ledger, 'r1', 1, { 1: SUCCEEDED });
    await carry(ledger, 'r1', 2, { 2: { status: 'failed', message: 'no' } });
    await carry(ledger, 'r1', 4, { 4: { status: 'failed', message: 'no' } });
    const rows = async (after: number) =>
      (await collect(ledger.report.rows('r1', 'not_sent', after))).flat().map((it) => it.row);
    expect(await rows(0)).toEqual([2, 3, 5, 6, 8, 9]);
    expect(await rows(5)).toEqual([6, 8, 9]);
    expect(await rows(9)).toEqual([]);
    expect(await rows(2 ** 40)).toEqual([]);
    const next = (after: number, ...statuses: Parameters<typeof ledger.report.nextOf>[1]) =>
      ledger.report.nextOf('r1', statuses, { pendingAs: 'not_sent', after });
    expect(await next(0, 'failed')).toEqual({ row: 3 });
    expect(await next(3, 'failed')).toEqual({ row: 8 });
    expect(await next(8, 'failed')).toEqual({ lookedTo: 9 });
    expect(await next(9, 'failed')).toEqual({});
    expect(await next(0, 'skipped', 'failed')).toEqual({ row: 3 });
    expect(await next(3, 'not_sent', 'skipped')).toEqual({ row: 5 });
    expect(await next(5, 'not_sent')).toEqual({ row: 9 });
    expect(await next(2 ** 40, 'failed')).toEqual({});
  });

  test('what was counted of a run that is over holds until anything of it changes', async () => {
    const { runs, resolutions } = here.ledger;
    await planRun(here.ledger, 'r1', [order(2), order(3)]);
    await runs.patch('r1', { state: 'executing' });
    await carry(here.ledger, 'r1', 1, { 1: { status: 'unknown', message: 'no reply' } });
    await carry(here.ledger, 'r1', 2, { 2: SUCCEEDED });
    await runs.patch('r1', { state: 'executed' });
    // Read without counting: nothing would find these.
    await runs.patch('r1', { state: 'completed', sums: { succeeded: 7 } });
    expect(await runs.counts('r1')).toEqual({ succeeded: 7 });
    await runs.patch('r1', { output: 'elsewhere.xlsx' });
    expect(await runs.counts('r1')).toEqual({ succeeded: 7 });
    const outcome = { status: 'succeeded' } as const;
    await resolutions.record('r1', [{ item: 1, outcome, at: 1, who: 'wang', how: 'operator' }]);
    expect(await runs.counts('r1')).toEqual({ succeeded: 2 });
  });

  test('what was counted of a plan no longer holds when it is executed, nor of a run of steps whose row is resolved', async () => {
    const { runs, resolutions } = here.ledger;
    await planRun(here.ledger, 'r1', [order(2)], { kind: 'plan' });
    await runs.patch('r1', { sums: { valid: 7 } });
    expect(await runs.counts('r1')).toEqual({ valid: 7 });
    await runs.patch('r1', { kind: 'run' });
    expect(await runs.counts('r1')).not.toEqual({ valid: 7 });
    await runs.create(runStart('w1', { operation: 'steps' }));
    await planRun(here.ledger, 's1', [order(2)], { parent: 'w1', step: 1 });
    await runs.patch('s1', { state: 'executing' });
    await carry(here.ledger, 's1', 1, { 1: { status: 'unknown', message: 'no reply' } });
    await runs.patch('w1', { sums: { unknown: 7 } });
    expect(await runs.counts('w1')).toEqual({ unknown: 7 });
    const outcome = { status: 'failed' } as const;
    await resolutions.record('s1', [{ item: 1, outcome, at: 1, who: 'wang', how: 'operator' }]);
    expect(await runs.counts('w1')).toEqual({ failed: 1 });
  });

  test('a schedule is paused until it continues, even if it is paused again', async () => {
    const { schedule } = here.ledger;
    expect(await schedule.paused('nightly')).toBeUndefined();
    await schedule.resume('nightly', 500);
    await schedule.pause('nightly', 1000, 'wang');
    await schedule.pause('nightly', 2000, 'li');
    expect(await schedule.paused('nightly')).toEqual({ job: 'nightly', pausedAt: 1000, who: 'wang' });
    await schedule.resume('nightly', 3000);
    await schedule.resume('nightly', 4000);
    expect(await schedule.paused('nightly')).toMatchObject({ continuedAt: 3000 });
    await schedule.pause('nightly', 5000, 'li');
    expect(await schedule.paused('nightly')).toEqual({ job: 'nightly', pausedAt: 5000, who: 'li' });
    expect(await schedule.paused('other')).toBeUndefined();
  });
});
