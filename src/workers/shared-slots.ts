import type { LimitStore } from '../ledger/contract/limits.js';
import type { GateSlots } from '../platform/client/request-gate.js';
import type { Clock } from '../util/clock.js';

/** How often a worker says how many requests it would have under way. */
const AGAIN_MS = 300;

interface SlotsParts {
  readonly limits: LimitStore;
  /** Of the connection. */
  readonly scope: string;
  readonly worker: string;
  /** The connection's `maxInFlight`. */
  readonly most: number;
  /** Of the worker. */
  readonly slots: number;
  /** How long a share holds of a worker that isn't heard of. */
  readonly holdMs: number;
  readonly clock: Clock;
}

/** This worker's share of the requests that may be under way over a connection. */
export class SharedSlots implements GateSlots {
  readonly #parts: SlotsParts;
  readonly #waiting = new Set<() => void>();
  #inFlight = 0;
  #granted = 0;
  /** So many were under way when the question that has no answer yet was put: the rest may have been given to others since. */
  #asked = Number.POSITIVE_INFINITY;
  /** On the monotonic clock; nothing begins after that. */
  #until = Number.NEGATIVE_INFINITY;
  #asking = false;

  constructor(parts: SlotsParts) {
    this.#parts = parts;
  }

  async take(signal?: AbortSignal): Promise<boolean> {
    while (!this.#isFree()) {
      if (signal?.aborted) return false;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        this.#waiting.add(wake);
        signal?.addEventListener('abort', wake, { once: true });
        void this.#ask();
      });
    }
    if (signal?.aborted) return false;
    this.#inFlight += 1;
    return true;
  }

  release(): void {
    this.#inFlight -= 1;
    this.#wake();
  }

  #isFree(): boolean {
    return this.#left > 0 && this.#parts.clock.monotonic() < this.#until;
  }

  get #left(): number {
    return Math.min(this.#granted, this.#asked) - this.#inFlight;
  }

  #wake(): void {
    let free = this.#left;
    for (const wake of [...this.#waiting]) {
      if (free <= 0) return;
      free -= 1;
      wake();
    }
  }

  /** Says again and again what is wanted, for as long as anything is. */
  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const { limits, scope, worker, most, slots, holdMs, clock } = this.#parts;
    for (let wanted = 1; wanted > 0; ) {
      wanted = Math.min(this.#waiting.size + this.#inFlight, slots);
      const asked = clock.monotonic();
      try {
        this.#asked = this.#inFlight;
        const want = { most, wanted, inFlight: this.#inFlight };
        this.#granted = await limits.holdSlots(scope, worker, want, holdMs);
        this.#until = asked + holdMs;
      } catch {
        // The ledger is away, and may have given less: what is under way may go on until its time is over.
        this.#granted = Math.min(this.#granted, this.#asked);
      }
      this.#asked = Number.POSITIVE_INFINITY;
      this.#wake();
      if (wanted > 0) await clock.sleep(AGAIN_MS);
    }
    this.#asking = false;
    if (this.#waiting.size > 0) void this.#ask();
  }
}
