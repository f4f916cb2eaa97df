import type { Json, JsonObject } from '../../model/json.js';
import type { ItemOutcome, ItemStatus } from '../../model/outcome.js';
import type { AttemptClosed, AttemptEnd, Intent } from './attempt.js';
import type { KeyHolder } from './key-holder.js';

/** A batch as the execute stage takes it up. */
export interface PendingBatch {
  readonly batch: number;
  readonly envelope: JsonObject;
  readonly items: readonly { readonly item: number; readonly body: Json; readonly key?: string }[];
  /** Attempts already made, over all processes. */
  readonly attempts: number;
  /** One of them may have had an effect. */
  readonly doubtful: boolean;
  /** The last attempt was told to wait (HTTP 429). */
  readonly paused?: boolean;
  /** Bytes of one of them left. */
  readonly sent?: boolean;
}

/**
 * Why nothing of a batch may leave now. `lease_lost`: another process has taken over what it belongs to. `stopped`: the run
 * was stopped, wherever. `must_wait`: a batch before it that shares a subject isn't done.
 */
export type Refusal = 'lease_lost' | 'stopped' | 'must_wait';

/** What an intent came to. */
export interface Cleared {
  /** Item numbers that must not travel: since the plan another run got their key through or left it unknown. */
  readonly withheld: readonly { readonly item: number; readonly holder: KeyHolder }[];
  /** Nothing was written, and nothing may leave. Never on a ledger that one machine has for itself. */
  readonly refused?: Refusal;
}

/** Which items may be sent although another item has their key. */
export interface ClaimOptions {
  /** false (duplicates: send): keys of what is known to be through are taken over; unknown ones stay held. */
  readonly claim: boolean;
  /** Runs whose keys aren't taken over even so: what a run of the retry's own chain got through never goes again. */
  readonly neverFrom?: ReadonlySet<string>;
  /**
   * A run whose unknown items were released for another try: keys that they hold are taken over, and go back to them
   * when nothing comes of it. Keys that any other run holds, or that this one got through since, stay held.
   */
  readonly releasedRun?: string;
}

/** Reads and writes of the execute stage. */
export interface ExecutionStore {
  /**
   * The next batches that are pending and not open, by number, at most `limit`, after batch number `after`.
   * @param upTo the last batch that is wanted
   */
  pending(run: string, after: number, limit: number, upTo?: number): Promise<readonly PendingBatch[]>;
  /**
   * Commits the intent: when this resolves, the attempt is on disk and its items hold their keys. Calls made at the
   * same time share one commit. Items named in `withheld` got the status `skipped` in the same commit; if none
   * remains, the batch is done and nothing may be sent.
   */
  open(intent: Intent, options: ClaimOptions): Promise<Cleared>;
  /**
   * Commits what an attempt came to. Calls made at the same time share one commit. Where several machines share the ledger,
   * an end that is there already changes nothing; one that comes after the batch was taken over is kept as evidence, and
   * settles what that left unknown.
   */
  close(end: AttemptEnd): Promise<AttemptClosed>;
  /**
   * Attempts left open by a process that died, and batches that wait after an attempt that may have had its effect.
   * Not repeatable: their items get the given outcome; repeatable: they are pending again. Gives the number of open
   * attempts met.
   * @param turn only as long as the run is in the queue for it; else `TurnPassed` is thrown
   */
  recover(run: string, repeatable: boolean, lost: ItemOutcome, turn?: number): Promise<number>;
  /**
   * The run sends nothing for now: items that were about to be sent and weren't let go of their keys. Nobody is kept
   * back by such a key, so a process that dies before it says so keeps none from anybody; `recover` does the same.
   */
  release(run: string): Promise<void>;
  /** What is still pending. */
  remaining(run: string): Promise<{ readonly batches: number; readonly items: number }>;
  /** Current numbers for progress and limits. */
  itemCounts(run: string): Promise<Readonly<Partial<Record<ItemStatus | 'pending' | 'open', number>>>>;
}
