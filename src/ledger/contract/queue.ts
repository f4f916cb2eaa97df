import type { Message } from '../../errors/message.js';
import type { ItemOutcome } from '../../model/item.js';
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

/**
 * Runs that workers process. The engine below it assigns chunks. Leases decide who may send what; the statement that writes
 * intents checks them.
 */
export interface QueueStore {
  /**
   * Creates the engine's tables if they are missing. Called before anything is planned for the queue.
   * @throws ProductError usage when this user may not create them
   */
  ready(): Promise<void>;
  /** Migrates the engine's tables if they exist. */
  migrate(): Promise<void>;
  /**
   * Puts a planned or stopped run into the queue: state `queued`, its pending batches in chunks, and the engine's jobs,
   * in one transaction.
   * @param how `upTo`: only the batches of this many items, from the first pending one (a canary). `lost`: the outcome of
   *   items that were in flight when their worker died. `after`: a concluded step, which leaves the queue. The run takes its
   *   position in the queue, and a stop of that step applies to the run too
   * @returns what was queued; zero when nothing is pending, and then the run is not changed
   * @throws TurnPassed when another worker now has `after`
   */
  enqueue(
    run: string,
    how: {
      readonly upTo?: number;
      readonly lost: ItemOutcome | 'sent_again';
      readonly after?: EndingRun | undefined;
    },
  ): Promise<{ readonly batches: number; readonly chunks: number }>;
  /**
   * The runs of a job on a platform that are queued or being processed, in processing order. A step run is named by its whole
   * run.
   */
  carrying(job: string, scope: string): Promise<readonly string[]>;
  /**
   * Stops sending of the run and all its steps on all workers. False when the run isn't in the queue.
   * @param turn only if the run is still queued for this turn, so that a late stop doesn't affect a run that was queued again
   */
  stop(run: string, stop: RunStop, turn?: number): Promise<boolean>;
  /** Workers with a recent heartbeat, by name. */
  workers(): Promise<readonly WorkerListing[]>;
  /** Reports runs that changed (stopped, ended) and limits, within a second. Returns a function that ends the subscription. */
  changed(
    onChange: (what: { readonly run?: string; readonly scope?: string }) => void,
  ): Promise<() => Promise<void>>;
  /** The database's clock, in milliseconds since 1970. */
  now(): Promise<number>;
  readonly work: WorkStore;
  readonly limits: LimitStore;
}

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

/** The workers' side of the queue. All times are by the database's clock. */
export interface WorkStore {
  /**
   * Starts assigning chunks.
   * @throws when `leaving` is aborted first, or the engine's tables are not accessible
   */
  serve(how: EngineOptions): Promise<ServedEngine>;
  /** Takes a chunk's lease. An expired lease is taken over; its open attempts get their outcome in the same transaction. */
  take(chunk: number, worker: string, leaseMs: number): Promise<ChunkAnswer>;
  /**
   * Records the worker's heartbeat and extends its leases.
   * @returns the leases that the worker no longer has
   * @throws LedgerGone when the wait time is exceeded
   */
  beat(worker: WorkerEvent, leases: readonly Lease[], leaseMs: number): Promise<readonly Lease[]>;
  /**
   * Releases the chunk.
   * @returns `done`: all of it is done. `over`: no other chunk of the run is being processed, so the run must be concluded
   */
  giveBack(lease: ChunkLease): Promise<{ readonly done: boolean; readonly over: boolean }>;
  /** Batches of the chunk that must wait, each with the unfinished batch that it waits for. */
  waits(lease: ChunkLease): Promise<readonly { readonly batch: number; readonly after: number }[]>;
  /** The state of queued runs, by id. */
  news(runs: readonly string[]): Promise<readonly QueuedRunEvent[]>;
  /**
   * Adds batches to the tally of all workers and returns the total. All workers are notified when failures begin or end, and
   * of a stop, which applies at once. With a turn: only if the run is still queued for it.
   */
  tally(run: string, next: (before: FailureTally) => Counted, turn?: number): Promise<FailureTally>;
  /** Frees chunks of dead workers, releases their engine locks, and queues chunks again that have no job. */
  sweep(leaseMs: number): Promise<Swept>;
  /**
   * Begins to conclude a run, which one worker at a time may do. undefined when another worker concludes it or still processes
   * part of it.
   * @returns `turn`: the turn that the run was queued for; it may be queued again
   */
  beginEnd(
    run: string,
    worker: string,
    leaseMs: number,
  ): Promise<{ readonly stop?: RunStop; readonly turn: number; readonly sinceBegunMs: number } | undefined>;
  /** Extends the right to conclude a run; false when another worker may have taken it over. */
  holdEnd(ending: EndingRun, leaseMs: number): Promise<boolean>;
  /** Removes the run from the queue, unless it was queued again since. */
  ended(run: string, turn: number): Promise<void>;
  /** Whether runs of these connections are queued or being processed. */
  anyLeft(scopes: readonly string[]): Promise<boolean>;
  /** Removes the worker. */
  leave(worker: string): Promise<void>;
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

/** Limits over all workers together, by the database's clock. */
export interface LimitStore {
  /**
   * Reserves the next start times of requests, evenly over all callers with the same key.
   * @returns for each request the milliseconds from now; with several rates the latest
   */
  reserveStarts(
    rates: readonly { readonly key: string; readonly perSecond: number }[],
    count: number,
  ): Promise<readonly number[]>;
  /**
   * Requests slots for concurrent requests to a scope.
   * @param want `usable`: how many this worker could use
   * @returns how many it may have: its fair share among the workers that need any, at most what the others leave of `most`.
   *   The grant expires after `ms`
   */
  holdSlots(
    scope: string,
    worker: string,
    want: { readonly most: number; readonly usable: number; readonly inFlight: number },
    ms: number,
  ): Promise<number>;
  /** Pauses all workers. An existing longer pause stays. */
  pause(pause: Omit<SharedPause, 'probing'>): Promise<void>;
  /** The current pauses of these origins. */
  pauses(origins: readonly string[]): Promise<readonly SharedPause[]>;
  /** Whether this worker's request may probe: one worker at a time, once the pause is over. Another worker may after `ms`. */
  probe(origin: string, worker: string, ms: number): Promise<boolean>;
  /** Ends the pause: the platform responds again. */
  lift(origin: string): Promise<void>;
}
