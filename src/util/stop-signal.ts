import { setMaxListeners } from 'node:events';
import type { Message } from '../errors/message.js';

/**
 * What stops a process, in every command that can be stopped: Ctrl-C, the end of a service, a closed terminal. Node resets
 * a SIGHUP that was ignored when it started, so `nohup` does not keep a closed terminal from stopping a run.
 */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Why no further batch is started. */
type StopCause =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'safety'; readonly reason: Message }
  /** Whoever asked for the work is gone: what is under way ends, and how the run ended is left untold, as if killed. */
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'error'; readonly error: unknown };

/** Ends a run early. The first cause counts; waiting tasks are woken. */
export class StopSignal {
  #cause: StopCause | undefined;
  readonly #controller = new AbortController();

  constructor() {
    // All requests in flight wait for it; Node warns of more than ten listeners.
    setMaxListeners(0, this.#controller.signal);
  }

  get cause(): StopCause | undefined {
    return this.#cause;
  }

  /** Aborts waits (rate, retry), never a request that is on its way. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(cause: StopCause): void {
    if (this.#cause) return;
    this.#cause = cause;
    this.#controller.abort();
  }
}

/** Stops when another signal does. Returns a function that ends this connection. */
export function follow(stop: StopSignal, other: StopSignal): () => void {
  const onStop = (): void => {
    if (other.cause) stop.stop(other.cause);
  };
  onStop();
  other.signal.addEventListener('abort', onStop, { once: true });
  return () => other.signal.removeEventListener('abort', onStop);
}
