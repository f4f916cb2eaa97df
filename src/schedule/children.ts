import type { Child, ChildEnd } from './child.js';

/** How long a run may take to leave after it was told to leave at once. */
const LEAVE_MS = 5_000;

/** The processes that are running, so that all can be stopped. */
export class Children {
  readonly #going = new Set<Child>();

  get count(): number {
    return this.#going.size;
  }

  /** Waits for the end of a process that was just started. */
  async watch(child: Child): Promise<ChildEnd> {
    this.#going.add(child);
    try {
      return await child.ended;
    } finally {
      this.#going.delete(child);
    }
  }

  /** Stops dispatching; requests in flight are finished. */
  interrupt(): void {
    for (const child of this.#going) child.interrupt();
  }

  /** Makes them leave at once. Call `interrupt` before. */
  leave(): void {
    this.interrupt();
    const late = setTimeout(() => {
      for (const child of this.#going) child.kill();
    }, LEAVE_MS);
    late.unref();
  }
}
