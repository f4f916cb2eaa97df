import { expect, test } from 'vitest';
import { runStart } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

describeLedger('schedules and sums', (here) => {
  test('a time is taken once, whichever process asks and however often', async () => {
    const other = await here.another();
    const claims = await Promise.all(
      [here.ledger, other, here.ledger, other].map((it) => it.schedule.begin('nightly', 1000, 1001)),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await other.schedule.begin('nightly', 2000, 2001)).toBe(true);
    expect(await here.ledger.schedule.begin('other', 1000, 1001)).toBe(true);
    await other.close();
  });

  test('the last time is reported with its end, over a reopening', async () => {
    expect(await here.ledger.schedule.last('nightly')).toBeUndefined();
    await here.ledger.schedule.begin('nightly', 2000, 2005);
    await here.ledger.schedule.begin('nightly', 1000, 2006);
    await here.reopen();
    expect(await here.ledger.schedule.last('nightly')).toEqual({ job: 'nightly', due: 2000, begunAt: 2005 });
    await here.ledger.schedule.end('nightly', 2000, { endedAt: 2100, exitCode: 1, run: 'r1' });
    expect(await here.ledger.schedule.last('nightly')).toEqual({
      job: 'nightly',
      due: 2000,
      begunAt: 2005,
      endedAt: 2100,
      exitCode: 1,
      run: 'r1',
    });
  });

  test('the runs of times before one are reported, the newest first', async () => {
    const { schedule } = here.ledger;
    for (const [due, run] of [
      [1000, 'r1'],
      [2000, undefined],
      [3000, 'r3'],
      [4000, 'r4'],
    ] as const) {
      await schedule.begin('nightly', due, due);
      await schedule.end('nightly', due, { endedAt: due, exitCode: 4, ...(run ? { run } : {}) });
    }
    await schedule.begin('other', 1500, 1500);
    await schedule.end('other', 1500, { endedAt: 1500, exitCode: 4, run: 'r9' });
    expect(await schedule.runsBefore('nightly', 4000, 10)).toEqual(['r3', 'r1']);
    expect(await schedule.runsBefore('nightly', 5000, 2)).toEqual(['r4', 'r3']);
    expect(await schedule.runsBefore('nightly', 1000, 10)).toEqual([]);
  });

  test('the last run of a job is found by platform and input, checks and plans excluded', async () => {
    const { runs } = here.ledger;
    const wanted = { job: 'new-buy', connection: 'sandbox', scope: 'sandbox' };
    expect(await runs.lastOf(wanted)).toBeUndefined();
    await runs.create(runStart('r1', { inputSha256: 'aa' }));
    await runs.create(runStart('r2', { inputSha256: 'bb' }));
    await runs.create(runStart('r3', { kind: 'dry_run', inputSha256: 'aa' }));
    await runs.create(runStart('r4', { kind: 'plan' }));
    await runs.create(runStart('r5', { job: 'other' }));
    expect((await runs.lastOf(wanted))?.id).toBe('r2');
    expect((await runs.lastOf({ ...wanted, inputSha256: 'aa' }))?.id).toBe('r1');
    expect(await runs.lastOf({ ...wanted, scope: 'https://a.example' })).toBeUndefined();
    expect((await runs.listOf(wanted)).map((it) => it.id)).toEqual(['r2', 'r1']);
    expect((await runs.listOf({ ...wanted, inputSha256: 'aa' })).map((it) => it.id)).toEqual(['r1']);
  });

  test('a reconciliation keeps its own counts, requests and retries', async () => {
    const { runs } = here.ledger;
    await runs.create(runStart('r1', { kind: 'reconcile', operation: 'reconcile.asset' }));
    await runs.patch('r1', { counts: { in_sync: 4, missing: 2 }, requests: 3, retries: 1 });
    expect(await runs.counts('r1')).toEqual({ in_sync: 4, missing: 2 });
    expect(await runs.get('r1')).toMatchObject({
      operation: 'reconcile.asset',
      rows: 6,
      requests: 3,
      retries: 1,
    });
  });

  test('ended runs are summed by job, connection and operation', async () => {
    const { runs } = here.ledger;
    for (const [id, exitCode, endedAt] of [
      ['r1', 0, 5000],
      ['r2', 1, 9000],
      ['r3', 0, 6000],
    ] as const) {
      await runs.create(runStart(id, { startedAt: 4000 }));
      await runs.patch(id, { state: 'completed', exitCode, endedAt, requests: 10, retries: 2 });
    }
    await runs.create(runStart('r4'));
    await runs.create(runStart('r5', { kind: 'dry_run' }));
    await runs.patch('r5', { state: 'completed', exitCode: 0, endedAt: 99_000 });
    const [only, ...more] = await runs.totals();
    expect(more).toEqual([]);
    expect(only).toMatchObject({ requests: 30, retries: 6, durationMs: 8000, lastSuccessAt: 6000 });
    expect([...(only?.runs ?? [])]).toEqual([
      [0, 2],
      [1, 1],
    ]);
    expect(only?.last.id).toBe('r3');
  });
});
