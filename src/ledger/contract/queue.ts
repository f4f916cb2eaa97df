import type { Message } from '../../errors/message.js';
import type { ItemOutcome } from '../../model/outcome.js';
import type { Lease } from './attempt.js';
import type { LimitStore } from './limits.js';

/** A worker as people are told of it. */
export interface WorkerListing {
  readonly name: string;
  readonly host: string;
  readonly process: number;
  readonly slots: number;
  /** Names of the connections whose runs it carries. */
  readonly connections: readonly string[];
  /** Runs that it carries now. */
  readonly runs: readonly string[];
  /** Milliseconds since 1970, by the database's clock. */
  readonly heardOf: number;
}

/** Why workers send no more of a run; the first reason counts. */
export type RunStop =
  /** A person said so. */
  | { readonly kind: 'interrupted'; readonly by: string }
  | { readonly kind: 'safety'; readonly reason: Message };

/**
 * Runs that workers carry. The engine under it hands chunks out; who may send what is said by leases, which the intents'
 * own statement checks.
 */
export interface QueueStore {
  /**
   * Makes the engine's tables where they are missing: asked before anything is planned for the queue.
   * @throws ProductError usage where this user may not make them
   */
  ready(): Promise<void>;
  /** Brings its tables up to date where they are there. */
  migrate(): Promise<void>;
  /**
   * Puts a planned or stopped run into the queue: state `queued`, its pending batches in chunks, and the engine's jobs,
   * in one transaction.
   * @param how `upTo`: only the batches of so many items, from the first pending one on (a canary). `lost`: what becomes
   *   of items whose worker died on the way. `after`: it takes the place in the line of a step that was concluded, and which leaves
   *   the queue by that; a stop that came meanwhile holds for it too
   * @returns what was put there; nothing where nothing is pending, and the run is left as it is
   * @throws TurnPassed where another worker has `after` by now
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
   * The runs of a job on a platform that wait for workers, or that they carry, in the order in which they are carried. A step
   * run is named by its whole run.
   */
  carrying(job: string, scope: string): Promise<readonly string[]>;
  /**
   * Nothing more of the run is sent, anywhere, in none of its steps. False when workers don't have it.
   * @param turn only of what was queued then: who is late with it doesn't stop what was queued again since
   */
  stop(run: string, stop: RunStop, turn?: number): Promise<boolean>;
  /** Those that were heard of lately, by name. */
  workers(): Promise<readonly WorkerListing[]>;
  /** Is told of runs that changed (stopped, ended) and of limits, within a second; returns what ends it. */
  changed(
    told: (what: { readonly run?: string; readonly scope?: string }) => void,
  ): Promise<() => Promise<void>>;
  /** The database's clock, in milliseconds since 1970. */
  now(): Promise<number>;
  readonly work: WorkStore;
  readonly limits: LimitStore;
}

/** A run that a worker concludes: as long as it holds that, nobody else does. */
export interface EndingRun {
  readonly run: string;
  readonly turn: number;
  readonly worker: string;
}

/** A part of a run's batches, held by one worker until its lease ends. */
export interface ChunkLease extends Lease {
  readonly run: string;
  /** That the run was in the queue for; it gets another one with each time that it is queued. */
  readonly turn: number;
  /** Numbers of batches, both included. */
  readonly first: number;
  readonly last: number;
}

/** What asking for a chunk comes to. */
export type ChunkAnswer =
  /** `lost`: attempts of a dead worker that were open; `from`: that worker. */
  | { readonly kind: 'taken'; readonly lease: ChunkLease; readonly lost: number; readonly from?: string }
  /** Another worker holds it, it is done, or its run was stopped: nothing to do. */
  | { readonly kind: 'held' }
  | { readonly kind: 'over' };

/** What all workers have counted of a run's failures. */
export interface FailureTally {
  readonly failures: number;
  readonly streak: string;
  readonly streakLength: number;
}

/** The failures in a row after more batches; `stop`: they are too many, and the run ends by it. */
export interface Counted {
  readonly tally: FailureTally;
  readonly stop?: RunStop;
}

/** How a run stands that workers carry. Absent: it isn't with them any more. */
export interface CarriedRunNews {
  readonly run: string;
  readonly turn: number;
  readonly stop?: RunStop;
  readonly tally: FailureTally;
}

/** Who says that it is there. */
export interface WorkerNews {
  readonly name: string;
  readonly host: string;
  readonly process: number;
  readonly slots: number;
  readonly connections: readonly string[];
  /** The engine's name for its pool, by which its locks are released when the worker died. */
  readonly pool?: string;
}

/** The engine, handing out jobs to this process. */
export interface ServedEngine {
  readonly pool: string;
  /** Ends when it was stopped, or when the engine gave up (its database was gone for long). Never rejects. */
  readonly ended: Promise<void>;
  /** Takes no more jobs and waits for those that go on. */
  stop(): Promise<void>;
}

/** What a look after dead workers and lost jobs found. */
export interface Swept {
  /** Chunks whose lease had ended, each now free. */
  readonly takenOver: readonly {
    readonly run: string;
    readonly chunk: number;
    readonly from: string;
    readonly lost: number;
  }[];
  readonly queuedAgain: number;
  /** Runs that nobody carries any more and that nobody has concluded. */
  readonly over: readonly string[];
}

/** What the engine hands out, and to whom. */
export interface EngineWish {
  /** Of runs of these connections on their platforms (`lineOf`). */
  readonly scopes: readonly string[];
  readonly concurrency: number;
  /** Awaited before another chunk is asked for. */
  readonly hungry: () => Promise<void>;
  /** Called with a chunk's number; what it throws is nobody's: it must not. */
  readonly carry: (chunk: number) => Promise<void>;
  /** Whoever asked doesn't want it any more: an engine that hasn't begun by then, as its database is away, never does. */
  readonly leaving: AbortSignal;
}

/** The workers' side of the queue. All times are by the database's clock. */
export interface WorkStore {
  /**
   * Lets the engine hand out chunks.
   * @throws when `leaving` came first, or its tables can't be had
   */
  serve(how: EngineWish): Promise<ServedEngine>;
  /** Takes a chunk's lease. One that ended is taken over: what was open is settled in the same transaction. */
  take(chunk: number, worker: string, leaseMs: number): Promise<ChunkAnswer>;
  /**
   * Says that the worker is there and prolongs its leases; gives those that are no longer its own.
   * @throws LedgerGone after all patience
   */
  beat(worker: WorkerNews, leases: readonly Lease[], leaseMs: number): Promise<readonly Lease[]>;
  /**
   * The worker goes on with the chunk no more.
   * @returns whether all of it is done, and whether it was the last of its run that anybody carried: the run is to be
   *   concluded
   */
  giveBack(lease: ChunkLease): Promise<{ readonly done: boolean; readonly over: boolean }>;
  /** Batches of the chunk that must wait, each with the undone one that it waits for. */
  waits(lease: ChunkLease): Promise<readonly { readonly batch: number; readonly after: number }[]>;
  /** How the runs stand, by id. */
  news(runs: readonly string[]): Promise<readonly CarriedRunNews[]>;
  /**
   * Counts batches among all workers', and gives the sum. All are told when failures begin or end, and of a stop, which
   * holds from the same instant on. With a turn: only of what was queued then.
   */
  tally(run: string, next: (before: FailureTally) => Counted, turn?: number): Promise<FailureTally>;
  /** Frees chunks of dead workers, releases the engine's locks of theirs, and queues again what no job stands for. */
  sweep(leaseMs: number): Promise<Swept>;
  /**
   * One worker at a time may conclude a run; undefined when another does, or somebody still carries it.
   * @returns `turn`: that it was in the queue for; it may be queued again
   */
  beginEnd(
    run: string,
    worker: string,
    leaseMs: number,
  ): Promise<{ readonly stop?: RunStop; readonly turn: number; readonly sinceBegunMs: number } | undefined>;
  /** Whoever concludes a run is still at it; false where another one may have taken that over. */
  holdEnd(ending: EndingRun, leaseMs: number): Promise<boolean>;
  /** The run has left the queue, unless it was queued again since. */
  ended(run: string, turn: number): Promise<void>;
  /** Whether runs of these connections wait or are processed. */
  anyLeft(scopes: readonly string[]): Promise<boolean>;
  /** The worker is no longer there. */
  leave(worker: string): Promise<void>;
}
