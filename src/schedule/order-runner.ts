import pLimit from 'p-limit';
import { type Code, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { EXIT } from '../model/exit-code.js';
import { replacePlans } from '../run/approval/replace-plans.js';
import { newRunId } from '../util/run-id.js';
import type { ChildEnd } from './child.js';
import { Children } from './children.js';
import { orderArgs } from './command.js';
import type { ScheduleServices } from './contract.js';
import type { StartOrder } from './decide.js';
import { endOfRun } from './job-history.js';
import { aboutOrder, jobTurn } from './job-turn.js';
import { retryLedger } from './retry-ledger.js';
import type { ScheduledJob } from './scheduled-job.js';

/** How often to check whether a run that somebody else started has ended. */
const LOOK_AGAIN_MS = 15_000;
/** So many times before this one are looked at for plans that still wait. */
const LOOKED_BACK = 30;
const LOCKED: ReadonlySet<string> = new Set<Code>(['ledger.run_going_on', 'ledger.another_run_going_on']);

interface End {
  readonly endedAt: number;
  readonly exitCode: number;
  readonly run?: string;
}

/** Carries out start orders as processes, a limited number at a time, and records their ends in the ledger. */
export class OrderRunner {
  readonly children = new Children();
  readonly #parts: ScheduleServices;
  readonly #turn: <T>(work: () => Promise<T>) => Promise<T>;

  constructor(parts: ScheduleServices) {
    this.#parts = parts;
    this.#turn = pLimit(parts.concurrency);
  }

  /**
   * Resolves when the order's run has ended, or when there turns out to be none to start. While it waits for a run that
   * somebody else started, a newer due time may come; one run then covers both, as the run of the newer time.
   */
  async runOrder(
    job: ScheduledJob,
    first: StartOrder,
    takeNewer: () => StartOrder | undefined,
  ): Promise<void> {
    if (await this.#isPaused(job, first)) return;
    const turn = await jobTurn(this.#parts, job, first);
    if (!turn) return;
    try {
      await this.#untilRun(job, first, takeNewer);
    } finally {
      await turn.release();
    }
  }

  /** A person paused the job: its time isn't taken up. What was begun before goes on. */
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
      const now = order;
      const locked = await this.#turn(() => this.#once(job, now));
      if (locked === undefined) return;
      const why = locked.summary?.error?.message ?? '';
      if (tries === 1) observer.note(message('schedule.locked_waiting', { ...aboutOrder(job, order), why }));
      order = { ...order, claimed: true };
      await this.#untilFree(job);
      const newer = order.resume ? undefined : takeNewer();
      if (newer) order = await this.#giveWay(job, order, newer);
    }
  }

  /** Replaces the waiting order by the newer one. The older due time ends without a run. */
  async #giveWay(job: ScheduledJob, waiting: StartOrder, newer: StartOrder): Promise<StartOrder> {
    const { clock, observer } = this.#parts;
    await this.#record(job, waiting, { endedAt: clock.now(), exitCode: EXIT.interrupted });
    const { due: before } = aboutOrder(job, waiting);
    observer.note(message('schedule.overtaken', { ...aboutOrder(job, newer), before }));
    return newer;
  }

  /** Waits for the run that holds the job's lock. Starting a run to find out would notify everybody each time. */
  async #untilFree(job: ScheduledJob): Promise<void> {
    const { clock, ledger, stop } = this.#parts;
    do {
      await clock.sleep(LOOK_AGAIN_MS, stop.signal);
      try {
        const answer = await ledger.lock(job.name, job.scope, newRunId(clock.now()));
        if (answer.kind === 'taken') return await answer.lock.release();
      } catch (error) {
        if (!(error instanceof ProductError)) throw error;
      }
    } while (!stop.cause);
  }

  /** Runs the order once. Gives the run's end if another process holds the job and the order should be tried again. */
  async #once(job: ScheduledJob, order: StartOrder): Promise<ChildEnd | undefined> {
    const { clock, ledger, observer, passed, start, stop } = this.#parts;
    if (await this.#overtaken(job, order)) return undefined;
    if (!stop.cause && !order.claimed && !(await this.#claim(job, order))) return undefined;
    if (stop.cause) {
      // No run came of this due time: the next scheduler deals with it.
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
    // It was refused because it had just ended by itself.
    if (order.resume && end.exitCode === EXIT.usage && (await this.#overtaken(job, order))) return undefined;
    await this.#record(job, order, { endedAt, exitCode: end.exitCode, run: end.summary?.run });
    this.#tellTrouble(job, order, end);
    await this.#replaceWaiting(job, order, end.summary?.run);
    const durationMs = clock.monotonic() - began;
    observer.ran({ job, due: order.due, reason: order.reason, startedAt, endedAt, durationMs, end });
    return undefined;
  }

  /**
   * Takes the due time in the ledger, so that nobody else runs it, nor this scheduler again after its clock went back.
   */
  async #claim(job: ScheduledJob, order: StartOrder): Promise<boolean> {
    const { clock, ledger, observer, stop } = this.#parts;
    const taken = await retryLedger(this.#parts, () =>
      ledger.schedule.begin(job.name, order.due, clock.now()),
    );
    if (taken?.value === false) observer.note(message('schedule.taken_up', aboutOrder(job, order)));
    if (taken?.value && stop.cause) {
      await this.#record(job, order, { endedAt: clock.now(), exitCode: EXIT.interrupted });
      return false;
    }
    return taken?.value === true;
  }

  /** True when a run to be resumed has ended meanwhile, in a process that outlived its scheduler. */
  async #overtaken(job: ScheduledJob, order: StartOrder): Promise<boolean> {
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

  /** What nobody approved of the nights before gives way to this one's plan. Each file of an inbox has a plan of its own. */
  async #replaceWaiting(job: ScheduledJob, order: StartOrder, newest: string | undefined): Promise<void> {
    if (newest === undefined || job.isInbox) return;
    const { clock, ledger, observer, who } = this.#parts;
    const replaced = await retryLedger(this.#parts, async () => {
      const earlier = await ledger.schedule.runsBefore(job.name, order.due, LOOKED_BACK);
      return replacePlans(ledger, { earlier, newest, who, at: clock.now() });
    });
    const plans = replaced?.value.join(', ') ?? '';
    if (plans !== '') observer.note(message('schedule.replaced', { ...aboutOrder(job, order), plans }));
  }

  #tellTrouble(job: ScheduledJob, order: StartOrder, { signal, summary, exitCode }: ChildEnd): void {
    const { observer, stop } = this.#parts;
    if (stop.cause) return;
    if (signal !== undefined)
      observer.note(message('schedule.killed', { ...aboutOrder(job, order), signal }));
    else if (!summary) observer.note(message('schedule.no_answer', { ...aboutOrder(job, order), exitCode }));
  }
}
