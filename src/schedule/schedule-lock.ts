import { type Code, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { RunLock } from '../ledger/contract/run-lock.js';
import { newRunId } from '../util/run-id.js';
import type { ScheduleServices } from './contract.js';

/** No job can have this name. */
const NAME = '@schedule';
const LOOK_AGAIN_MS = 2_000;
const HELD: Code = 'ledger.run_going_on';
const HELD_BY_SOMEBODY: Code = 'ledger.another_run_going_on';

type HoldParts = Pick<ScheduleServices, 'clock' | 'observer' | 'stop'> & {
  readonly ledger: Pick<Ledger, 'lock' | 'location'>;
};

/**
 * Makes this process the one that works through the schedules of a ledger; it is let go of with the process.
 * @param wait stand by while another one works, and take over when it is gone
 * @returns undefined when it was stopped while it stood by
 * @throws ProductError usage, naming the other scheduler
 */
export async function lockSchedule(parts: HoldParts, wait: boolean): Promise<RunLock | undefined> {
  const { clock, ledger, observer, stop } = parts;
  for (let looks = 1; !stop.cause; looks += 1) {
    try {
      const lock = await ledger.lock(NAME, '-', newRunId(clock.now()));
      if (looks > 1) observer.note(message('schedule.taking_over'));
      return lock;
    } catch (error) {
      const refusal = refusalOf(error, ledger.location);
      if (!wait || !(error instanceof ProductError) || (!refusal && looks === 1)) throw refusal ?? error;
      if (looks === 1) {
        observer.note((refusal ?? error).detail);
        observer.note(message('schedule.standing_by'));
      }
    }
    await clock.sleep(LOOK_AGAIN_MS, stop.signal);
  }
  return undefined;
}

function refusalOf(error: unknown, location: string): ProductError | undefined {
  if (!(error instanceof ProductError)) return undefined;
  const { code, params } = error.detail;
  const options = { cause: error };
  if (code === HELD) {
    const other = { location, process: params.process ?? '', host: params.host ?? '' };
    return new ProductError('usage', message('schedule.another_scheduler', other), options);
  }
  if (code !== HELD_BY_SOMEBODY) return undefined;
  return new ProductError('usage', message('schedule.another_scheduler_unnamed', { location }), options);
}
