/** What both a worker and a message port can do. */
export interface Port {
  postMessage(message: unknown): void;
}

/**
 * Posts what is said in one go (until nothing is left that can go on by itself) as one message: each message wakes the
 * other thread, which costs more than what is in it.
 */
export class BatchedPort<T> {
  readonly #port: Port;
  #waiting: T[] = [];

  constructor(port: Port) {
    this.#port = port;
  }

  post(said: T): void {
    this.#waiting.push(said);
    // Runs when all promises that are ready have gone on; the event loop's turn may be long.
    if (this.#waiting.length === 1) process.nextTick(() => this.#flush());
  }

  #flush(): void {
    const said = this.#waiting;
    this.#waiting = [];
    this.#port.postMessage(said);
  }
}
