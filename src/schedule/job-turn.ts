import { message } from '../errors/message.js';
import type { RunLock } from '../ledger/contract/run-lock.js';
import { newRunId } from '../util/run-id.js';
import type { ScheduleServices } from './contract.js';
import type { StartOrder } from './decide.js';
import { lacksEnd } from './job-history.js';
import { retryLedger } from './retry-ledger.js';
import type { ScheduledJob } from './scheduled-job.js';
import { localText } from './timetable.js';

/** How often to look whether another scheduler is done with a job. */
const LOOK_AGAIN_MS = 2_000;

type TurnServices = Pick<ScheduleServices, 'clock' | 'language' | 'ledger' | 'observer' | 'stop'>;

const NO_LOCK: RunLock = { release: async () => {} };

/**
 * Schedulers of one ledger carry out the times of a job one at a time: this one's turn, held until it is released.
 * Whoever has it takes the time up in the ledger afterwards, so a time that is taken up, has no end, and whose job's turn
 * is free, is one whose scheduler is gone. A ledger that is a file has one scheduler, which always has the turn.
 * @returns undefined when the order is dealt with elsewhere, or this scheduler is stopping
 */
export async function jobTurn(
  parts: TurnServices,
  job: ScheduledJob,
  order: StartOrder,
): Promise<RunLock | undefined> {
  const { clock, ledger, observer, stop } = parts;
  if (!ledger.queue) return NO_LOCK;
  for (;;) {
    const lock = await freeTurn(parts, job);
    if (lock) {
      if (!(await isDealtWith(parts, job, order))) return lock;
      observer.note(message('schedule.taken_up', aboutOrder(job, order)));
      await lock.release();
      return undefined;
    }
    if (stop.cause) return undefined;
    // Others carry out a time of the job: its own, or one that this one overlaps with.
    if (!order.claimed && job.schedule.onOverlap === 'skip') {
      const last = (await retryLedger(parts, () => ledger.schedule.last(job.name)))?.value;
      const isTaken = (last?.due ?? 0) >= order.due;
      // Where no time before it goes on, whoever has the turn is about to take up this one.
      if (isTaken || (last && lacksEnd(last))) {
        const code = isTaken ? 'schedule.taken_up' : 'schedule.overlap_skipped';
        observer.note(message(code, aboutOrder(job, order)));
        return undefined;
      }
    }
    await clock.sleep(LOOK_AGAIN_MS, stop.signal);
  }
}

/** The turn at a job, if no other scheduler has it now. */
export async function freeTurn(parts: TurnServices, { name }: ScheduledJob): Promise<RunLock | undefined> {
  const { clock, ledger } = parts;
  const answer = await retryLedger(parts, () => ledger.lock(`@schedule ${name}`, '-', newRunId(clock.now())));
  return answer?.value.kind === 'taken' ? answer.value.lock : undefined;
}

/** True when another scheduler ended the time that this one was to go on with, or has taken up a newer one since. */
async function isDealtWith(parts: TurnServices, { name }: ScheduledJob, order: StartOrder): Promise<boolean> {
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
