import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { message } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import type { RunState } from '../../src/ledger/contract/runs.js';
import { openLedger } from '../../src/ledger/open.js';
import { takeLock } from '../../src/ledger/take-lock.js';
import type { ScheduledJob } from '../../src/schedule/scheduled-job.js';
import { Scheduler } from '../../src/schedule/scheduler.js';
import type { ScheduleServices } from '../../src/schedule/services.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { FakeClock, FakeRuns, nightly, Reported, settle } from './fakes.js';

const AT_NOON = '2026-11-21T12:00:00Z';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let folder: string;
let ledger: Ledger;
let clock: FakeClock;
let runs: FakeRuns;
let reported: Reported;
let stop: StopSignal;
let scheduler: Scheduler;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-schedule-'));
  ledger = await openLedger(path.join(folder, 'ledger.db'));
  clock = new FakeClock(AT_NOON);
  runs = new FakeRuns(clock);
  reported = new Reported();
  stop = new StopSignal();
});

afterEach(async () => {
  stop.stop({ kind: 'interrupted' });
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

async function begin(
  jobs: readonly ScheduledJob[],
  change: Partial<ScheduleServices> = {},
): Promise<Promise<void>[]> {
  scheduler = new Scheduler({
    who: 'os:test@here',
    ledger,
    clock,
    observer: reported,
    language: 'en',
    start: runs.start,
    stop,
    passed: {},
    concurrency: 4,
    ...change,
  });
  const ended = scheduler.run(jobs);
  await settle();
  // In a list, as a promise that is returned alone would be waited for.
  return [ended];
}

/** A run of the ledger, as a process that was killed or has ended leaves it. */
async function leave(
  id: string,
  state: RunState,
  startedAt: number,
  exitCode?: number,
  parent?: string,
): Promise<void> {
  await ledger.runs.create({
    id,
    kind: 'run',
    job: 'nightly',
    jobFile: '/jobs/nightly.yaml',
    jobSha256: '',
    operation: 'asset.lock',
    connection: 'sandbox',
    scope: 'sandbox',
    inputFile: '',
    inputSha256: '',
    settings: {},
    startedAt,
    ...(parent === undefined ? {} : { parent }),
  });
  if (state === 'executing') await ledger.runs.patch(id, { state: 'planned' });
  await ledger.runs.patch(id, {
    state,
    ...(exitCode === undefined ? {} : { exitCode, endedAt: startedAt + 1 }),
  });
}

describe('a scheduler', () => {
  it('starts each job at its time, reports it, and remembers it', async () => {
    runs.atOnce = () => ({});
    await begin([nightly(), nightly({ name: 'hourly', cron: '30 * * * *' })]);
    await clock.advanceTo('2026-11-21T19:00:00Z');
    expect(runs.reported).toEqual([
      '2026-11-21T12:30 run /jobs/hourly.yaml',
      '2026-11-21T13:30 run /jobs/hourly.yaml',
      '2026-11-21T14:30 run /jobs/hourly.yaml',
      '2026-11-21T15:30 run /jobs/hourly.yaml',
      '2026-11-21T16:30 run /jobs/hourly.yaml',
      '2026-11-21T17:30 run /jobs/hourly.yaml',
      '2026-11-21T18:00 run /jobs/nightly.yaml',
      '2026-11-21T18:30 run /jobs/hourly.yaml',
    ]);
    expect(reported.runs.map((it) => it.reason)).toEqual(Array(8).fill('due'));
    expect(await ledger.schedule.last('nightly')).toMatchObject({
      due: Date.parse('2026-11-21T18:00:00Z'),
      exitCode: 0,
      run: 'run-7',
    });
    expect(reported.codes).toEqual([]);
  });

  it('gives its runs the flags that were meant for them', async () => {
    runs.atOnce = () => ({});
    const passed = { connection: 'c', logFile: 'l', metricsFile: 'm.prom', apply: true, yes: true };
    const jobs = [
      nightly({ name: 'a' }),
      nightly({ name: 'b', kind: 'reconcile' }),
      nightly({ name: 'c', kind: 'reconcile', hasActions: true }),
    ];
    await begin(jobs, { passed });
    await clock.advanceTo('2026-11-21T18:00:00Z');
    const flags = '--connection c --yes --log-file l --metrics-file m.prom --json --quiet';
    expect(runs.started.map((it) => it.args.join(' ')).sort()).toEqual([
      `reconcile /jobs/b.yaml ${flags}`,
      `reconcile /jobs/c.yaml --apply ${flags}`,
      `run /jobs/a.yaml ${flags}`,
    ]);
  });

  it('puts starts off by the job’s jitter', async () => {
    await begin([nightly({ jitterMs: HOUR })]);
    await clock.advanceTo('2026-11-21T19:00:00Z');
    expect(runs.started).toHaveLength(1);
    const started = Date.parse(runs.started[0]!.at);
    expect(started).toBeGreaterThan(Date.parse('2026-11-21T18:00:00Z'));
    expect((await ledger.schedule.last('nightly'))?.due).toBe(Date.parse('2026-11-21T18:00:00Z'));
  });

  it('has no more runs going than it may', async () => {
    const jobs = ['a', 'b', 'c'].map((name) => nightly({ name }));
    await begin(jobs, { concurrency: 2 });
    await clock.advanceTo('2026-11-21T18:10:00Z');
    expect(runs.started).toHaveLength(2);
    await runs.started[0]!.end();
    expect(runs.started).toHaveLength(3);
    for (const name of ['a', 'b', 'c']) expect(await ledger.schedule.last(name)).toBeDefined();
  });

  it('takes a time up once, however many schedulers there are', async () => {
    runs.atOnce = () => ({});
    await begin([nightly()]);
    const first = reported;
    reported = new Reported();
    await begin([nightly()]);
    await clock.advanceTo('2026-11-21T18:00:30Z');
    expect(runs.started).toHaveLength(1);
    expect([...first.codes, ...reported.codes]).toEqual(['schedule.taken_up']);
  });
});

describe('overlaps', () => {
  const minutely = { cron: '* * * * *' } as const;

  it('are excluded, and what the run before came to stays remembered', async () => {
    await begin([nightly({ ...minutely })]);
    await clock.advance(3.5 * MINUTE);
    expect(runs.started).toHaveLength(1);
    expect(reported.codes).toEqual(['schedule.overlap_skipped', 'schedule.overlap_skipped']);
    const first = await ledger.schedule.last('nightly');
    expect(first).toEqual({
      job: 'nightly',
      due: clock.now() - 2.5 * MINUTE,
      begunAt: clock.now() - 2.5 * MINUTE,
    });
    await runs.started[0]!.end({ exitCode: 1 });
    expect((await ledger.schedule.last('nightly'))?.exitCode).toBe(1);
    await clock.advance(MINUTE);
    expect(runs.started).toHaveLength(2);
  });

  it('or wait, one at most', async () => {
    await begin([nightly({ ...minutely, onOverlap: 'queue' })]);
    await clock.advance(4.5 * MINUTE);
    expect(runs.started).toHaveLength(1);
    expect(reported.codes).toEqual(['schedule.overlap_queued', 'schedule.overtaken', 'schedule.overtaken']);
    expect(reported.text).toMatch(/20:02 .*, which was waiting, is replaced by .*20:03 /);
    await runs.started[0]!.end();
    expect(runs.started).toHaveLength(2);
    await runs.started[1]!.end();
    expect(runs.started).toHaveLength(2);
    expect(reported.runs.map((it) => it.reason)).toEqual(['due', 'queued']);
    expect(reported.runs[1]!.due).toBe(reported.runs[0]!.due + 3 * MINUTE);
  });

  const LOCKED = {
    exitCode: 2,
    summary: { counts: {}, error: { code: 'ledger.run_going_on', message: 'run 7 is in progress' } },
  };

  it('with a run that another user started are the same: excluded', async () => {
    runs.atOnce = () => LOCKED;
    await begin([nightly()]);
    await clock.advanceTo('2026-11-21T18:30:00Z');
    expect(runs.started).toHaveLength(1);
    expect(reported.codes).toEqual(['schedule.locked_skipped']);
    expect(reported.text).toContain('run 7 is in progress');
    expect(reported.runs).toEqual([]);
  });

  it('or waited for, without trying again and again', async () => {
    runs.atOnce = () => (runs.started.length < 2 ? LOCKED : {});
    const other = await takeLock(ledger, 'nightly', 'sandbox', 'by-hand');
    await begin([nightly({ onOverlap: 'queue' })]);
    await clock.advanceTo('2026-11-21T18:30:00Z');
    expect(runs.started).toHaveLength(1);
    await other.release();
    await clock.advance(MINUTE);
    expect(runs.started).toHaveLength(2);
    expect(reported.codes).toEqual(['schedule.locked_waiting']);
    expect(reported.runs).toHaveLength(1);
    expect(await ledger.schedule.last('nightly')).toMatchObject({ exitCode: 0, run: 'run-2' });
  });

  it('a time that waits for another user’s run is overtaken too, and the run shows its new time', async () => {
    runs.atOnce = () => (runs.started.length < 2 ? LOCKED : {});
    const other = await takeLock(ledger, 'nightly', 'sandbox', 'by-hand');
    await begin([nightly({ ...minutely, onOverlap: 'queue' })]);
    await clock.advance(4.5 * MINUTE);
    const first = (await ledger.schedule.last('nightly'))?.due ?? 0;
    expect(runs.started).toHaveLength(1);
    await other.release();
    await clock.advance(MINUTE / 4);
    expect(runs.started).toHaveLength(2);
    expect(reported.runs.map((it) => (it.due - first) / MINUTE)).toEqual([3]);
    expect(reported.codes.at(-1)).toBe('schedule.overtaken');
    expect(await ledger.schedule.last('nightly')).toMatchObject({ due: first + 3 * MINUTE, exitCode: 0 });
  });

  it('a stop ends the waiting; what was taken up is for the next scheduler', async () => {
    runs.atOnce = () => LOCKED;
    const other = await takeLock(ledger, 'nightly', 'sandbox', 'by-hand');
    const [ended] = await begin([nightly({ onOverlap: 'queue' })]);
    await clock.advanceTo('2026-11-21T18:05:00Z');
    stop.stop({ kind: 'interrupted' });
    await ended;
    await other.release();
    expect(runs.started).toHaveLength(1);
    expect(await ledger.schedule.last('nightly')).toMatchObject({ exitCode: 130 });
  });
});

describe('missed times', () => {
  it('are not forgotten for a retry that a user made manually since', async () => {
    // Due at 18:00Z; the machine was off, and a user fixed the rows of the night before.
    const morning = Date.parse('2026-11-20T23:00:00Z');
    await leave('r1', 'completed', Date.parse('2026-11-19T18:00:00Z'), 1);
    await leave('r2', 'completed', morning, 0, 'r1');
    await begin([nightly()]);
    expect(runs.started.map((it) => it.args[0])).toEqual(['run']);
    expect(reported.codes).toContain('schedule.missed_run');
  });

  it('three nights are one run at the start, and the next night is an ordinary one', async () => {
    runs.atOnce = () => ({});
    const due = Date.parse('2026-11-18T18:00:00Z');
    await ledger.schedule.begin('nightly', due, due);
    await ledger.schedule.end('nightly', due, { endedAt: due + 1, exitCode: 0 });
    clock.set('2026-11-22T03:00:00Z');
    await begin([nightly()]);
    expect(runs.reported).toEqual(['2026-11-22T03:00 run /jobs/nightly.yaml']);
    expect(reported.runs[0]).toMatchObject({ reason: 'missed', due: Date.parse('2026-11-21T18:00:00Z') });
    await clock.advance(2 * DAY);
    expect(runs.reported.slice(1)).toEqual([
      '2026-11-22T18:00 run /jobs/nightly.yaml',
      '2026-11-23T18:00 run /jobs/nightly.yaml',
    ]);
  });

  it('while the machine sleeps are one run when it wakes', async () => {
    runs.atOnce = () => ({});
    await begin([nightly()]);
    await clock.advance(HOUR);
    clock.set('2026-11-25T03:00:00Z');
    await clock.advance(MINUTE);
    expect(runs.reported).toEqual(['2026-11-25T03:00 run /jobs/nightly.yaml']);
    expect(reported.codes).toEqual(['schedule.missed_run']);
    await clock.advanceTo('2026-11-25T19:00:00Z');
    expect(runs.started).toHaveLength(2);
  });

  it('a clock that is set back runs nothing again', async () => {
    runs.atOnce = () => ({});
    await begin([nightly({ cron: '0 * * * *' })]);
    await clock.advanceTo('2026-11-21T14:30:00Z');
    expect(runs.started).toHaveLength(2);
    clock.set('2026-11-21T12:30:00Z');
    await clock.advanceTo('2026-11-21T15:30:00Z');
    expect(runs.reported.slice(2)).toEqual(['2026-11-21T15:00 run /jobs/nightly.yaml']);
    expect(reported.codes).toEqual(['schedule.clock_back', 'schedule.taken_up', 'schedule.taken_up']);
  });
});

describe('what a scheduler before left', () => {
  const DUE = Date.parse('2026-11-21T10:00:00Z');
  const hourly = nightly({ cron: '0 10 * * *', timezone: 'UTC' });

  beforeEach(async () => {
    await ledger.schedule.begin('nightly', DUE, DUE);
  });

  it('a run that was cut off is resumed', async () => {
    await leave('r1', 'executing', DUE + 5);
    // What people are shown may lack a password, so that it opens nothing.
    const shown: ScheduleServices['ledger'] = {
      location: 'ledger, for people',
      address: 'ledger, to open',
      lock: (...it) => ledger.lock(...it),
      runs: ledger.runs,
      approvals: ledger.approvals,
      audit: ledger.audit,
      plan: ledger.plan,
      schedule: ledger.schedule,
    };
    await begin([hourly], { ledger: shown });
    expect(runs.started[0]?.args).toEqual([
      'resume',
      'r1',
      '--ledger',
      'ledger, to open',
      '--json',
      '--quiet',
    ]);
    await runs.started[0]!.end({ exitCode: 6, summary: { run: 'r1', counts: {} } });
    expect(await ledger.schedule.last('nightly')).toMatchObject({ due: DUE, exitCode: 6, run: 'r1' });
    expect(reported.runs[0]).toMatchObject({ reason: 'resumed', due: DUE });
  });

  it('a run that outlived its scheduler is let end', async () => {
    await leave('r1', 'executing', DUE + 5);
    const error = { code: 'ledger.run_going_on', message: 'run r1 is going on' };
    runs.atOnce = () => ({ exitCode: 2, summary: { counts: {}, error } });
    await begin([hourly]);
    await clock.advance(40_000);
    expect(runs.started).toHaveLength(3);
    await ledger.runs.patch('r1', { state: 'completed', exitCode: 1, endedAt: clock.now() });
    await clock.advance(MINUTE);
    expect(runs.started).toHaveLength(3);
    expect(await ledger.schedule.last('nightly')).toMatchObject({ due: DUE, exitCode: 1, run: 'r1' });
    expect(reported.codes).toEqual([
      'schedule.cut_off_resumed',
      'schedule.locked_waiting',
      'schedule.ended_by_itself',
    ]);
  });

  it('a time of which nothing came is run', async () => {
    runs.atOnce = () => ({});
    await begin([hourly]);
    expect(runs.reported).toEqual(['2026-11-21T12:00 run /jobs/nightly.yaml']);
    expect(await ledger.schedule.last('nightly')).toMatchObject({ due: DUE, exitCode: 0 });
  });

  it('a run that a stop interrupted is resumed by the next one', async () => {
    runs.atOnce = () => undefined;
    await leave('r1', 'executing', DUE + 5);
    const [ended] = await begin([hourly]);
    stop.stop({ kind: 'interrupted' });
    await settle();
    expect(runs.started[0]!.signals).toEqual(['SIGINT']);
    await ledger.runs.patch('r1', { state: 'interrupted', exitCode: 130, endedAt: clock.now() });
    await runs.started[0]!.end({ exitCode: 130, summary: { run: 'r1', counts: {} } });
    await ended;
    expect(await ledger.schedule.last('nightly')).toMatchObject({ exitCode: 130, run: 'r1' });
    stop = new StopSignal();
    await begin([hourly]);
    expect(runs.started[1]?.args.slice(0, 2)).toEqual(['resume', 'r1']);
  });
});

describe('a stop', () => {
  it('lets what continues end, starts nothing more, and then it is over', async () => {
    const jobs = ['a', 'b', 'c'].map((name) => nightly({ name, cron: '* * * * *', onOverlap: 'queue' }));
    const [ended] = await begin(jobs, { concurrency: 2 });
    await clock.advance(2.5 * MINUTE);
    expect(runs.started).toHaveLength(2);
    stop.stop({ kind: 'interrupted' });
    await settle();
    expect(runs.started.map((it) => it.signals)).toEqual([['SIGINT'], ['SIGINT']]);
    let over = false;
    void ended!.then(() => {
      over = true;
    });
    await runs.started[0]!.end({ exitCode: 130 });
    expect(over).toBe(false);
    await runs.started[1]!.end({ exitCode: 130 });
    await ended;
    expect(runs.started).toHaveLength(2);
    // What waited was not taken up: the next scheduler finds it missed.
    expect(await ledger.schedule.last('c')).toBeUndefined();
  });

  it('a second time makes it leave at once', async () => {
    await begin([nightly({ cron: '* * * * *' })]);
    await clock.advance(MINUTE);
    stop.stop({ kind: 'interrupted' });
    await settle();
    scheduler.leave();
    expect(runs.started[0]!.signals).toEqual(['SIGINT', 'SIGINT']);
    await runs.started[0]!.end({ exitCode: 130 });
  });
});

describe('whatever a run does', () => {
  it('the scheduler continues, and reports it', async () => {
    const ends = [{ exitCode: 137, signal: 'SIGKILL' }, { exitCode: 5 }, { exitCode: 1 }];
    runs.atOnce = () => {
      const { summary: _, ...end } = { summary: undefined, ...ends[runs.started.length - 1]! };
      return { ...end, summary: undefined as never };
    };
    await begin([nightly({ cron: '* * * * *' })]);
    await clock.advance(3 * MINUTE);
    expect(runs.started).toHaveLength(3);
    expect(reported.codes).toEqual(['schedule.killed', 'schedule.no_answer', 'schedule.no_answer']);
    expect(reported.runs.map((it) => it.end.exitCode)).toEqual([137, 5, 1]);
  });

  it('a start that throws is reported and survived', async () => {
    let calls = 0;
    const start: typeof runs.start = (...it) => {
      calls += 1;
      if (calls === 1) throw new Error('EAGAIN');
      return runs.start(...it);
    };
    await begin([nightly({ cron: '* * * * *' })], { start });
    await clock.advance(2 * MINUTE);
    expect(calls).toBe(2);
    expect(reported.codes).toEqual(['schedule.fault']);
  });

  it('a ledger that is busy for a while is waited for, before and after', async () => {
    const { schedule } = ledger;
    const trouble = { begin: 3, end: 2 };
    const busy = (what: 'begin' | 'end'): void => {
      trouble[what] -= 1;
      if (trouble[what] >= 0) {
        throw new ProductError('usage', message('ledger.in_use', { location: 'here' }));
      }
    };
    const wrapped: ScheduleServices['ledger'] = {
      location: ledger.location,
      address: ledger.address,
      lock: (...it) => ledger.lock(...it),
      runs: ledger.runs,
      approvals: ledger.approvals,
      audit: ledger.audit,
      plan: ledger.plan,
      schedule: {
        runsBefore: (...it) => schedule.runsBefore(...it),
        last: (job) => schedule.last(job),
        pause: (...it) => schedule.pause(...it),
        resume: (...it) => schedule.resume(...it),
        paused: (job) => schedule.paused(job),
        begin: async (...it) => {
          busy('begin');
          return schedule.begin(...it);
        },
        end: async (...it) => {
          busy('end');
          return schedule.end(...it);
        },
      },
    };
    runs.atOnce = () => ({});
    await begin([nightly()], { ledger: wrapped });
    await clock.advanceTo('2026-11-21T18:10:00Z');
    expect(runs.started).toHaveLength(1);
    expect(reported.codes).toEqual(Array(5).fill('schedule.ledger_trouble'));
    expect(await ledger.schedule.last('nightly')).toMatchObject({ exitCode: 0 });
  });
});
