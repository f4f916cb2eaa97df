import { type Language, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { ScheduleObserver, ScheduleServices } from './contract.js';
import type { StartOrder } from './decide.js';
import type { ScheduledJob } from './scheduled-job.js';
import { localText } from './timetable.js';

/** Carries an order out. While it waits, a newer order may replace it. */
type CarryOutOrder = (order: StartOrder, takeNewer: () => StartOrder | undefined) => Promise<void>;

/** The start orders of one job. They are carried out one at a time. */
export class JobQueue {
  readonly job: ScheduledJob;
  /** Due times up to here are dealt with. */
  doneUntil: number;
  /** The newest time that was gone on with after its scheduler was gone. */
  lookedAfter = 0;
  readonly #observer: ScheduleObserver;
  readonly #language: Language;
  readonly #carry: CarryOutOrder;
  readonly #orders: StartOrder[] = [];
  #work: Promise<void> | undefined;

  constructor(
    job: ScheduledJob,
    doneUntil: number,
    { observer, language }: Pick<ScheduleServices, 'observer' | 'language'>,
    carry: CarryOutOrder,
  ) {
    this.job = job;
    this.doneUntil = doneUntil;
    this.#observer = observer;
    this.#language = language;
    this.#carry = carry;
  }

  get isIdle(): boolean {
    return this.#work === undefined;
  }

  /** Resolves when no order of this job is running or waiting. */
  async idle(): Promise<void> {
    while (this.#work) await this.#work;
  }

  /** Adds orders that follow one another, whatever the job says of overlaps. */
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
    const overtaken = this.#takeWaiting();
    this.#orders.push({ ...order, reason: 'queued' });
    if (!overtaken) this.#observer.note(message('schedule.overlap_queued', params));
    else {
      const before = localText(this.job.timetable.zone, overtaken.due);
      this.#observer.note(message('schedule.overtaken', { ...params, before }));
    }
  }

  /** Removes the waiting order from the queue and gives it. */
  #takeWaiting(): StartOrder | undefined {
    const at = this.#orders.findIndex((it) => it.reason === 'queued');
    return at < 0 ? undefined : this.#orders.splice(at, 1)[0];
  }

  async #all(): Promise<void> {
    for (let order = this.#orders.shift(); order; order = this.#orders.shift()) {
      try {
        await this.#carry(order, () => this.#takeWaiting());
      } catch (error) {
        // Whatever the error is, other jobs and later times must not suffer from it.
        const why = error instanceof ProductError ? render(error.detail, this.#language) : String(error);
        this.#observer.note(message('schedule.fault', { job: this.job.name, why }));
      }
    }
  }
}
