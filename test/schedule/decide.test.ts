import { describe, expect, it } from 'vitest';
import type { Run, RunState } from '../../src/ledger/contract/runs.js';
import type { ScheduledTime } from '../../src/ledger/contract/schedule.js';
import { decideAtStart, decideDue, type StartDecision } from '../../src/schedule/decide.js';
import type { JobHistory } from '../../src/schedule/job-history.js';
import { startTime } from '../../src/schedule/scheduled-job.js';
import { nightly } from './fakes.js';

/** Two o'clock in Shanghai is 18:00 UTC of the day before. */
const at = (text: string): number => Date.parse(`2026-11-${text}:00Z`);
const DUE = at('18T18:00');

function taken(change: Partial<ScheduledTime> = {}): ScheduledTime {
  return { job: 'nightly', due: DUE, begunAt: DUE, endedAt: DUE + 60_000, exitCode: 0, run: 'r1', ...change };
}

function run(state: RunState, change: Partial<Run> = {}): Run {
  return {
    id: 'r1',
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
    startedAt: DUE + 1000,
    state,
    requests: 0,
    retries: 0,
    rows: 0,
    items: 0,
    executeMs: 0,
    ...change,
  };
}

const orders = (it: StartDecision): string[] =>
  it.orders.map((order) => {
    const due = new Date(order.due).toISOString().slice(8, 16);
    return `${order.reason} ${due}${order.resume ? ` ${order.resume.id}` : ''}${order.claimed ? ' claimed' : ''}`;
  });
const notes = (decision: StartDecision): string[] => decision.notes.map((note) => note.code);

describe('at the start', () => {
  it('a job that never ran has missed nothing', () => {
    const now = at('21T12:00');
    expect(decideAtStart(nightly(), {}, now)).toEqual({ orders: [], closed: [], notes: [], doneUntil: now });
  });

  it('three missed nights are made up for by one run, of the newest', () => {
    const decision = decideAtStart(nightly(), { last: taken() }, at('21T20:00'));
    expect(orders(decision)).toEqual(['missed 21T18:00']);
    expect(notes(decision)).toEqual(['schedule.missed_run']);
    expect(decision.notes[0]?.params).toMatchObject({
      count: 3,
      oldest: '2026-11-20 02:00 +08:00',
      newest: '2026-11-22 02:00 +08:00',
    });
    expect(decision.doneUntil).toBe(at('21T18:00'));
  });

  it('onMissed: skip leaves them out, and reports it', () => {
    const decision = decideAtStart(nightly({ onMissed: 'skip' }), { last: taken() }, at('21T20:00'));
    expect(orders(decision)).toEqual([]);
    expect(notes(decision)).toEqual(['schedule.missed_skipped']);
    expect(decision.doneUntil).toBe(at('21T18:00'));
  });

  it('a run that a user started manually since counts', () => {
    const lastRun = run('completed', { id: 'by-hand', startedAt: at('21T19:00') });
    expect(orders(decideAtStart(nightly(), { last: taken(), lastRun }, at('21T20:00')))).toEqual([]);
    const before = run('completed', { id: 'by-hand', startedAt: at('21T17:00') });
    const memory = { last: taken(), lastRun: before };
    expect(orders(decideAtStart(nightly(), memory, at('21T20:00')))).toEqual(['missed 21T18:00']);
    expect(orders(decideAtStart(nightly(), { lastRun: before }, at('21T20:00')))).toEqual([
      'missed 21T18:00',
    ]);
  });

  it('times that came while a run was going were not missed, where they are excluded', () => {
    const last = taken({ endedAt: DUE + 3 * 3_600_000 });
    const now = DUE + 3.5 * 3_600_000;
    const hourly = { cron: '0 * * * *' };
    expect(orders(decideAtStart(nightly(hourly), { last }, now))).toEqual([]);
    const queue = nightly({ ...hourly, onOverlap: 'queue' });
    expect(orders(decideAtStart(queue, { last }, now))).toEqual(['missed 18T21:00']);
  });

  it('memory of a clock that was ahead is no reason to wait for it', () => {
    const now = at('17T12:00');
    expect(decideAtStart(nightly(), { last: taken() }, now).doneUntil).toBe(now);
  });

  it('a start that is only put off by jitter is not missed', () => {
    const job = nightly({ jitterMs: 3_600_000 });
    const due = at('21T18:00');
    const start = startTime(job, due);
    expect(start).toBeGreaterThan(due + 1000);
    const waiting = decideAtStart(job, { last: taken() }, start - 1);
    expect(orders(waiting)).toEqual([]);
    expect(orders(decideDue(job, waiting.doneUntil, start))).toEqual(['due 21T18:00']);
    expect(orders(decideAtStart(job, { last: taken() }, start))).toEqual(['missed 21T18:00']);
  });
});

describe('a time that was taken up and has no end', () => {
  const NO_END: ScheduledTime = { job: 'nightly', due: DUE, begunAt: DUE };
  const SOON = DUE + 3_600_000;

  it.each(['planning', 'planned', 'executing', 'interrupted', 'executed'] as const)(
    'is resumed where its run is %s',
    (state) => {
      const cutOff = run(state);
      const decision = decideAtStart(nightly(), { last: NO_END, lastRun: cutOff, cutOff }, SOON);
      expect(orders(decision)).toEqual(['resumed 18T18:00 r1 claimed']);
      expect(notes(decision)).toEqual(['schedule.cut_off_resumed']);
    },
  );

  it('is resumed first, and then what was missed is made up for', () => {
    const cutOff = run('executing');
    const decision = decideAtStart(nightly(), { last: NO_END, lastRun: cutOff, cutOff }, at('21T20:00'));
    expect(orders(decision)).toEqual(['resumed 18T18:00 r1 claimed', 'missed 21T18:00']);
  });

  it('takes its end from its run, where that has one', () => {
    for (const [state, exitCode] of [
      ['completed', 1],
      ['stopped', 4],
      ['invalid', 3],
    ] as const) {
      const cutOff = run(state, { endedAt: SOON - 1, exitCode });
      const decision = decideAtStart(nightly(), { last: NO_END, lastRun: cutOff, cutOff }, SOON);
      expect(orders(decision)).toEqual([]);
      expect(decision.closed).toEqual([{ due: DUE, endedAt: SOON - 1, exitCode, run: 'r1' }]);
    }
  });

  it('is left where a user ran the job since: the older input must not come after the newer', () => {
    const cutOff = run('executing');
    const lastRun = run('completed', { id: 'r2', startedAt: DUE + 9000 });
    const decision = decideAtStart(nightly(), { last: NO_END, lastRun, cutOff }, SOON);
    expect(orders(decision)).toEqual([]);
    expect(notes(decision)).toEqual(['schedule.cut_off_overtaken']);
    expect(decision.closed).toEqual([{ due: DUE, endedAt: SOON, exitCode: 130, run: 'r1' }]);
  });

  it('is run again where no run came of it', () => {
    const decision = decideAtStart(nightly(), { last: NO_END }, SOON);
    expect(orders(decision)).toEqual(['again 18T18:00 claimed']);
    expect(notes(decision)).toEqual(['schedule.cut_off_again']);
  });

  it('is run once together with what was missed since', () => {
    const decision = decideAtStart(nightly(), { last: NO_END }, at('21T20:00'));
    expect(orders(decision)).toEqual(['missed 21T18:00']);
    expect(decision.closed).toEqual([{ due: DUE, endedAt: at('21T20:00'), exitCode: 130 }]);
  });

  it('is a reconciliation made again, as there is nothing to resume', () => {
    const cutOff = run('executing', { kind: 'reconcile' });
    const decision = decideAtStart(nightly({ kind: 'reconcile' }), { last: NO_END, cutOff }, SOON);
    expect(orders(decision)).toEqual(['again 18T18:00 claimed']);
  });

  it('continues with the files of an input folder, whatever became of one of them', () => {
    for (const cutOff of [run('executing'), run('completed', { endedAt: SOON - 1, exitCode: 0 })]) {
      const decision = decideAtStart(nightly({ isInbox: true }), { last: NO_END, cutOff }, SOON);
      expect(orders(decision)).toEqual(['again 18T18:00 claimed']);
      expect(notes(decision)).toEqual(['schedule.cut_off_files']);
    }
  });

  it('is left as it is with onMissed: skip, and how to continue is reported', () => {
    const cutOff = run('executing');
    const decision = decideAtStart(nightly({ onMissed: 'skip' }), { last: NO_END, cutOff }, SOON);
    expect(orders(decision)).toEqual([]);
    expect(notes(decision)).toEqual(['schedule.cut_off_left']);
    expect(decision.closed).toEqual([{ due: DUE, endedAt: SOON, exitCode: 130, run: 'r1' }]);
  });

  it('is the same as one that was interrupted when a scheduler stopped', () => {
    const cutOff = run('interrupted', { endedAt: SOON - 1, exitCode: 130 });
    const memory: JobHistory = { last: taken({ exitCode: 130 }), lastRun: cutOff, cutOff };
    expect(orders(decideAtStart(nightly(), memory, SOON))).toEqual(['resumed 18T18:00 r1 claimed']);
  });
});

describe('later', () => {
  const BEFORE = at('21T12:00');

  it('a time is due when it comes, once', () => {
    const early = decideDue(nightly(), BEFORE, at('21T18:00') - 1);
    expect(orders(early)).toEqual([]);
    const now = decideDue(nightly(), early.doneUntil, at('21T18:00'));
    expect(orders(now)).toEqual(['due 21T18:00']);
    expect(orders(decideDue(nightly(), now.doneUntil, at('21T18:00') + 20_000))).toEqual([]);
  });

  it('times that passed while the machine slept are one run', () => {
    const decision = decideDue(nightly(), BEFORE, at('24T20:00'));
    expect(orders(decision)).toEqual(['missed 24T18:00']);
    expect(decision.notes[0]?.params).toMatchObject({ count: 4 });
  });

  it('or none', () => {
    const decision = decideDue(nightly({ onMissed: 'skip' }), BEFORE, at('24T20:00'));
    expect(orders(decision)).toEqual([]);
    expect(notes(decision)).toEqual(['schedule.missed_skipped']);
  });

  it('the newest is run in its own right where it is not late', () => {
    for (const onMissed of ['run', 'skip'] as const) {
      const decision = decideDue(nightly({ onMissed }), BEFORE, at('24T18:00') + 5_000);
      expect(orders(decision)).toEqual(['due 24T18:00']);
      expect(notes(decision)).toEqual(['schedule.missed_covered']);
      expect(decision.notes[0]?.params).toMatchObject({ count: 3 });
    }
  });
});
