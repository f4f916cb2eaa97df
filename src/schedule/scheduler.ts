import { setMaxListeners } from 'node:events';
import { message } from '../errors/message.js';
import type { ScheduleServices } from './contract.js';
import { decideAtStart, decideCutOff, decideDue, type StartDecision } from './decide.js';
import { lacksEnd, readHistory } from './job-history.js';
import { JobQueue } from './job-queue.js';
import { freeTurn } from './job-turn.js';
import { OrderRunner } from './order-runner.js';
import { retryLedger } from './retry-ledger.js';
import { type ScheduledJob, startTime } from './scheduled-job.js';
import { localText, nextTime } from './timetable.js';

/** The longest sleep. A machine that was asleep, or a clock that was set, is noticed within this time. */
const LONGEST_SLEEP_MS = 20_000;
/** Clocks are often set back by less than this. */
const SET_BACK_MS = 1_000;

/**
 * Runs jobs at their times until it is stopped. A ledger that is a file has one scheduler at a time (`lockSchedule`); one
 * on a server any number, who take turns at each job (`jobTurn`).
 */
export class Scheduler {
  readonly #parts: ScheduleServices;
  readonly #carrier: OrderRunner;
  readonly #lanes: JobQueue[] = [];

  constructor(parts: ScheduleServices) {
    this.#parts = parts;
    this.#carrier = new OrderRunner(parts);
    // Every job may be waiting on this signal.
    setMaxListeners(0, parts.stop.signal);
  }

  /**
   * Resolves when it was stopped and all runs have ended.
   * @throws ProductError when the ledger can't be read at the start; later faults it outlives
   */
  async run(jobs: readonly ScheduledJob[]): Promise<void> {
    const { stop } = this.#parts;
    const begun = [];
    for (const job of jobs) {
      begun.push({ job, decision: await this.#begin(job) });
    }
    stop.signal.addEventListener('abort', () => this.#drain());
    for (const { job, decision } of begun) {
      const carry = this.#carrier.runOrder.bind(this.#carrier, job);
      const lane = new JobQueue(job, decision.doneUntil, this.#parts, carry);
      this.#lanes.push(lane);
      await this.#record(job, decision);
      lane.begin(decision.orders);
    }
    if (!stop.cause) this.#tellNext();
    await this.#watch();
    for (const lane of this.#lanes) await lane.idle();
  }

  /** What to do at the start; what another scheduler is at work on isn't cut off. */
  async #begin(job: ScheduledJob): Promise<StartDecision> {
    const { clock, ledger } = this.#parts;
    const turn = ledger.queue && (await freeTurn(this.#parts, job));
    try {
      const memory = await readHistory(ledger, job);
      const isCarried = ledger.queue !== undefined && turn === undefined;
      return decideAtStart(job, isCarried ? { ...memory, carried: true } : memory, clock.now());
    } finally {
      await turn?.release();
    }
  }

  /**
   * Goes on with the last time of a job where the scheduler that took it up is gone: on a server, whoever is left sees
   * to it. Each once.
   */
  async #takeOver(lane: JobQueue, now: number): Promise<void> {
    const { ledger } = this.#parts;
    if (!ledger.queue || !lane.isIdle) return;
    const { last } = await readHistory(ledger, lane.job);
    if (!last || !lacksEnd(last) || last.due <= lane.lookedAfter) return;
    const turn = await freeTurn(this.#parts, lane.job);
    if (!turn) return;
    await turn.release();
    lane.lookedAfter = last.due;
    const decision = decideCutOff(lane.job, await readHistory(ledger, lane.job), now);
    await this.#record(lane.job, { ...decision, doneUntil: lane.doneUntil });
    lane.begin(decision.orders);
  }

  /** Makes the remaining runs leave at once; they can be resumed. Call it only after a stop. */
  leave(): void {
    this.#carrier.children.leave();
  }

  async #watch(): Promise<void> {
    const { clock, observer, stop } = this.#parts;
    let seen = clock.now();
    while (!stop.cause) {
      const now = clock.now();
      if (now < seen - SET_BACK_MS) {
        observer.note(message('schedule.clock_back', { seconds: Math.round((seen - now) / 1000) }));
        for (const lane of this.#lanes) lane.doneUntil = Math.min(lane.doneUntil, now);
      }
      seen = now;
      for (const lane of this.#lanes) {
        this.#look(lane, now);
        await retryLedger(this.#parts, () => this.#takeOver(lane, now));
      }
      await clock.sleep(this.#untilNext(now), stop.signal);
    }
  }

  #look(lane: JobQueue, now: number): void {
    const decision = decideDue(lane.job, lane.doneUntil, now);
    lane.doneUntil = decision.doneUntil;
    for (const told of decision.told) this.#parts.observer.note(told);
    for (const order of decision.orders) lane.offer(order);
  }

  #untilNext(now: number): number {
    const starts = this.#lanes.map(({ job, doneUntil }) => {
      const next = nextTime(job.timetable, doneUntil);
      return next === undefined ? Number.POSITIVE_INFINITY : startTime(job, next);
    });
    return Math.max(1, Math.min(LONGEST_SLEEP_MS, ...starts.map((it) => Math.ceil(it - now))));
  }

  async #record(job: ScheduledJob, { closed, told }: StartDecision): Promise<void> {
    const { ledger, observer } = this.#parts;
    for (const it of told) observer.note(it);
    for (const { due, ...end } of closed) {
      await retryLedger(this.#parts, () => ledger.schedule.end(job.name, due, end));
    }
  }

  #tellNext(): void {
    const { clock, observer } = this.#parts;
    for (const { job, doneUntil } of this.#lanes) {
      const due = nextTime(job.timetable, Math.max(doneUntil, clock.now()));
      if (due === undefined) continue;
      const next = localText(job.timetable.zone, due);
      const timezone = job.timetable.zone.name;
      observer.note(message('schedule.next', { job: job.name, next, timezone }));
    }
  }

  #drain(): void {
    const { observer } = this.#parts;
    const { children } = this.#carrier;
    const { count } = children;
    observer.note(count > 0 ? message('schedule.stopping', { count }) : message('schedule.stopping_idle'));
    children.interrupt();
  }
}
