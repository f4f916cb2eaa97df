import { message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { RunLock } from '../ledger/contract/run-lock.js';
import { LedgerClosed } from '../ledger/ledger-errors.js';
import { newRunId } from '../util/run-id.js';
import type { StartOrder } from './decide.js';
import { lacksEnd } from './job-history.js';
import type { ScheduledJob } from './scheduled-job.js';
import type { ScheduleServices } from './services.js';
import { localText } from './timetable.js';

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
const TRIES_WHEN_STOPPING = 3;
const PAUSE_WHEN_STOPPING_MS = 500;

type RetryServices = Pick<ScheduleServices, 'clock' | 'language' | 'observer' | 'stop'>;

/**
 * Repeats work with the ledger while the ledger is busy or its disk is full, because a scheduler must tolerate that.
 * @returns undefined if the scheduler is stopping and the ledger still fails
 * @throws LedgerClosed if the ledger was closed; this also stops the scheduler
 */
export async function retryLedger<T>(
  parts: RetryServices,
  work: () => Promise<T>,
): Promise<{ value: T } | undefined> {
  const { clock, language, observer, stop } = parts;
  let pause = FIRST_PAUSE_MS;
  for (let left = TRIES_WHEN_STOPPING; left > 0; ) {
    try {
      return { value: await work() };
    } catch (error) {
      if (!(error instanceof ProductError)) throw error;
      if (error instanceof LedgerClosed) {
        stop.stop({ kind: 'error', error });
        throw error;
      }
      const seconds = Math.ceil((stop.cause ? PAUSE_WHEN_STOPPING_MS : pause) / 1000);
      observer.note(message('schedule.ledger_trouble', { why: render(error.detail, language), seconds }));
    }
    if (stop.cause) {
      left -= 1;
      if (left > 0) await clock.sleep(PAUSE_WHEN_STOPPING_MS);
    } else {
      await clock.sleep(pause, stop.signal);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }
  return undefined;
}

/** How often to check whether another scheduler has finished with a job. */
const POLL_MS = 2_000;

type LockServices = Pick<ScheduleServices, 'clock' | 'language' | 'ledger' | 'observer' | 'stop'>;

const NO_LOCK: RunLock = { release: async () => {} };

/**
 * Acquires the lock of a job: schedulers of one ledger process the times of a job one at a time. The holder records the
 * start of the time in the ledger afterwards. So a started time without an end, whose job is not locked, belongs to a
 * scheduler that has exited. A ledger that is a file has one scheduler, which needs no lock.
 * @returns undefined if the order is processed elsewhere, or this scheduler is stopping
 */
export async function acquireJobLock(
  parts: LockServices,
  job: ScheduledJob,
  order: StartOrder,
): Promise<RunLock | undefined> {
  const { clock, ledger, observer, stop } = parts;
  if (!ledger.queue) return NO_LOCK;
  for (;;) {
    const lock = await tryJobLock(parts, job);
    if (lock) {
      if (!(await isProcessed(parts, job, order))) return lock;
      observer.note(message('schedule.taken_up', aboutOrder(job, order)));
      await lock.release();
      return undefined;
    }
    if (stop.cause) return undefined;
    // Another scheduler is processing a time of the job: this one, or an overlapping one.
    if (!order.claimed && job.schedule.onOverlap === 'skip') {
      const last = (await retryLedger(parts, () => ledger.schedule.last(job.name)))?.value;
      const isTaken = (last?.due ?? 0) >= order.due;
      // If no earlier time is running, the holder is about to start this one.
      if (isTaken || (last && lacksEnd(last))) {
        const code = isTaken ? 'schedule.taken_up' : 'schedule.overlap_skipped';
        observer.note(message(code, aboutOrder(job, order)));
        return undefined;
      }
    }
    await clock.sleep(POLL_MS, stop.signal);
  }
}

/** The lock of a job, if no other scheduler holds it. */
export async function tryJobLock(parts: LockServices, { name }: ScheduledJob): Promise<RunLock | undefined> {
  const { clock, ledger } = parts;
  const answer = await retryLedger(parts, () => ledger.lock(`@schedule ${name}`, '-', newRunId(clock.now())));
  return answer?.value.kind === 'taken' ? answer.value.lock : undefined;
}

/** True if another scheduler ended the time that this one should continue, or has started a newer one since. */
async function isProcessed(parts: LockServices, { name }: ScheduledJob, order: StartOrder): Promise<boolean> {
  if (!order.claimed) return false;
  const last = (await retryLedger(parts, () => parts.ledger.schedule.last(name)))?.value;
  return last !== undefined && (last.due > order.due || (last.due === order.due && !lacksEnd(last)));
}

export function aboutOrder(
  job: ScheduledJob,
  { due }: Pick<StartOrder, 'due'>,
): { readonly job: string; readonly due: string } {
  return { job: job.name, due: localText(job.timetable.zone, due) };
}
