import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { LockAnswer, LockHolder, RunLock } from '../ledger/contract/run-lock.js';
import { newRunId } from '../util/run-id.js';
import type { ScheduleServices } from './contract.js';

/** No job can have this name. */
const NAME = '@schedule';
const LOOK_AGAIN_MS = 2_000;

type HoldParts = Pick<ScheduleServices, 'clock' | 'observer' | 'stop'> & {
  readonly ledger: Pick<Ledger, 'lock' | 'location'>;
};

/**
 * Makes this process the only scheduler of a ledger, until it ends.
 * @param wait stand by while another scheduler works, and take over when it is gone
 * @returns undefined when it was stopped while standing by
 * @throws ProductError usage, naming the other scheduler
 */
export async function lockSchedule(parts: HoldParts, wait: boolean): Promise<RunLock | undefined> {
  const { clock, ledger, observer, stop } = parts;
  for (let looks = 1; !stop.cause; looks += 1) {
    const answer = await ask(parts, looks);
    if (answer?.kind === 'taken') {
      if (looks > 1) observer.note(message('schedule.taking_over'));
      return answer.lock;
    }
    const refusal = anotherScheduler(answer?.holder, ledger.location);
    if (!wait) throw new ProductError('usage', refusal);
    if (looks === 1) {
      observer.note(refusal);
      observer.note(message('schedule.standing_by'));
    }
    await clock.sleep(LOOK_AGAIN_MS, stop.signal);
  }
  return undefined;
}

/** undefined where the ledger can't be asked just now; at the first look that is an error. */
async function ask({ clock, ledger }: HoldParts, looks: number): Promise<LockAnswer | undefined> {
  try {
    return await ledger.lock(NAME, '-', newRunId(clock.now()));
  } catch (error) {
    if (looks === 1 || !(error instanceof ProductError)) throw error;
    return undefined;
  }
}

function anotherScheduler(holder: LockHolder | undefined, location: string): Message {
  if (!holder) return message('schedule.another_scheduler_unnamed', { location });
  const { process, host } = holder;
  return message('schedule.another_scheduler', { location, process: String(process), host });
}
