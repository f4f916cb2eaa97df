import type { Connection } from '../model/connection.js';
import type { JobRun } from '../model/job.js';
import { SharedPace } from '../platform/client/pace.js';
import { hearPause, sharedPause, sharePauses } from '../platform/client/platform-pause.js';
import type { GateSlots } from '../platform/client/request-gate.js';
import type { WorkerServices } from './contract.js';
import { SharedSlots } from './shared-slots.js';

/** For so long a probe of a worker keeps the others from probing: longer than it takes, unless the worker died. */
const PROBE_MS = 10_000;

interface LimitParts {
  readonly services: Pick<WorkerServices, 'ledger' | 'clock'>;
  readonly worker: string;
  readonly slots: number;
  readonly leaseMs: number;
}

/** What all workers together keep to towards the platforms, as this one sees it. */
export class SharedLimits {
  readonly #parts: LimitParts;
  readonly #slots = new Map<string, SharedSlots>();
  readonly #origins = new Map<string, () => void>();

  constructor(parts: LimitParts) {
    this.#parts = parts;
  }

  /** The connection's limit of requests a second, and the job's, which holds for the run wherever it is carried. */
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

  /** The connection's share of requests under way, if that is limited. */
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

  /** Pauses of a platform are told to the others from now on, and heard of. */
  sharePausesOf(origin: string): void {
    if (this.#origins.has(origin)) return;
    const { services, worker } = this.#parts;
    const { limits } = services.ledger.queue;
    const end = sharePauses(origin, {
      told: (asked, leftMs) => limits.pause({ origin, leftMs, ...asked }),
      probe: () => limits.probe(origin, worker, PROBE_MS),
      lifted: () => limits.lift(origin),
    });
    this.#origins.set(origin, end);
  }

  /** Looks what others know of pauses. */
  async hear(): Promise<void> {
    const { ledger, clock } = this.#parts.services;
    const origins = [...this.#origins.keys()];
    if (origins.length === 0) return;
    const before = new Map(origins.map((it) => [it, sharedPause(it)]));
    const pauses = await ledger.queue.limits.pauses(origins);
    for (const origin of origins) {
      const told = pauses.find((it) => it.origin === origin);
      if (!told) {
        hearPause(origin, undefined, clock.monotonic(), before.get(origin));
        continue;
      }
      const { httpStatus, retryAfterMs, leftMs } = told;
      const asked = { httpStatus, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
      hearPause(origin, { asked, leftMs }, clock.monotonic(), before.get(origin));
    }
  }

  close(): void {
    for (const end of this.#origins.values()) end();
  }
}

function rateOf(key: string, perSecond: number | undefined): { key: string; perSecond: number }[] {
  return perSecond === undefined ? [] : [{ key, perSecond }];
}
