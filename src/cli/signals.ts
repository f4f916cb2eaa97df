import { EXIT } from '../model/exit-code.js';
import type { StopSignal } from '../util/stop-signal.js';

/**
 * The first Ctrl-C or SIGTERM stops dispatching and lets what is in flight end; the second leaves at once. Either
 * way the run can be resumed. Gives a function that takes the listeners away again.
 */
export function stopOnSignals(stop: StopSignal, say: () => void): () => void {
  // Counted by itself: a run that is already stopping for another reason is let end at the first one too.
  let asked = false;
  const listener = (): void => {
    if (asked) process.exit(EXIT.interrupted);
    asked = true;
    say();
    stop.stop({ kind: 'interrupted' });
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
}
