import { setImmediate } from 'node:timers/promises';

/** Lets signals, timers and other work have their turn in the middle of long reading or writing. */
export function pause(): Promise<void> {
  return setImmediate();
}
