import type { Language } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { QueueStore } from '../ledger/postgres/queue.js';
import type { Connection } from '../model/connection.js';
import type { RunObserver } from '../run/observer.js';
import type { RunEnd } from '../run/run-end.js';
import type { RunLog } from '../run/run-events.js';
import type { Clock } from '../util/clock.js';
import type { StopSignal } from '../util/stop-signal.js';

/** A ledger that workers share. */
export type SharedLedger = Ledger & { readonly queue: QueueStore };

export interface WorkerServices {
  readonly ledger: SharedLedger;
  readonly observer: RunObserver;
  /** Accept no new work, finish requests in flight, release leases. */
  readonly stop: StopSignal;
  readonly clock: Clock;
  readonly language: Language;
  readonly env?: NodeJS.ProcessEnv;
  /** Absent: nothing is logged. */
  readonly log?: RunLog;
  /** Called with each run that this worker concluded; sends the notifications. */
  readonly concluded?: (end: RunEnd) => Promise<void>;
}

/** Services for concluding a run, which not only workers do. */
export type ConcludingServices = Omit<WorkerServices, 'log' | 'concluded' | 'env'> &
  Partial<Pick<WorkerServices, 'log' | 'concluded' | 'env'>>;

export interface WorkerOptions {
  /** Default: generated. */
  readonly name?: string;
  /** Maximum number of requests in flight. */
  readonly slots: number;
  /** By name: the connections whose runs it processes, each with a credential available here. */
  readonly connections: ReadonlyMap<string, Connection>;
  /** Ends when no queued run of these connections is left. */
  readonly once: boolean;
  /** How long its leases stay valid without a heartbeat; milliseconds. */
  readonly leaseMs: number;
}
