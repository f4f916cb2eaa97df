import { setMaxListeners } from 'node:events';

/** Maximum time of all `onClose` functions together. */
const ENDS_WITHIN_MS = 8000;

/** Lazily created singletons of the console with a shared shutdown. */
export class ServiceRegistry {
  readonly #singletons = new Map<unknown, unknown>();
  readonly #onClose: (() => Promise<void> | void)[] = [];
  readonly #closing = new AbortController();

  constructor() {
    // Each open event stream adds a listener.
    setMaxListeners(0, this.#closing.signal);
  }

  /** The singleton that `make` creates. */
  get<T>(make: (services: ServiceRegistry) => T): T {
    if (!this.#singletons.has(make)) this.#singletons.set(make, make(this));
    return this.#singletons.get(make) as T;
  }

  /** Registers a function that is called once when the console shuts down. */
  onClose(end: () => Promise<void> | void): void {
    this.#onClose.push(end);
  }

  /** Aborted when the console shuts down. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Runs all `onClose` functions; waits for them for a limited time. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ENDS_WITHIN_MS);
    });
    await Promise.race([Promise.allSettled(this.#onClose.map(async (end) => end())), late]);
    clearTimeout(timer);
  }
}
