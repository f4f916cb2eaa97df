import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { LockAnswer, LockHolder, RunLock } from '../ledger/contract/run-lock.js';
import { newRunId } from '../util/run-id.js';
import type { ScheduleServices } from './services.js';

/** No job can have this name. */
const NAME = '@schedule';
const POLL_MS = 2_000;

type LockParts = Pick<ScheduleServices, 'clock' | 'observer' | 'stop'> & {
  readonly ledger: Pick<Ledger, 'lock' | 'location'>;
};

/**
 * Makes this process the only scheduler of a ledger, until it ends.
 * @param wait wait while another scheduler is active, and take over when it has exited
 * @returns undefined if it was stopped while waiting
 * @throws ProductError usage, naming the other scheduler
 */
export async function lockSchedule(parts: LockParts, wait: boolean): Promise<RunLock | undefined> {
  const { clock, ledger, observer, stop } = parts;
  for (let tries = 1; !stop.cause; tries += 1) {
    const answer = await tryLock(parts, tries);
    if (answer?.kind === 'taken') {
      if (tries > 1) observer.note(message('schedule.taking_over'));
      return answer.lock;
    }
    const refusal = anotherScheduler(answer?.holder, ledger.location);
    if (!wait) throw new ProductError('usage', refusal);
    if (tries === 1) {
      observer.note(refusal);
      observer.note(message('schedule.standing_by'));
    }
    await clock.sleep(POLL_MS, stop.signal);
  }
  return undefined;
}

/** Tries to acquire the lock; undefined if the ledger is unavailable, which is an error only at the first try. */
async function tryLock({ clock, ledger }: LockParts, tries: number): Promise<LockAnswer | undefined> {
  try {
    return await ledger.lock(NAME, '-', newRunId(clock.now()));
  } catch (error) {
    if (tries === 1 || !(error instanceof ProductError)) throw error;
    return undefined;
  }
}

function anotherScheduler(holder: LockHolder | undefined, location: string): Message {
  if (!holder) return message('schedule.another_scheduler_unnamed', { location });
  const { process, host } = holder;
  return message('schedule.another_scheduler', { location, process: String(process), host });
}
