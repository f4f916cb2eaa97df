import type { LimitStore } from '../ledger/postgres/limits.js';
import type { Connection } from '../model/connection.js';
import type { JobRun } from '../model/job.js';
import { SharedPace } from '../platform/client/pace.js';
import { onPause, sharedPause, sharePauses } from '../platform/client/platform-pause.js';
import type { GateSlots } from '../platform/client/request-gate.js';
import type { Clock } from '../util/clock.js';
import type { WorkerServices } from './services.js';

/** How often a worker reports how many requests it needs. */
const REPORT_EVERY_MS = 300;

interface SlotsParts {
  readonly limits: LimitStore;
  /** Of the connection. */
  readonly scope: string;
  readonly worker: string;
  /** The connection's `maxInFlight`. */
  readonly most: number;
  /** Of the worker. */
  readonly slots: number;
  /** How long a share stays valid without a report. */
  readonly holdMs: number;
  readonly clock: Clock;
}

/** This worker's share of a connection's requests in flight. */
export class SharedSlots implements GateSlots {
  readonly #parts: SlotsParts;
  readonly #waiting = new Set<() => void>();
  #inFlight = 0;
  #granted = 0;
  /** Requests in flight when the pending report was sent: the rest of the share may have been given to others since. */
  #reported = Number.POSITIVE_INFINITY;
  /** End of the share's validity on the monotonic clock; no request starts after it. */
  #until = Number.NEGATIVE_INFINITY;
  #isReporting = false;

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
        void this.#report();
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
    return Math.min(this.#granted, this.#reported) - this.#inFlight;
  }

  #wake(): void {
    let free = this.#left;
    for (const wake of [...this.#waiting]) {
      if (free <= 0) return;
      free -= 1;
      wake();
    }
  }

  /** Reports the needed number of requests periodically, while any is needed. */
  async #report(): Promise<void> {
    if (this.#isReporting) return;
    this.#isReporting = true;
    const { limits, scope, worker, most, slots, holdMs, clock } = this.#parts;
    for (let needed = 1; needed > 0; ) {
      needed = Math.min(this.#waiting.size + this.#inFlight, slots);
      const reportedAt = clock.monotonic();
      try {
        this.#reported = this.#inFlight;
        const request = { most, usable: needed, inFlight: this.#inFlight };
        this.#granted = await limits.holdSlots(scope, worker, request, holdMs);
        this.#until = reportedAt + holdMs;
      } catch {
        // The ledger is unavailable and may have granted less: requests in flight may finish, no others start.
        this.#granted = Math.min(this.#granted, this.#reported);
      }
      this.#reported = Number.POSITIVE_INFINITY;
      this.#wake();
      if (needed > 0) await clock.sleep(REPORT_EVERY_MS);
    }
    this.#isReporting = false;
    if (this.#waiting.size > 0) void this.#report();
  }
}

/** How long a worker's probe prevents other probes. Longer than any probe of a worker that responds. */
const PROBE_MS = 10_000;

interface LimitParts {
  readonly services: Pick<WorkerServices, 'ledger' | 'clock'>;
  readonly worker: string;
  readonly slots: number;
  readonly leaseMs: number;
}

/** The limits that all workers share towards the platforms. */
export class SharedLimits {
  readonly #parts: LimitParts;
  readonly #slots = new Map<string, SharedSlots>();
  readonly #origins = new Map<string, () => void>();

  constructor(parts: LimitParts) {
    this.#parts = parts;
  }

  /** The connection's limit of requests per second, and the job's, which applies to the run on all workers. */
  pace(run: string, scope: string, job: JobRun, connection: Connection): SharedPace | undefined {
    const { ledger, clock } = this.#parts.services;
    const rates = [
      ...rateOf(`of ${scope}`, connection.requestsPerSecond),
      ...rateOf(`of run ${run}`, job.requestsPerSecond),
    ];
    if (rates.length === 0) return undefined;
    const perSecond = Math.min(...rates.map((it) => it.perSecond));
    const reserve = (count: number) => ledger.queue.limits.reserveStarts(rates, count);
    return new SharedPace({ perSecond, reserve, clock });
  }

  /** The share of the connection's requests in flight, if they are limited. */
  slots(scope: string, { maxInFlight: most }: Connection): GateSlots | undefined {
    if (most === undefined) return undefined;
    const { services, worker, slots, leaseMs: holdMs } = this.#parts;
    const { clock, ledger } = services;
    const { limits } = ledger.queue;
    const known =
      this.#slots.get(scope) ?? new SharedSlots({ limits, scope, worker, most, slots, holdMs, clock });
    this.#slots.set(scope, known);
    return known;
  }

  /** From now on, shares wait times of a platform with the other workers. */
  sharePausesOf(origin: string): void {
    if (this.#origins.has(origin)) return;
    const { services, worker } = this.#parts;
    const { limits } = services.ledger.queue;
    const end = sharePauses(origin, {
      share: (asked, leftMs) => limits.pause({ origin, leftMs, ...asked }),
      probe: () => limits.probe(origin, worker, PROBE_MS),
      lifted: () => limits.lift(origin),
    });
    this.#origins.set(origin, end);
  }

  /** Reads the wait times that other workers have reported. */
  async refreshPauses(): Promise<void> {
    const { ledger, clock } = this.#parts.services;
    const origins = [...this.#origins.keys()];
    if (origins.length === 0) return;
    const before = new Map(origins.map((it) => [it, sharedPause(it)]));
    const pauses = await ledger.queue.limits.pauses(origins);
    for (const origin of origins) {
      const pause = pauses.find((it) => it.origin === origin);
      if (!pause) {
        onPause(origin, undefined, clock.monotonic(), before.get(origin));
        continue;
      }
      const { httpStatus, retryAfterMs, leftMs } = pause;
      const requested = { httpStatus, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
      onPause(origin, { asked: requested, leftMs }, clock.monotonic(), before.get(origin));
    }
  }

  close(): void {
    for (const end of this.#origins.values()) end();
  }
}

function rateOf(key: string, perSecond: number | undefined): { key: string; perSecond: number }[] {
  return perSecond === undefined ? [] : [{ key, perSecond }];
}
