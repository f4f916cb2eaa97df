import { message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { ScheduleServices } from './contract.js';

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
const TRIES_WHEN_STOPPING = 3;
const PAUSE_WHEN_STOPPING_MS = 500;

type RetryServices = Pick<ScheduleServices, 'clock' | 'language' | 'observer' | 'stop'>;

/**
 * Repeats work with the ledger while the ledger is busy or its disk is full: a scheduler must outlive that.
 * @returns undefined when the scheduler is stopping and the ledger still fails
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
