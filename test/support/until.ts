import { setTimeout as delay } from 'node:timers/promises';

/** Only against what hangs: a busy machine may take ten times as long as an idle one. */
const LONGEST_MS = 200_000;

/**
 * Resolves when it has come to be so.
 * @param reported what is said where it never does
 */
export async function until(
  holds: () => boolean | undefined | Promise<boolean>,
  reported: () => string = () => '',
): Promise<void> {
  for (const deadline = performance.now() + LONGEST_MS; !(await holds()); await delay(10)) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${holds}\n${reported()}`);
  }
}
