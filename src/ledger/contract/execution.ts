import type { ItemOutcome, ItemStatus } from '../../model/item.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { KeyHolder } from './plan.js';

/** A worker's right to send a chunk of a run's batches. Without it nothing of the chunk may be sent. */
export interface Lease {
  readonly chunk: number;
  /** Incremented by every takeover, so that the token of the previous holder no longer matches. */
  readonly token: number;
}

export interface Intent {
  readonly run: string;
  readonly batch: number;
  /** Counted from 1 within the batch. */
  readonly attempt: number;
  readonly nonce: string;
  readonly startedAt: number;
  /** The platform asked the previous attempt to wait, so this one does not count as a retry. */
  readonly afterPause?: boolean;
  /** Of the worker that sends it; absent when the process has the run's lock itself. */
  readonly lease?: Lease;
}

/** `late`: the batch had been taken over; the reply was kept as evidence and resolved `settled` unknown items. */
export type AttemptClosed = (
  | { readonly kind: 'ended' }
  | { readonly kind: 'late'; readonly settled: number }
) & {
  /** The outcomes as written; present when ids of other items changed them. */
  readonly outcomes?: AttemptEnd['outcomes'];
};

export const ENDED: AttemptClosed = { kind: 'ended' };

/** Ids that the platform assigned to items of an attempt. Each belongs to one item at most. */
export interface ReturnedIds {
  /** Ids with their kind (`order LO-1`, `asset 8600000001`). */
  readonly items: readonly { readonly item: number; readonly ids: readonly string[] }[];
  /** Also compare with the ids of new purchases and allocations of earlier runs with another key. */
  readonly acrossRuns: boolean;
}

export interface AttemptEnd {
  readonly run: string;
  readonly batch: number;
  readonly attempt: number;
  /** The intent's. Needed when an end may be written again, or after another process has taken the batch over. */
  readonly nonce?: string;
  /** The intent's. */
  readonly lease?: Lease;
  readonly endedAt: number;
  readonly httpStatus?: number;
  /** Short word for users: `reply`, `timeout`, `reset`, `refused`, … */
  readonly event: string;
  /** Whether request headers had been sent. */
  readonly sent: boolean;
  /**
   * The request was sent but certainly changed nothing (a 429). Items left pending release their keys, so that other runs
   * may send them. Otherwise they keep their keys until they have an outcome.
   */
  readonly noEffect?: boolean;
  /** Reply text or error text, redacted and cut off after 64 KiB. */
  readonly reply?: string;
  /**
   * Outcomes by item number. Items without an outcome stay pending (to be sent again). So do `not_sent` items; their code
   * and message are kept for the report.
   */
  readonly outcomes: readonly { readonly item: number; readonly outcome: ItemOutcome }[];
  /** An item whose id belongs to another item is written as `unknown`, without any value of the reply. */
  readonly given?: ReturnedIds;
}

/** One attempt, as far as a run's figures need it. */
export interface AttemptFigures extends Omit<Intent, 'run' | 'nonce' | 'lease'> {
  /** These four are absent while it is open. `endedAt` of event `died` is the time of detection. */
  readonly endedAt?: number;
  readonly event?: string;
  readonly sent?: boolean;
  /** Also absent where no reply came. */
  readonly httpStatus?: number;
  /** Items of the request, and those that got their outcome from it (also `unknown`). */
  readonly items: number;
  readonly settled: number;
}

/** A batch to be sent by the execute stage. */
export interface PendingBatch {
  readonly batch: number;
  readonly envelope: JsonObject;
  readonly items: readonly { readonly item: number; readonly body: Json; readonly key?: string }[];
  /** Attempts so far, over all processes. */
  readonly attempts: number;
  /** One of them may have taken effect. */
  readonly uncertain: boolean;
  /** The platform asked the last attempt to wait (HTTP 429). */
  readonly paused?: boolean;
  /** Bytes of one of them were sent. */
  readonly sent?: boolean;
}

/**
 * Why a batch must not be sent now. `lease_lost`: another process has taken over its chunk or run. `stopped`: the run was
 * stopped. `must_wait`: an earlier batch that shares a subject isn't done.
 */
export type Refusal = 'lease_lost' | 'stopped' | 'must_wait';

/** The result of opening an intent. */
export interface Cleared {
  /** Items that must not be sent: since the plan, another run sent their key successfully or left it unknown. */
  readonly withheld: readonly { readonly item: number; readonly holder: KeyHolder }[];
  /** Nothing was written and nothing may be sent. Never set by a ledger of a single machine. */
  readonly refused?: Refusal;
}

/** Which items may be sent although another item has their key. */
export interface ClaimOptions {
  /** false (duplicates: send): keys of items that certainly succeeded are taken over; keys of unknown items are not. */
  readonly claim: boolean;
  /** Runs whose keys are never taken over: what succeeded in a run of the retry chain is never sent again. */
  readonly neverFrom?: ReadonlySet<string>;
  /**
   * A run whose unknown items were released for another attempt. Their keys are taken over, and given back if the attempt
   * has no effect. Keys of any other run, or of items of this one that have succeeded since, are not taken over.
   */
  readonly releasedRun?: string;
}

/** Reads and writes of the execute stage. */
export interface ExecutionStore {
  /**
   * The next batches that are pending and not open, by number, at most `limit`, after batch number `after`.
   * @param upTo the last batch, included
   */
  pending(run: string, after: number, limit: number, upTo?: number): Promise<readonly PendingBatch[]>;
  /**
   * Commits the intent: when this resolves, the attempt is on disk and its items have claimed their keys. Concurrent calls
   * share one commit. Items named in `withheld` get the status `skipped` in the same commit; if no other item remains,
   * the batch is done and nothing may be sent.
   */
  open(intent: Intent, options: ClaimOptions): Promise<Cleared>;
  /**
   * Commits the end of an attempt. Concurrent calls share one commit. On a ledger shared by several machines, a repeated
   * end changes nothing. An end that arrives after its batch was taken over is kept as evidence and resolves the items that
   * the takeover left unknown.
   */
  close(end: AttemptEnd): Promise<AttemptClosed>;
  /**
   * Ends attempts left open by a process that died, and handles batches that wait after an attempt that may have taken
   * effect. If not repeatable, their items get the outcome `lost`; if repeatable, they are pending again.
   * @param turn only while the run is queued for this turn
   * @returns the number of open attempts found
   * @throws TurnPassed when the run is no longer queued for `turn`
   */
  recover(run: string, repeatable: boolean, lost: ItemOutcome, turn?: number): Promise<number>;
  /**
   * Releases keys that were claimed ahead for items that weren't sent. Such keys block no other run, so a process that dies
   * before this call blocks none either. `recover` does the same.
   */
  release(run: string): Promise<void>;
  /** Batches and items that are still pending. */
  remaining(run: string): Promise<{ readonly batches: number; readonly items: number }>;
  /** Current counts, for progress and limits. */
  itemCounts(run: string): Promise<Readonly<Partial<Record<ItemStatus | 'pending' | 'open', number>>>>;
}
