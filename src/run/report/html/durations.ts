import type { Latency } from '../../../pages/contract.js';

/** Milliseconds below this are counted exactly; above, each octave has 16 steps (2.2 % either way). */
const EXACT = 64;
const STEPS = 16;

/** Counts durations (milliseconds) in buckets, in bounded memory. */
export class Durations {
  readonly #counts = new Map<number, number>();
  #all = 0;

  add(ms: number): void {
    const bucket =
      ms < EXACT ? Math.max(0, Math.round(ms)) : EXACT + Math.floor(Math.log2(ms / EXACT) * STEPS);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.#all += 1;
  }

  /** undefined when none was added. */
  latency(): Latency | undefined {
    if (this.#all === 0) return undefined;
    const ordered = [...this.#counts].sort(([a], [b]) => a - b);
    const at = (share: number): number => {
      let left = Math.ceil(share * this.#all);
      for (const [bucket, n] of ordered) {
        left -= n;
        if (left <= 0) return middle(bucket);
      }
      return 0;
    };
    return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
  }
}

function middle(bucket: number): number {
  return bucket < EXACT ? bucket : EXACT * 2 ** ((bucket - EXACT + 0.5) / STEPS);
}
