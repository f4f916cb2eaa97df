import { liveRunData } from '../../app/console/runs.js';
import { message } from '../../errors/message.js';
import { WebRefusal } from '../problem.js';
import type { ConsoleContext } from '../route.js';
import type { ChildWork } from './child-messages.js';
import { RunProcesses } from './run-processes.js';

/**
 * Starts a use case in a child, and returns when its run has an id.
 * @throws the error of a use case that failed before that; WebRefusal if there was nothing to do
 */
export async function startInChild(
  { app, services }: ConsoleContext,
  work: ChildWork,
  options: Parameters<RunProcesses['start']>[2] = {},
): Promise<{ readonly run: string }> {
  const child = await services.get(RunProcesses.of).start(app, work, options);
  const run = await child.started;
  if (run !== undefined) return { run };
  const { nothing } = await child.over;
  throw new WebRefusal(409, message('send.nothing_to_do', { why: nothing ?? '' }));
}

/** Time for the child of a finished run to write the result and exit. */
const EXIT_WITHIN_MS = 10_000;
const POLL_INTERVAL_MS = 100;

/**
 * Waits until the child of a finished run has exited: the page offers the next action before that.
 * @throws WebRefusal if the run is still executed here
 */
export async function waitUntilFree({ app, services }: ConsoleContext, run: string): Promise<void> {
  const processes = services.get(RunProcesses.of);
  const until = performance.now() + EXIT_WITHIN_MS;
  for (;;) {
    const child = processes.of(run);
    if (!child) return;
    if (performance.now() > until || (await liveRunData(app, run, 'state')).goesOn)
      throw new WebRefusal(409, message('send.carried_here', { run }));
    await Promise.race([child.over, new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))]);
  }
}
