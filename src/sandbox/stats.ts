import type { OrderCounts } from '../platform/simulated/order-book.js';
import type { EffectCounts, State } from '../platform/simulated/state.js';
import type { FaultKind } from './faults.js';

interface FaultCount {
  readonly injected: number;
  /** Of those: requests whose effect was applied anyway. */
  readonly carriedOut: number;
}

/** Statistics of a sandbox: effects since the state began, requests since this start. */
export interface SandboxStats extends OrderCounts {
  /** Requests to the ten endpoints, including refused ones and injected faults. */
  readonly requests: number;
  readonly byEndpoint: Readonly<Record<string, number>>;
  /** Refusals by code or HTTP status. */
  readonly refused: Readonly<Record<string, number>>;
  readonly faults: Readonly<Partial<Record<FaultKind, FaultCount>>>;
  /** Requests that followed a redirect, which a client must not do. */
  readonly redirectsFollowed: number;
  /** Maximum number of requests in progress at one time. */
  readonly mostAtOnce: number;
  readonly effects: Readonly<EffectCounts>;
}

export class Counters {
  redirectsFollowed = 0;
  #requests = 0;
  #inProgress = 0;
  #mostAtOnce = 0;
  readonly #byEndpoint = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  readonly #faults = new Map<FaultKind, FaultCount>();

  /** Counts a request to one of the endpoints; returns its number, from 1. */
  arrived(name: string): number {
    this.#requests += 1;
    this.#inProgress += 1;
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#inProgress);
    this.#byEndpoint.set(name, (this.#byEndpoint.get(name) ?? 0) + 1);
    return this.#requests;
  }

  left(): void {
    this.#inProgress -= 1;
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
