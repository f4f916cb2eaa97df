import { setImmediate as turn } from 'node:timers/promises';
import { type Message, render } from '../../src/errors/message.js';
import type { Connection, TokenSource } from '../../src/model/connection.js';
import type { Job, JobSchedule } from '../../src/model/job.js';
import type { Child, ChildEnd, StartChild } from '../../src/schedule/child.js';
import type { ScheduledJob } from '../../src/schedule/scheduled-job.js';
import type { ScheduledRun, ScheduleObserver } from '../../src/schedule/services.js';
import type { Clock } from '../../src/util/clock.js';
import { readCron } from '../../src/util/cron.js';
import { zone } from '../../src/util/zoned-time.js';

/** Lets everything that is ready have its turn. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await turn();
}

/** A clock that advances only when the test moves it. */
export class FakeClock implements Clock {
  #wall: number;
  #monotonic = 0;
  readonly #sleepers = new Set<{ readonly until: number; wake(): void }>();

  constructor(wall: string) {
    this.#wall = Date.parse(wall);
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(false);
      const leave = (): void => {
        this.#sleepers.delete(sleeper);
        resolve(false);
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve(true);
      };
      const sleeper = { until: this.#monotonic + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', leave);
    });
  }

  /** Time passes; sleepers wake at the right moment. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    for (;;) {
      await settle();
      const next = [...this.#sleepers].sort((a, b) => a.until - b.until)[0];
      if (!next || next.until > end) break;
      this.#pass(next.until - this.#monotonic);
      this.#sleepers.delete(next);
      next.wake();
    }
    this.#pass(end - this.#monotonic);
    await settle();
  }

  async advanceTo(wall: string): Promise<void> {
    await this.advance(Date.parse(wall) - this.#wall);
  }

  /** The clock on the wall is set, or the machine was asleep: timers know nothing of it. */
  set(wall: string): void {
    this.#wall = Date.parse(wall);
  }

  #pass(ms: number): void {
    this.#monotonic += ms;
    this.#wall += ms;
  }
}

export interface StartedRun {
  readonly args: readonly string[];
  readonly at: string;
  readonly signals: string[];
  end(end?: Partial<ChildEnd>): Promise<void>;
}

/** Runs that continue until a test ends them. */
export class FakeRuns {
  readonly started: StartedRun[] = [];
  /** What a run ends with at once; undefined: it continues. */
  atOnce: ((args: readonly string[]) => Partial<ChildEnd> | undefined) | undefined;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly start: StartChild = (args): Child => {
    let finish: (end: ChildEnd) => void = () => {};
    const ended = new Promise<ChildEnd>((resolve) => {
      finish = resolve;
    });
    const signals: string[] = [];
    const end = async (it: Partial<ChildEnd> = {}): Promise<void> => {
      finish({
        exitCode: 0,
        summary: { run: `run-${this.started.length}`, status: 'completed', counts: {} },
        ...it,
      });
      await settle();
    };
    this.started.push({ args, at: new Date(this.#clock.now()).toISOString(), signals, end });
    const already = this.atOnce?.(args);
    if (already) void end(already);
    return { ended, interrupt: () => signals.push('SIGINT'), kill: () => signals.push('SIGKILL') };
  };

  /** When each run was started, and of which job. */
  get reported(): string[] {
    return this.started.map((it) => `${it.at.slice(0, 16)} ${it.args.slice(0, 2).join(' ')}`);
  }
}

/** Stores the events that it gets. */
export class Reported implements ScheduleObserver {
  readonly notes: Message[] = [];
  readonly runs: ScheduledRun[] = [];

  note(it: Message): void {
    this.notes.push(it);
  }

  line(): void {}

  ran(run: ScheduledRun): void {
    this.runs.push(run);
  }

  get codes(): string[] {
    return this.notes.map((it) => it.code).filter((it) => it !== 'schedule.next');
  }

  get text(): string {
    return this.notes.map((it) => render(it)).join('\n');
  }
}

export function connection(token: TokenSource): Connection {
  return {
    name: 'production',
    sandbox: false,
    baseUrl: 'https://license.example.com',
    token,
    timestamps: 'milliseconds',
    timezone: 'Asia/Shanghai',
    allowInsecureHttp: false,
    confirm: 'default',
    retryCode500: 'retry',
  };
}

/** A job with a schedule, by default every night at two in Shanghai. */
export function nightly(
  change: Partial<JobSchedule> & Partial<Pick<ScheduledJob, 'name' | 'kind' | 'hasActions' | 'isInbox'>> = {},
): ScheduledJob {
  const { name = 'nightly', kind = 'run', hasActions = false, isInbox = false, ...rest } = change;
  const schedule: JobSchedule = {
    cron: '0 2 * * *',
    timezone: 'Asia/Shanghai',
    onMissed: 'run',
    onOverlap: 'skip',
    ...rest,
  };
  const reading = readCron(schedule.cron);
  const found = zone(schedule.timezone ?? 'UTC');
  if (!reading.ok || !found) throw new Error(`no schedule: ${schedule.cron}`);
  const file = `/jobs/${name}.yaml`;
  const job: Job = {
    file,
    sha256: '00',
    name,
    operation: 'asset.lock',
    source: {
      file: '/data/locks.csv',
      headerRow: 1,
      encoding: 'auto',
      delimiter: 'auto',
      hiddenRows: 'include',
    },
    batch: {},
    run: {
      concurrency: 1,
      timeoutMs: 1000,
      retries: 0,
      patienceMs: 900_000,
      onInvalid: 'abort',
      stopAfterFailures: 50,
    },
    safety: {
      maxItems: 1,
      maxDeletes: 1,
      allowDeleteFromAllOrders: false,
      duplicates: 'skip',
      conflicts: 'abort',
    },
    output: { file: '/results/{job}-{run}.xlsx' },
    schedule,
  };
  const timetable = { cron: reading.times, zone: found };
  return {
    name,
    file,
    kind,
    hasActions,
    isInbox,
    job,
    schedule,
    timetable,
    connection: 'sandbox',
    scope: 'sandbox',
  };
}
