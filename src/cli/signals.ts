import { EXIT } from '../model/exit-code.js';
import { watchSignals } from '../util/signal-watch.js';
import { STOP_SIGNALS, type StopSignal } from '../util/stop-signal.js';

/**
 * The first signal stops dispatching and lets the requests in flight end; the second exits at once. The run can be
 * resumed after both. Returns a function that removes the listeners.
 */
export function stopOnSignals(stop: StopSignal, say: () => void): () => void {
  return listen([
    () => {
      say();
      stop.stop({ kind: 'interrupted' });
    },
    () => process.exit(EXIT.interrupted),
  ]);
}

/** Work beside a command's own: the first signal gives it up, the second exits with the exit code that is set. */
export async function untilSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const given = new AbortController();
  const release = listen([() => given.abort(), () => process.exit()]);
  await work(given.signal).finally(release);
}

/** Resolves at the first signal, for commands that serve until they are stopped; the second exits at once. */
export function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    listen([resolve, () => process.exit(EXIT.interrupted)]);
  });
}

/**
 * Calls the first function for the first signal, the second for the second, and the last for all that follow; the last
 * one exits. A SIGHUP is never more than the first: the kernel and the shell each send one for a single closed terminal.
 * @returns a function that removes the listeners
 */
export function listen(reactions: readonly (() => void)[]): () => void {
  let signals = 0;
  const listener = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGHUP' && signals > 0) return;
    reactions[Math.min(signals, reactions.length - 1)]?.();
    signals += 1;
  };
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  const unwatch = watchSignals(reactions.length, EXIT.interrupted);
  return () => {
    unwatch();
    for (const signal of STOP_SIGNALS) process.off(signal, listener);
  };
}
