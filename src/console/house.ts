import { setMaxListeners } from 'node:events';

/** How long those that are told of the end may take. */
const ENDS_WITHIN_MS = 8000;

/**
 * What there is one of while a console is up: made when it is first asked for, and told when all ends. Parts of the
 * console find each other here without knowing who made whom.
 */
export class House {
  readonly #parts = new Map<unknown, unknown>();
  readonly #ends: (() => Promise<void> | void)[] = [];
  readonly #closing = new AbortController();

  constructor() {
    // Each open stream of events listens.
    setMaxListeners(0, this.#closing.signal);
  }

  /** The one thing that this function makes. */
  single<T>(make: (house: House) => T): T {
    if (!this.#parts.has(make)) this.#parts.set(make, make(this));
    return this.#parts.get(make) as T;
  }

  /** Is called once, when the console is asked to end: children are stopped as by Ctrl-C, streams are closed. */
  onClose(end: () => Promise<void> | void): void {
    this.#ends.push(end);
  }

  /** Aborted when the console is asked to end. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Lets all that was told to be ended end, for some seconds at most. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ENDS_WITHIN_MS);
    });
    await Promise.race([Promise.allSettled(this.#ends.map(async (end) => end())), late]);
    clearTimeout(timer);
  }
}
