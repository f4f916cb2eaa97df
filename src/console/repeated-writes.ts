const KEPT_MS = 600_000;
const MOST_KEPT = 2000;

interface Kept {
  readonly answer: Promise<Response>;
  readonly until: number;
}

/**
 * Browsers send a write again by themselves when its connection breaks before the answer comes, and pages do when they heard
 * nothing. A write that names its act (`X-Act`, an id of the page's own) is carried out once: whoever sends it again
 * hears the same answer.
 */
export class RepeatedWrites {
  readonly #kept = new Map<string, Kept>();

  /** @param key who does it, what, and the id of the act */
  async once(key: string, work: () => Promise<Response>): Promise<Response> {
    const now = performance.now();
    for (const [old, { until }] of this.#kept)
      if (until < now || this.#kept.size >= MOST_KEPT) this.#kept.delete(old);
      else break;
    const before = this.#kept.get(key);
    const answer = before?.answer ?? work();
    if (!before) this.#kept.set(key, { answer, until: now + KEPT_MS });
    try {
      return (await answer).clone();
    } catch (error) {
      // Nothing was done: it may be tried again.
      this.#kept.delete(key);
      throw error;
    }
  }
}
