/**
 * Nonces seen, with a bounded memory: the oldest are forgotten past a number and past an age.
 * (The platform's own window: not shown, §5.5.)
 */
export class Nonces {
  readonly #seen = new Map<string, number>();
  readonly #limit: number;
  readonly #ageMs: number;

  constructor(limit = 1_000_000, ageMs = 24 * 3_600_000) {
    this.#limit = limit;
    this.#ageMs = ageMs;
  }

  /** Takes the nonce; false when it has been used. `at`: milliseconds since 1970. */
  take(nonce: string, at: number): boolean {
    this.#forget(at);
    if (this.#seen.has(nonce)) return false;
    this.#seen.set(nonce, at);
    return true;
  }

  #forget(at: number): void {
    // A Map keeps the order of insertion, so the oldest come first.
    for (const [nonce, seenAt] of this.#seen) {
      if (this.#seen.size < this.#limit && at - seenAt < this.#ageMs) return;
      this.#seen.delete(nonce);
    }
  }
}
