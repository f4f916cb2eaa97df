import type { OrderCounts } from '../platform/simulated/order-book.js';
import type { EffectCounts, State } from '../platform/simulated/state.js';
import type { FaultKind } from './faults/kinds.js';

interface FaultCount {
  /** Requests that the fault struck. */
  readonly injected: number;
  /** Of those: requests whose effect was carried out all the same. */
  readonly carriedOut: number;
}

/** What a sandbox has seen and done; effects count from the state's beginning, requests since this start. */
export interface SandboxStats extends OrderCounts {
  /** Requests to the ten endpoints, refused ones and injected faults included. */
  readonly requests: number;
  readonly byEndpoint: Readonly<Record<string, number>>;
  /** Replies that refuse, by code or HTTP status. */
  readonly refused: Readonly<Record<string, number>>;
  readonly faults: Readonly<Partial<Record<FaultKind, FaultCount>>>;
  /** Requests that followed a redirect, which no client should. */
  readonly redirectsFollowed: number;
  /** The most requests that were in hand at one time. */
  readonly mostAtOnce: number;
  readonly effects: Readonly<EffectCounts>;
}

/** Counts while the sandbox runs. */
export class Counters {
  redirectsFollowed = 0;
  #requests = 0;
  #inHand = 0;
  #mostAtOnce = 0;
  readonly #byEndpoint = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  readonly #faults = new Map<FaultKind, FaultCount>();

  /** A request to one of the endpoints; gives its number, from 1. */
  arrived(name: string): number {
    this.#requests += 1;
    this.#inHand += 1;
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#inHand);
    this.#byEndpoint.set(name, (this.#byEndpoint.get(name) ?? 0) + 1);
    return this.#requests;
  }

  left(): void {
    this.#inHand -= 1;
  }

  refused(word: string | undefined): void {
    if (word !== undefined) this.#refused.set(word, (this.#refused.get(word) ?? 0) + 1);
  }

  fault(kind: FaultKind, carriedOut: boolean): void {
    const count = this.#faults.get(kind) ?? { injected: 0, carriedOut: 0 };
    this.#faults.set(kind, {
      injected: count.injected + 1,
      carriedOut: count.carriedOut + (carriedOut ? 1 : 0),
    });
  }

  snapshot(state: State): SandboxStats {
    return {
      requests: this.#requests,
      ...state.orders.counts(),
      byEndpoint: Object.fromEntries(this.#byEndpoint),
      refused: Object.fromEntries(this.#refused),
      faults: Object.fromEntries(this.#faults),
      redirectsFollowed: this.redirectsFollowed,
      mostAtOnce: this.#mostAtOnce,
      effects: { ...state.counts },
    };
  }
}
