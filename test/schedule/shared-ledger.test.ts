import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LockAnswer } from '../../src/ledger/contract/run-lock.js';
import type { ScheduledTime } from '../../src/ledger/contract/schedule.js';
import { LedgerClosed } from '../../src/ledger/ledger-errors.js';
import type { ScheduledJob } from '../../src/schedule/scheduled-job.js';
import { Scheduler } from '../../src/schedule/scheduler.js';
import type { ScheduleServices } from '../../src/schedule/services.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { FakeClock, FakeRuns, nightly, Reported, settle } from './fakes.js';

const AT_NOON = '2026-11-21T12:00:00Z';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What schedulers keep in a ledger on a server, without the server. */
class SharedLedger {
  readonly times = new Map<number, ScheduledTime>();
  /** A time is taken up only after this. */
  begins: Promise<void> = Promise.resolve();
  readonly #locks = new Set<string>();

  get services(): ScheduleServices['ledger'] {
    return {
      location: 'server',
      address: 'server',
      queue: {},
      runs: { lastOf: async () => undefined, listOf: async () => [], get: async () => undefined },
      lock: async (job: string): Promise<LockAnswer> => {
        if (this.#locks.has(job)) return { kind: 'held' };
        this.#locks.add(job);
        const release = async () => void this.#locks.delete(job);
        return { kind: 'taken', lock: { release } };
      },
      schedule: {
        begin: async (job: string, due: number, at: number) => {
          await this.begins;
          if (this.times.has(due)) return false;
          this.times.set(due, { job, due, begunAt: at });
          return true;
        },
        end: async (_job: string, due: number, end: Partial<ScheduledTime>) => {
          this.times.set(due, { ...this.times.get(due)!, ...end });
        },
        last: async () => this.times.get(Math.max(...this.times.keys())),
        paused: async () => undefined,
      },
    } as unknown as ScheduleServices['ledger'];
  }
}

interface One {
  readonly runs: FakeRuns;
  readonly reported: Reported;
  readonly stop: StopSignal;
  readonly ended: Promise<void>;
}

let ledger: SharedLedger;
let clock: FakeClock;
let all: One[];

beforeEach(() => {
  ledger = new SharedLedger();
  clock = new FakeClock(AT_NOON);
  all = [];
});

afterEach(() => {
  for (const { stop } of all) stop.stop({ kind: 'interrupted' });
});

async function begin(job: ScheduledJob): Promise<One> {
  const [runs, reported, stop] = [new FakeRuns(clock), new Reported(), new StopSignal()];
  const scheduler = new Scheduler({
    who: 'os:test@here',
    ledger: ledger.services,
    clock,
    observer: reported,
    language: 'en',
    start: runs.start,
    stop,
    passed: {},
    concurrency: 4,
  });
  const one = { runs, reported, stop, ended: scheduler.run([job]) };
  all.push(one);
  await settle();
  return one;
}

const started = () => all.flatMap(({ runs }) => runs.started);

describe('several schedulers of one ledger', () => {
  it('run each due time once', async () => {
    for (let one = 0; one < 3; one += 1) await begin(nightly());
    for (let night = 1; night <= 2; night += 1) {
      await clock.advance(24 * HOUR);
      expect(started()).toHaveLength(night);
      await started().at(-1)?.end();
    }
    expect(ledger.times.size).toBe(2);
  });

  it('say of a time that another one took that it took it, also in the moment before it has', async () => {
    const both = [await begin(nightly()), await begin(nightly())];
    let taken = (): void => {};
    ledger.begins = new Promise((resolve) => {
      taken = resolve;
    });
    await clock.advance(24 * HOUR);
    expect(started()).toHaveLength(0);
    taken();
    await clock.advance(MINUTE);
    await started()[0]?.end();
    await clock.advance(MINUTE);
    expect(started()).toHaveLength(1);
    const codes = both.flatMap(({ reported }) => reported.codes);
    expect(codes.filter((it) => it === 'schedule.taken_up')).toHaveLength(1);
    expect(codes).not.toContain('schedule.overlap_skipped');
  });

  it('end when the ledger was closed, which names the new one', async () => {
    const one = await begin(nightly());
    const closed = new LedgerClosed('old', 'new');
    ledger.begins = Promise.reject(closed);
    ledger.begins.catch(() => {});
    const ended = expect(one.ended).rejects.toBe(closed);
    await clock.advance(24 * HOUR);
    await ended;
    expect(started()).toHaveLength(0);
  });

  it('say of a time that overlaps with the run of another one that it is excluded', async () => {
    const both = [0, 1].map(() => begin(nightly({ cron: '0 * * * *' })));
    const reported = (await Promise.all(both)).map((it) => it.reported);
    await clock.advance(HOUR + MINUTE);
    await clock.advance(HOUR);
    expect(started()).toHaveLength(1);
    for (const { codes } of reported) expect(codes).toContain('schedule.overlap_skipped');
  });

  it('do not take what another one is processing, also when they begin in the meantime', async () => {
    const first = await begin(nightly());
    await clock.advance(7 * HOUR);
    expect(first.runs.started).toHaveLength(1);
    const second = await begin(nightly());
    await clock.advance(5 * MINUTE);
    expect(second.runs.started).toHaveLength(0);
    await first.runs.started[0]?.end();
    await clock.advance(5 * MINUTE);
    expect(started()).toHaveLength(1);
  });

  it('take over the time of one that has exited: one of them does, and once', async () => {
    const due = Date.parse(AT_NOON) - 18 * HOUR;
    ledger.times.set(due, { job: 'nightly', due, begunAt: due });
    await Promise.all([begin(nightly()), begin(nightly())]);
    await clock.advance(MINUTE);
    expect(started()).toHaveLength(1);
    await started()[0]?.end();
    await clock.advance(5 * MINUTE);
    expect(started()).toHaveLength(1);
    expect(ledger.times.get(due)?.exitCode).toBe(0);
  });

  it('take over the time of one that was stopped while they ran', async () => {
    const [first, second] = [await begin(nightly()), await begin(nightly())];
    await clock.advance(7 * HOUR);
    const [carrier, other] = first.runs.started.length > 0 ? [first, second] : [second, first];
    carrier.stop.stop({ kind: 'interrupted' });
    await carrier.runs.started[0]?.end({ exitCode: 130 });
    await carrier.ended;
    await clock.advance(5 * MINUTE);
    expect(other.runs.started).toHaveLength(1);
    await other.runs.started[0]?.end();
    await clock.advance(5 * MINUTE);
    expect(started()).toHaveLength(2);
  });

  it('let an overlapping time wait until the other one’s run has ended, where the job reports it', async () => {
    const job = nightly({ cron: '0 * * * *', onOverlap: 'queue' });
    await begin(job);
    await begin(job);
    await clock.advance(HOUR + MINUTE);
    expect(started()).toHaveLength(1);
    await clock.advance(HOUR);
    expect(started()).toHaveLength(1);
    await started()[0]?.end();
    await clock.advance(MINUTE);
    expect(started()).toHaveLength(2);
    await started()[1]?.end();
    await clock.advance(5 * MINUTE);
    expect(started()).toHaveLength(2);
    expect([...ledger.times.values()].map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  });
});
