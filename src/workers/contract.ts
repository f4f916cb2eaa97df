import type { Language } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { QueueStore } from '../ledger/contract/queue.js';
import type { Connection } from '../model/connection.js';
import type { RunObserver } from '../run/observer.js';
import type { RunEnd } from '../run/run-end.js';
import type { RunLog } from '../run/run-events.js';
import type { Clock } from '../util/clock.js';
import type { StopSignal } from '../util/stop-signal.js';

/** A ledger that workers share. */
export type SharedLedger = Ledger & { readonly queue: QueueStore };

/** What whoever starts a worker provides. */
export interface WorkerServices {
  readonly ledger: SharedLedger;
  readonly observer: RunObserver;
  /** Takes nothing new, finishes what is in flight, gives back what it holds. */
  readonly stop: StopSignal;
  readonly clock: Clock;
  readonly language: Language;
  readonly env?: NodeJS.ProcessEnv;
  /** Absent: nothing is logged. */
  readonly log?: RunLog;
  /** A run that this worker concluded; whoever is to be told of it is told by this. */
  readonly concluded?: (end: RunEnd) => Promise<void>;
}

/** What whoever concludes a run needs; not only workers do. */
export type ConcludingServices = Omit<WorkerServices, 'log' | 'concluded' | 'env'> &
  Partial<Pick<WorkerServices, 'log' | 'concluded' | 'env'>>;

export interface WorkerOptions {
  /** Of its own where none is given. */
  readonly name?: string;
  /** Requests that it may have under way. */
  readonly slots: number;
  /** By name: those whose runs it carries, each with a credential that can be had here. */
  readonly connections: ReadonlyMap<string, Connection>;
  /** Ends when all that is queued for these connections is carried out. */
  readonly once: boolean;
  /** How long what it carries stays its own when it isn't heard of. */
  readonly leaseMs: number;
}
