import { type Language, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { StartOrder } from './decide.js';
import type { ScheduledJob } from './scheduled-job.js';
import type { ScheduleObserver, ScheduleServices } from './services.js';
import { localText } from './timetable.js';

/** Executes an order. While it waits, a newer order may replace it. */
type ExecuteOrder = (order: StartOrder, takeNewer: () => StartOrder | undefined) => Promise<void>;

/** The start orders of one job. They are executed one at a time. */
export class JobQueue {
  readonly job: ScheduledJob;
  /** Due times up to here are processed. */
  doneUntil: number;
  /** The newest due time that was taken over from a scheduler that had exited. */
  takenOverUntil = 0;
  readonly #observer: ScheduleObserver;
  readonly #language: Language;
  readonly #execute: ExecuteOrder;
  readonly #orders: StartOrder[] = [];
  #work: Promise<void> | undefined;

  constructor(
    job: ScheduledJob,
    doneUntil: number,
    { observer, language }: Pick<ScheduleServices, 'observer' | 'language'>,
    execute: ExecuteOrder,
  ) {
    this.job = job;
    this.doneUntil = doneUntil;
    this.#observer = observer;
    this.#language = language;
    this.#execute = execute;
  }

  get isIdle(): boolean {
    return this.#work === undefined;
  }

  /** Resolves when no order of this job is running or waiting. */
  async idle(): Promise<void> {
    while (this.#work) await this.#work;
  }

  /** Adds orders that are executed one after the other, regardless of `onOverlap`. */
  begin(orders: readonly StartOrder[]): void {
    if (orders.length === 0) return;
    this.#orders.push(...orders);
    this.#work ??= this.#all().finally(() => {
      this.#work = undefined;
    });
  }

  /** Adds an order for a due time. If another one is running, the job's `onOverlap` decides. */
  offer(order: StartOrder): void {
    if (!this.#work) {
      this.begin([order]);
      return;
    }
    const params = { job: this.job.name, due: localText(this.job.timetable.zone, order.due) };
    if (this.job.schedule.onOverlap === 'skip') {
      this.#observer.note(message('schedule.overlap_skipped', params));
      return;
    }
    // At most one waits; the newer one covers both.
    const replaced = this.#takeWaiting();
    this.#orders.push({ ...order, reason: 'queued' });
    if (!replaced) this.#observer.note(message('schedule.overlap_queued', params));
    else {
      const before = localText(this.job.timetable.zone, replaced.due);
      this.#observer.note(message('schedule.overtaken', { ...params, before }));
    }
  }

  #takeWaiting(): StartOrder | undefined {
    const index = this.#orders.findIndex((it) => it.reason === 'queued');
    return index < 0 ? undefined : this.#orders.splice(index, 1)[0];
  }

  async #all(): Promise<void> {
    for (let order = this.#orders.shift(); order; order = this.#orders.shift()) {
      try {
        await this.#execute(order, () => this.#takeWaiting());
      } catch (error) {
        // An error must not affect other jobs and later times.
        const why = error instanceof ProductError ? render(error.detail, this.#language) : String(error);
        this.#observer.note(message('schedule.fault', { job: this.job.name, why }));
      }
    }
  }
}
