import type { Message } from '../../errors/message.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { ItemOutcome, ItemStatus } from '../../model/outcome.js';

/** An item that may have had its effect, for whoever finds out. */
export interface UnknownItem {
  readonly item: number;
  /** Ascending. */
  readonly rows: readonly number[];
  readonly envelope: JsonObject;
  readonly body: Json;
  /** Those of its batch that left, or may have left; by number, at least one. Times are milliseconds since 1970. */
  readonly attempts: readonly {
    readonly startedAt: number;
    /** Absent while it is open. Of event `died` it is when that was found. */
    readonly endedAt?: number;
    readonly event?: string;
  }[];
}

/** An item that had an effect, or may have had one, as evidence about what is unknown. */
export interface ItemTrace {
  readonly item: number;
  /** The first of its rows. */
  readonly row: number;
  readonly envelope: JsonObject;
  readonly body: Json;
  readonly status: 'succeeded' | 'accepted' | 'unknown';
  readonly message?: Message | string;
  /** When its last attempt ended. */
  readonly endedAt?: number;
  /** What the platform returned for it, where that was asked for. */
  readonly records: readonly JsonObject[];
}

/** Found out by a person, by asking the platform, or by a reply that came after its batch was taken over. */
type ResolvedBy = 'operator' | 'platform' | 'late_reply';

/** What an item can be found to have come to; `unknown`: what was seen proves nothing. */
export type ResolvedTo = 'succeeded' | 'failed' | 'unknown';

/** What an unknown item is found to have come to. */
export interface Settlement {
  readonly item: number;
  readonly outcome: ItemOutcome & { readonly status: ResolvedTo };
  readonly at: number;
  /** The user of the operating system, and the machine. */
  readonly who: string;
  readonly how: ResolvedBy;
  readonly evidence?: Message | string;
  /** What the person who asked for it says of it. */
  readonly note?: string;
  /** Also where the item was settled before: this resolution takes the place of that one. */
  readonly corrects?: boolean;
  /** Ids that the item has from now on, and those that it no longer has, so that a later reply with one of them is noticed. */
  readonly ids?: {
    readonly given: readonly string[];
    readonly withdrawn: readonly string[];
    readonly acrossRuns: boolean;
  };
}

/** One line of the audit. */
export interface Resolution {
  readonly item: number;
  readonly rows: readonly number[];
  readonly at: number;
  readonly who: string;
  readonly how: ResolvedBy;
  readonly from: ResolvedTo;
  /** A late reply settles as any reply does. */
  readonly to: ResolvedTo | ItemStatus;
  readonly licenseOrderId?: string;
  readonly evidence?: Message | string;
  readonly note?: string;
}

/** An item that a resolution can correct. */
export interface SettledBefore {
  readonly item: number;
  /** Ascending. */
  readonly rows: readonly number[];
  readonly status: 'succeeded' | 'failed';
  readonly licenseOrderId?: string;
}

/** Settling what attempts left unknown. Call `execution.recover` first: attempts that are open aren't told here. */
export interface ResolutionStore {
  /** Unknown items of the run, or of one of its rows, by number; items may be settled while it is read. */
  unknown(run: string, row?: number): AsyncIterable<UnknownItem>;
  /** Items of a row that were settled before, each with what it counts as now. */
  settled(run: string, row: number): Promise<readonly SettledBefore[]>;
  /** Items of a run that had an effect or may have had one, by number; those that are held back or wait had none. */
  traces(run: string, wanted: { readonly records: boolean }): AsyncIterable<readonly ItemTrace[]>;
  /**
   * One transaction: outcome and audit line of each item. `succeeded` takes the key, unless another item has got it
   * through since; `failed` lets go of it. Gives the items that were settled; those that aren't unknown (any more), nor
   * settled before where that is to be corrected, are left as they are.
   */
  settle(run: string, settlements: readonly Settlement[]): Promise<readonly number[]>;
  /** The audit of a run, or of one of its rows, oldest first. */
  list(run: string, row?: number): Promise<readonly Resolution[]>;
}
