import { setMaxListeners } from 'node:events';
import { message } from '../errors/message.js';
import type { LiveState } from '../run/live-state.js';
import { decideAtStart, decideCutOff, decideDue, type StartDecision } from './decide.js';
import { coveredUntil, type JobHistory, lacksEnd, readHistory } from './job-history.js';
import { JobQueue } from './job-queue.js';
import { retryLedger, tryJobLock } from './job-turn.js';
import { OrderRunner } from './order-runner.js';
import { type ScheduledJob, startTime } from './scheduled-job.js';
import type { ScheduleServices } from './services.js';
import { localText, type Missed, missedSince, nextTime, nextTimes } from './timetable.js';

/** The longest sleep. A suspended machine or a changed clock is noticed within this time. */
const LONGEST_SLEEP_MS = 20_000;
/** Clocks are often set back by less than this. */
const SET_BACK_MS = 1_000;

/**
 * Runs jobs at their times until it is stopped. A ledger that is a file has one scheduler at a time (`lockSchedule`). A
 * server has any number; a lock for each job serialises them (`acquireJobLock`).
 */
export class Scheduler {
  readonly #parts: ScheduleServices;
  readonly #runner: OrderRunner;
  readonly #queues: JobQueue[] = [];

  constructor(parts: ScheduleServices) {
    this.#parts = parts;
    this.#runner = new OrderRunner(parts);
    // Every job may wait on this signal.
    setMaxListeners(0, parts.stop.signal);
  }

  /**
   * Resolves when it was stopped and all runs have ended.
   * @throws ProductError if the ledger cannot be read at the start, LedgerClosed if it was closed; later failures are tolerated
   */
  async run(jobs: readonly ScheduledJob[]): Promise<void> {
    const { stop } = this.#parts;
    const decisions = [];
    for (const job of jobs) {
      decisions.push({ job, decision: await this.#begin(job) });
    }
    stop.signal.addEventListener('abort', () => this.#drain());
    for (const { job, decision } of decisions) {
      const execute = this.#runner.runOrder.bind(this.#runner, job);
      const queue = new JobQueue(job, decision.doneUntil, this.#parts, execute);
      this.#queues.push(queue);
      await this.#record(job, decision);
      queue.begin(decision.orders);
    }
    if (!stop.cause) this.#noteNext();
    await this.#watch();
    for (const queue of this.#queues) await queue.idle();
    if (stop.cause?.kind === 'error') throw stop.cause.error;
  }

  /** The decision at the start. A time that another scheduler is processing is not interrupted. */
  async #begin(job: ScheduledJob): Promise<StartDecision> {
    const { clock, ledger } = this.#parts;
    const lock = ledger.queue && (await tryJobLock(this.#parts, job));
    try {
      const history = await readHistory(ledger, job);
      const isElsewhere = ledger.queue !== undefined && lock === undefined;
      return decideAtStart(
        job,
        isElsewhere ? { ...history, processedElsewhere: true } : history,
        clock.now(),
      );
    } finally {
      await lock?.release();
    }
  }

  /**
   * Continues the last time of a job whose scheduler has exited. On a server, any remaining scheduler does this, once for each
   * time.
   */
  async #takeOver(queue: JobQueue, now: number): Promise<void> {
    const { ledger } = this.#parts;
    if (!ledger.queue || !queue.isIdle) return;
    const { last } = await readHistory(ledger, queue.job);
    if (!last || !lacksEnd(last) || last.due <= queue.takenOverUntil) return;
    const lock = await tryJobLock(this.#parts, queue.job);
    if (!lock) return;
    await lock.release();
    queue.takenOverUntil = last.due;
    const decision = decideCutOff(queue.job, await readHistory(ledger, queue.job), now);
    await this.#record(queue.job, { ...decision, doneUntil: queue.doneUntil });
    queue.begin(decision.orders);
  }

  /** Makes the remaining runs exit at once; they can be resumed. Call it only after a stop. */
  leave(): void {
    this.#runner.children.leave();
  }

  async #watch(): Promise<void> {
    const { clock, observer, stop } = this.#parts;
    let seen = clock.now();
    while (!stop.cause) {
      const now = clock.now();
      if (now < seen - SET_BACK_MS) {
        observer.note(message('schedule.clock_back', { seconds: Math.round((seen - now) / 1000) }));
        for (const queue of this.#queues) queue.doneUntil = Math.min(queue.doneUntil, now);
      }
      seen = now;
      for (const queue of this.#queues) {
        this.#startDue(queue, now);
        await retryLedger(this.#parts, () => this.#takeOver(queue, now));
      }
      await clock.sleep(this.#untilNext(now), stop.signal);
    }
  }

  #startDue(queue: JobQueue, now: number): void {
    const decision = decideDue(queue.job, queue.doneUntil, now);
    queue.doneUntil = decision.doneUntil;
    for (const note of decision.notes) this.#parts.observer.note(note);
    for (const order of decision.orders) queue.offer(order);
  }

  #untilNext(now: number): number {
    const starts = this.#queues.map(({ job, doneUntil }) => {
      const next = nextTime(job.timetable, doneUntil);
      return next === undefined ? Number.POSITIVE_INFINITY : startTime(job, next);
    });
    return Math.max(1, Math.min(LONGEST_SLEEP_MS, ...starts.map((it) => Math.ceil(it - now))));
  }

  async #record(job: ScheduledJob, { closed, notes }: StartDecision): Promise<void> {
    const { ledger, observer } = this.#parts;
    for (const note of notes) observer.note(note);
    for (const { due, ...end } of closed) {
      await retryLedger(this.#parts, () => ledger.schedule.end(job.name, due, end));
    }
  }

  #noteNext(): void {
    const { clock, observer } = this.#parts;
    for (const { job, doneUntil } of this.#queues) {
      const due = nextTime(job.timetable, Math.max(doneUntil, clock.now()));
      if (due === undefined) continue;
      const next = localText(job.timetable.zone, due);
      const timezone = job.timetable.zone.name;
      observer.note(message('schedule.next', { job: job.name, next, timezone }));
    }
  }

  #drain(): void {
    const { observer } = this.#parts;
    const { children } = this.#runner;
    const { count } = children;
    observer.note(count > 0 ? message('schedule.stopping', { count }) : message('schedule.stopping_idle'));
    children.interrupt();
  }
}

const NEXT_TIMES = 3;

/** The state of a job's schedule. */
export interface ScheduleOverview {
  readonly job: ScheduledJob;
  readonly next: readonly number[];
  readonly history: JobHistory;
  /** The current state of the last run; absent if there is none. */
  readonly lastState?: LiveState;
  /** Due times since the job was last run. */
  readonly missed?: Missed;
}

export function scheduleOverview(
  job: ScheduledJob,
  history: JobHistory,
  now: number,
  lastState?: LiveState,
): ScheduleOverview {
  const since = coveredUntil(history, job);
  const missed = since === undefined ? undefined : missedSince(job.timetable, since, now);
  const next = nextTimes(job.timetable, now, NEXT_TIMES);
  return {
    job,
    next,
    history,
    missed,
    lastState,
  };
}
