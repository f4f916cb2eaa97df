import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNWATCHED } from '../../src/app/context.js';
import { runJob } from '../../src/app/run.js';
import { runWorker } from '../../src/app/worker.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { lockJob } from '../support/order-fixture.js';
import { type FilledFixture, filledFixture, LEDGER_KINDS } from '../support/runs-fixture.js';

const [ONE, TWO, THREE] = ['8100000001', '8100000002', '8100000003'];

interface ReportedPlan {
  readonly items: number;
  readonly changed?: {
    readonly count: number;
    readonly rows: string;
    readonly runs: string;
    readonly latest: number;
  };
}

describe.each(LEDGER_KINDS)('a lock that a later run enabled, at the console (%s)', (kind) => {
  let fixture: FilledFixture;
  let unlocked = 0;

  beforeEach(async () => {
    const job = lockJob('overdue', 'lock', 'source: { file: locks.csv }\n');
    fixture = await filledFixture({ kind, connection: 'office', job, sheet: `Asset\n${ONE}\n${TWO}\n` });
    await writeFile(path.join(fixture.folder, 'paid.yaml'), lockJob('paid', 'unlock'));
  });

  afterEach(() => fixture.close());

  const isLocked = (lock: string) => fixture.state.assets.get(lock)?.locked;

  /** Each time with a file of its own: the rows of one file are sent once. */
  async function unlock(lock: string): Promise<string> {
    unlocked += 1;
    await writeFile(path.join(fixture.folder, 'paid.csv'), `Asset,Time\n${lock},${unlocked}\n`);
    const context = { ...fixture.app, watch: UNWATCHED, stop: new StopSignal(), confirm: true };
    const carried = await runJob(context, 'paid.yaml', { kind: 'run' });
    expect(carried.summary).toMatchObject({ counts: { succeeded: 1 } });
    return String(carried.summary.run);
  }

  /** Workers send what is queued. */
  async function work(): Promise<void> {
    if (kind === 'SQLite') return;
    await runWorker({ ...fixture.app, watch: UNWATCHED, stop: new StopSignal() }, { slots: 2, once: true });
  }

  const shown = async (plan: string) => (await fixture.get(`/plans/${plan}`)) as ReportedPlan;

  async function send(plan: string, changed?: number): Promise<Record<string, unknown>> {
    const { items } = await shown(plan);
    const body = { items, connection: 'office', ...(changed === undefined ? {} : { changed }) };
    expect((await fixture.ask('POST', `/plans/${plan}/send`, body)).status).toBe(202);
    await work();
    await fixture.over(plan);
    return (await fixture.get(`/runs/${plan}`)) as Record<string, unknown>;
  }

  it('is locked again only by who was shown that', async () => {
    await fixture.run('run');
    expect(isLocked(ONE!)).toBe(true);
    const later = await unlock(ONE!);
    await writeFile(path.join(fixture.folder, 'locks.csv'), `Asset\n${THREE}\n${ONE}\n`);
    const plan = await fixture.run('plan');
    const { changed } = await shown(plan);
    expect(changed).toMatchObject({ count: 1, rows: '3', runs: later });
    // A page that was opened before does not say it.
    const refused = await send(plan);
    expect(refused).toMatchObject({ state: 'stopped', reason: expect.stringContaining(later) });
    expect([isLocked(ONE!), isLocked(THREE!)]).toEqual([false, false]);
    // Nor does one that was opened before it was enabled once more.
    await writeFile(
      path.join(fixture.folder, 'again.yaml'),
      lockJob('again', 'lock', 'source: { file: paid.csv }\n'),
    );
    const context = { ...fixture.app, watch: UNWATCHED, stop: new StopSignal(), confirm: true };
    await runJob(context, 'again.yaml', { kind: 'run' });
    const last = await unlock(ONE!);
    expect(await send(plan, changed?.latest)).toMatchObject({
      state: 'stopped',
      reason: expect.stringContaining(last),
    });
    expect([isLocked(ONE!), isLocked(THREE!)]).toEqual([false, false]);
    const now = (await shown(plan)).changed;
    expect(now?.runs).toBe(last);
    expect(await send(plan, now?.latest)).toMatchObject({ state: 'completed', counts: { succeeded: 2 } });
    expect([isLocked(ONE!), isLocked(THREE!)]).toEqual([true, true]);
  });
});
