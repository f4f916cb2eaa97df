import { setMaxListeners } from 'node:events';
import type { Message } from '../errors/message.js';

/**
 * Signals that stop a process: Ctrl-C, the end of a service, a closed terminal. Node resets an ignored SIGHUP when it
 * starts, so `nohup` does not keep a closed terminal from stopping a run.
 */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type StopCause =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'safety'; readonly reason: Message }
  /** The caller no longer exists: requests in flight finish, and the run's end is not recorded, as after a kill. */
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'error'; readonly error: unknown };

/** Ends a run early. The first cause applies; waiting tasks are woken. */
export class StopSignal {
  #cause: StopCause | undefined;
  readonly #controller = new AbortController();

  constructor() {
    // All requests in flight listen to it; Node warns of more than ten listeners.
    setMaxListeners(0, this.#controller.signal);
  }

  get cause(): StopCause | undefined {
    return this.#cause;
  }

  /** Aborts waits (rate, retry), never a request in flight. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(cause: StopCause): void {
    if (this.#cause) return;
    this.#cause = cause;
    this.#controller.abort();
  }
}

/** Stops `stop` when another signal stops. Returns a function that removes this connection. */
export function follow(stop: StopSignal, source: StopSignal): () => void {
  const onStop = (): void => {
    if (source.cause) stop.stop(source.cause);
  };
  onStop();
  source.signal.addEventListener('abort', onStop, { once: true });
  return () => source.signal.removeEventListener('abort', onStop);
}
