import { liveRunData } from '../../app/console/live-run.js';
import { message } from '../../errors/message.js';
import type { ConsoleContext } from '../context.js';
import { WebRefusal } from '../problem.js';
import { Carriers } from './carriers.js';

/** A child whose run stands still writes its result and leaves within so long. */
const LEAVES_WITHIN_MS = 10_000;
const LOOKED_EVERY_MS = 100;

/**
 * Waits for the child that carried a run which stands still: its page shows what is next before the child has left.
 * @throws WebRefusal where the run is under way here
 */
export async function waitUntilFree({ app, house }: ConsoleContext, run: string): Promise<void> {
  const carriers = house.single(Carriers.of);
  const until = performance.now() + LEAVES_WITHIN_MS;
  for (;;) {
    const carried = carriers.of(run);
    if (!carried) return;
    if (performance.now() > until || (await liveRunData(app, run, 'state')).goesOn)
      throw new WebRefusal(409, message('send.carried_here', { run }));
    await Promise.race([carried.over, new Promise((resolve) => setTimeout(resolve, LOOKED_EVERY_MS))]);
  }
}
