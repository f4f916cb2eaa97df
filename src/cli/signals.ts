import { EXIT } from '../run/run-end.js';
import type { StopSignal } from '../run/stop-signal.js';

/**
 * The first Ctrl-C or SIGTERM stops dispatching and lets what is in flight end; the second leaves at once. Either
 * way the run can be resumed. Gives a function that takes the listeners away again.
 */
export function stopOnSignals(stop: StopSignal, say: (text: string) => void): () => void {
  const listener = (): void => {
    if (stop.cause) process.exit(EXIT.interrupted);
    say(
      'stopping: waiting for what is in flight (press Ctrl-C again to leave at once; either way it can be resumed)',
    );
    stop.stop({ kind: 'interrupted' });
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
}
