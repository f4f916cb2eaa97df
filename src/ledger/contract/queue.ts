import type { Message } from '../../errors/message.js';
import type { Lease } from './execution.js';

/** A worker as users see it. */
export interface WorkerListing {
  readonly name: string;
  readonly host: string;
  readonly process: number;
  readonly slots: number;
  /** Names of the connections whose runs it processes. */
  readonly connections: readonly string[];
  /** The same with their platforms (`lineOf`); absent of a worker of an earlier version. */
  readonly lines?: readonly string[];
  /** Runs that it is processing. */
  readonly runs: readonly string[];
  /** Last heartbeat: milliseconds since 1970, by the database's clock. */
  readonly heardOf: number;
}

/** Why workers send no more of a run. The first reason is kept. */
export type RunStop =
  /** A user stopped it. */
  | { readonly kind: 'interrupted'; readonly by: string }
  | { readonly kind: 'safety'; readonly reason: Message };

/** A run that a worker is concluding. No other worker may conclude it at the same time. */
export interface EndingRun {
  readonly run: string;
  readonly turn: number;
  readonly worker: string;
}

/** A part of a run's batches, leased to one worker. */
export interface ChunkLease extends Lease {
  readonly run: string;
  /** The turn that the run was queued for. Each queueing of a run has another turn. */
  readonly turn: number;
  /** Numbers of batches, both included. */
  readonly first: number;
  readonly last: number;
}

/** The result of a request for a chunk. */
export type ChunkAnswer =
  /** `lost`: open attempts of a worker that stopped responding; `from`: that worker. */
  | { readonly kind: 'taken'; readonly lease: ChunkLease; readonly lost: number; readonly from?: string }
  /** Another worker has it. */
  | { readonly kind: 'held' }
  /** It is done, or its run was stopped. */
  | { readonly kind: 'over' };

/** A run's failures, counted over all workers. */
export interface FailureTally {
  readonly failures: number;
  readonly streak: string;
  readonly streakLength: number;
}

/** The tally after more batches. `stop`: there are too many failures, and the run ends. */
export interface Counted {
  readonly tally: FailureTally;
  readonly stop?: RunStop;
}

/** The state of a run in the queue. Absent when the run has left the queue. */
export interface QueuedRunEvent {
  readonly run: string;
  readonly turn: number;
  readonly stop?: RunStop;
  readonly tally: FailureTally;
}

/** A worker's heartbeat. */
export interface WorkerEvent extends Omit<WorkerListing, 'runs' | 'heardOf'> {
  /** The engine's name for its pool, needed to release its locks when the worker has died. */
  readonly pool?: string;
}

/** The engine, assigning jobs to this process. */
export interface ServedEngine {
  readonly pool: string;
  /** Resolves when it was stopped, or when the engine gave up (the database was unavailable for long). Never rejects. */
  readonly ended: Promise<void>;
  /** Takes no more jobs and waits for those in progress. */
  stop(): Promise<void>;
}

/** The result of a check for dead workers and lost jobs. */
export interface Swept {
  /** Chunks whose lease had expired; each is free now. */
  readonly takenOver: readonly {
    readonly run: string;
    readonly chunk: number;
    readonly from: string;
    readonly lost: number;
  }[];
  readonly queuedAgain: number;
  /** Runs that no worker processes any more and that are not concluded. */
  readonly over: readonly string[];
}

/** Which chunks the engine assigns, and how they are processed. */
export interface EngineOptions {
  /** Only runs of these connections on their platforms (`lineOf`). */
  readonly scopes: readonly string[];
  readonly concurrency: number;
  /** Awaited before each request for a chunk. */
  readonly hungry: () => Promise<void>;
  /** Called with a chunk's number. It must not throw: no code handles the error. */
  readonly execute: (chunk: number) => Promise<void>;
  /** Aborted when the engine is no longer needed. An engine that hasn't started by then (database unavailable) never does. */
  readonly leaving: AbortSignal;
}

/** A wait time requested by a platform, which all workers observe. */
export interface SharedPause {
  /** The origin whose requests are paused. */
  readonly origin: string;
  readonly httpStatus: number;
  readonly retryAfterMs?: number;
  /** Remaining milliseconds; 0 or less: one request may probe. */
  readonly leftMs: number;
  /** A worker's request is in flight to find out whether the platform responds again. */
  readonly probing: boolean;
}
