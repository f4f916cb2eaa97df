import pLimit from 'p-limit';
import { type Code, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { EXIT } from '../model/run-outcome.js';
import { replacePlans } from '../run/approval/replace-plans.js';
import { newRunId } from '../util/run-id.js';
import { type ChildEnd, Children, orderArgs } from './child.js';
import type { StartOrder } from './decide.js';
import { endOfRun } from './job-history.js';
import { aboutOrder, acquireJobLock, retryLedger } from './job-turn.js';
import type { ScheduledJob } from './scheduled-job.js';
import type { ScheduleServices } from './services.js';

/** How often to check whether a run that another process started has ended. */
const POLL_MS = 15_000;
/** Number of earlier times that are searched for waiting plans. */
const TIMES_SEARCHED = 30;
const LOCKED: ReadonlySet<string> = new Set<Code>(['ledger.run_going_on', 'ledger.another_run_going_on']);

interface End {
  readonly endedAt: number;
  readonly exitCode: number;
  readonly run?: string;
}

/** Executes start orders as child processes, a limited number at a time, and records their ends in the ledger. */
export class OrderRunner {
  readonly children = new Children();
  readonly #parts: ScheduleServices;
  readonly #limit: <T>(work: () => Promise<T>) => Promise<T>;

  constructor(parts: ScheduleServices) {
    this.#parts = parts;
    this.#limit = pLimit(parts.concurrency);
  }

  /**
   * Resolves when the order's run has ended, or if no run is needed. While it waits for a run of another process, a newer
   * time may become due. Then one run covers both, as the run of the newer time.
   */
  async runOrder(
    job: ScheduledJob,
    first: StartOrder,
    takeNewer: () => StartOrder | undefined,
  ): Promise<void> {
    if (await this.#isPaused(job, first)) return;
    const lock = await acquireJobLock(this.#parts, job, first);
    if (!lock) return;
    try {
      await this.#untilRun(job, first, takeNewer);
    } finally {
      await lock.release();
    }
  }

  /** Whether a user paused the job: then new times are not started. Started ones continue. */
  async #isPaused(job: ScheduledJob, order: StartOrder): Promise<boolean> {
    if (order.claimed) return false;
    const { ledger, observer } = this.#parts;
    const pause = (await retryLedger(this.#parts, () => ledger.schedule.paused(job.name)))?.value;
    if (!pause || pause.continuedAt !== undefined) return false;
    observer.note(message('schedule.paused', { ...aboutOrder(job, order), who: pause.who }));
    return true;
  }

  async #untilRun(job: ScheduledJob, first: StartOrder, takeNewer: () => StartOrder | undefined) {
    const { observer } = this.#parts;
    let order = first;
    for (let tries = 1; ; tries += 1) {
      const current = order;
      const locked = await this.#limit(() => this.#once(job, current));
      if (locked === undefined) return;
      const why = locked.summary?.error?.message ?? '';
      if (tries === 1) observer.note(message('schedule.locked_waiting', { ...aboutOrder(job, order), why }));
      order = { ...order, claimed: true };
      await this.#untilFree(job);
      const newer = order.resume ? undefined : takeNewer();
      if (newer) order = await this.#replaceBy(job, order, newer);
    }
  }

  /** Replaces the waiting order by the newer one. The older due time ends without a run. */
  async #replaceBy(job: ScheduledJob, waiting: StartOrder, newer: StartOrder): Promise<StartOrder> {
    const { clock, observer } = this.#parts;
    await this.#record(job, waiting, { endedAt: clock.now(), exitCode: EXIT.interrupted });
    const { due: before } = aboutOrder(job, waiting);
    observer.note(message('schedule.overtaken', { ...aboutOrder(job, newer), before }));
    return newer;
  }

  /** Waits for the run that holds the job's lock. Starting a run instead would send notifications each time. */
  async #untilFree(job: ScheduledJob): Promise<void> {
    const { clock, ledger, stop } = this.#parts;
    do {
      await clock.sleep(POLL_MS, stop.signal);
      try {
        const answer = await ledger.lock(job.name, job.scope, newRunId(clock.now()));
        if (answer.kind === 'taken') return await answer.lock.release();
      } catch (error) {
        if (!(error instanceof ProductError)) throw error;
      }
    } while (!stop.cause);
  }

  /** Runs the order once. Returns the run's end if another process holds the job's lock and the order should be tried again. */
  async #once(job: ScheduledJob, order: StartOrder): Promise<ChildEnd | undefined> {
    const { clock, ledger, observer, passed, start, stop } = this.#parts;
    if (await this.#hasEndedElsewhere(job, order)) return undefined;
    if (!stop.cause && !order.claimed && !(await this.#claim(job, order))) return undefined;
    if (stop.cause) {
      // This due time has no run: the next scheduler processes it.
      if (order.claimed) await this.#record(job, order, { endedAt: clock.now(), exitCode: EXIT.interrupted });
      return undefined;
    }
    const startedAt = clock.now();
    const began = clock.monotonic();
    const child = start(orderArgs(job, order, passed, ledger.address), (line) =>
      observer.line(job.name, line),
    );
    const end = await this.children.watch(child);
    const endedAt = clock.now();
    if (end.exitCode === EXIT.usage && LOCKED.has(end.summary?.error?.code ?? '')) {
      return this.#locked(job, order, end, endedAt);
    }
    // It was refused because it had just ended in another process.
    if (order.resume && end.exitCode === EXIT.usage && (await this.#hasEndedElsewhere(job, order)))
      return undefined;
    await this.#record(job, order, { endedAt, exitCode: end.exitCode, run: end.summary?.run });
    this.#noteProblem(job, order, end);
    await this.#replaceWaiting(job, order, end.summary?.run);
    const durationMs = clock.monotonic() - began;
    observer.ran({ job, due: order.due, reason: order.reason, startedAt, endedAt, durationMs, end });
    return undefined;
  }

  /** Records the start of the due time, so that it is not run twice: by another scheduler, or after the clock was set back. */
  async #claim(job: ScheduledJob, order: StartOrder): Promise<boolean> {
    const { clock, ledger, observer, stop } = this.#parts;
    const started = await retryLedger(this.#parts, () =>
      ledger.schedule.begin(job.name, order.due, clock.now()),
    );
    if (started?.value === false) observer.note(message('schedule.taken_up', aboutOrder(job, order)));
    if (started?.value && stop.cause) {
      await this.#record(job, order, { endedAt: clock.now(), exitCode: EXIT.interrupted });
      return false;
    }
    return started?.value === true;
  }

  /** True if a run to resume has ended in the meantime, in a process that outlived its scheduler. */
  async #hasEndedElsewhere(job: ScheduledJob, order: StartOrder): Promise<boolean> {
    const { ledger, observer } = this.#parts;
    const { resume } = order;
    if (!resume) return false;
    const found = await retryLedger(this.#parts, () => ledger.runs.get(resume.id));
    const ended = found?.value && endOfRun(found.value);
    if (!ended) return false;
    await this.#record(job, order, ended);
    const { run, exitCode } = ended;
    observer.note(message('schedule.ended_by_itself', { ...aboutOrder(job, order), run, exitCode }));
    return true;
  }

  async #locked(
    job: ScheduledJob,
    order: StartOrder,
    end: ChildEnd,
    endedAt: number,
  ): Promise<ChildEnd | undefined> {
    if (order.resume || job.schedule.onOverlap === 'queue') return end;
    await this.#record(job, order, { endedAt, exitCode: end.exitCode });
    const why = end.summary?.error?.message ?? '';
    this.#parts.observer.note(message('schedule.locked_skipped', { ...aboutOrder(job, order), why }));
    return undefined;
  }

  async #record(job: ScheduledJob, { due, resume }: StartOrder, end: End): Promise<void> {
    const run = end.run ?? resume?.id;
    await retryLedger(this.#parts, () => this.#parts.ledger.schedule.end(job.name, due, { ...end, run }));
  }

  /** Replaces unapproved plans of earlier times by this one's plan. Not for an inbox, where each file has its own plan. */
  async #replaceWaiting(job: ScheduledJob, order: StartOrder, newest: string | undefined): Promise<void> {
    if (newest === undefined || job.isInbox) return;
    const { clock, ledger, observer, who } = this.#parts;
    const replaced = await retryLedger(this.#parts, async () => {
      const earlier = await ledger.schedule.runsBefore(job.name, order.due, TIMES_SEARCHED);
      return replacePlans(ledger, { earlier, newest, who, at: clock.now() });
    });
    const plans = replaced?.value.join(', ') ?? '';
    if (plans !== '') observer.note(message('schedule.replaced', { ...aboutOrder(job, order), plans }));
  }

  #noteProblem(job: ScheduledJob, order: StartOrder, { signal, summary, exitCode }: ChildEnd): void {
    const { observer, stop } = this.#parts;
    if (stop.cause) return;
    if (signal !== undefined)
      observer.note(message('schedule.killed', { ...aboutOrder(job, order), signal }));
    else if (!summary) observer.note(message('schedule.no_answer', { ...aboutOrder(job, order), exitCode }));
  }
}
