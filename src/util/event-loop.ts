const LONGEST_MS = 50;

/**
 * Lets the event loop run now and then in a loop that would not wait otherwise: signals, timers and messages of other
 * processes are heard only then. `if (turns.isDue) await turns.take()` costs a loop that is fast nothing.
 */
export class EventLoopTurns {
  #last = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#last >= LONGEST_MS;
  }

  async take(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#last = performance.now();
  }
}
