import { EXIT } from '../model/exit-code.js';
import type { StopSignal } from '../util/stop-signal.js';

/**
 * The first Ctrl-C or SIGTERM stops dispatching and lets what is in flight end; the second leaves at once. Either
 * way the run can be resumed. Gives a function that takes the listeners away again.
 */
export function stopOnSignals(stop: StopSignal, say: () => void): () => void {
  // Counted by itself: a run that is already stopping for another reason is let end at the first one too.
  let asked = false;
  return listen(() => {
    if (asked) process.exit(EXIT.interrupted);
    asked = true;
    say();
    stop.stop({ kind: 'interrupted' });
  });
}

/** Work beside a command's own: the first Ctrl-C gives it up, a second one leaves with the exit code that is set. */
export async function untilSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const given = new AbortController();
  const release = listen(() => {
    if (given.signal.aborted) process.exit();
    given.abort();
  });
  await work(given.signal).finally(release);
}

function listen(listener: () => void): () => void {
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
}
