import type { LookupAnswer } from '../../../mapping/lookup/contract.js';

/** Estimated bytes of an answer that holds no records, with its key. */
const LEAST_BYTES = 400;

/** Answers in memory, up to a bound of bytes: what wasn't asked for the longest goes first. The ledger has all of them. */
export class AnswersAtHand {
  readonly #most: number;
  /** The one that was used last stands last. */
  readonly #byKey = new Map<string, LookupAnswer>();
  #bytes = 0;
  #gone = false;

  /** @param most estimated bytes; one answer that takes more is kept all the same */
  constructor(most: number) {
    this.#most = most;
  }

  /** Some had to go. */
  get gone(): boolean {
    return this.#gone;
  }

  get(key: string): LookupAnswer | undefined {
    const answer = this.#byKey.get(key);
    if (answer) {
      this.#byKey.delete(key);
      this.#byKey.set(key, answer);
    }
    return answer;
  }

  put(key: string, answer: LookupAnswer): void {
    if (!this.#byKey.has(key)) this.#bytes += sizeOf(key, answer);
    this.#byKey.set(key, answer);
    for (const [oldest, it] of this.#byKey) {
      if (this.#bytes <= this.#most || this.#byKey.size === 1) return;
      this.#byKey.delete(oldest);
      this.#bytes -= sizeOf(oldest, it);
      this.#gone = true;
    }
  }
}

function sizeOf(key: string, answer: LookupAnswer): number {
  const records = answer.kind === 'records' ? answer.records.bytes : 0;
  return LEAST_BYTES + 2 * key.length + records;
}
