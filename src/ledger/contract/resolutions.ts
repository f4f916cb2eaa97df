import type { Message } from '../../errors/message.js';
import type { ItemOutcome, ItemStatus } from '../../model/item.js';
import type { Json, JsonObject } from '../../model/json.js';

/** An item that may have taken effect, with the evidence needed to resolve it. */
export interface UnknownItem {
  readonly item: number;
  /** Ascending. */
  readonly rows: readonly number[];
  readonly envelope: JsonObject;
  readonly body: Json;
  /** Attempts of its batch that were or may have been sent; by number, at least one. Times are milliseconds since 1970. */
  readonly attempts: readonly {
    readonly startedAt: number;
    /** Absent while it is open. Of event `died`: when that was detected. */
    readonly endedAt?: number;
    readonly event?: string;
  }[];
}

/** An item that took effect or may have, as evidence for unknown items. */
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
  /** The platform's records of it, if requested. */
  readonly records: readonly JsonObject[];
}

/** Resolved by a user, by a query of the platform, or by a reply that arrived after the batch was taken over. */
type ResolvedBy = 'operator' | 'platform' | 'late_reply';

/** The outcome of a resolution. `unknown`: the evidence proves nothing. */
export type ResolvedTo = 'succeeded' | 'failed' | 'unknown';

/** The resolution of an unknown item, to be written. */
export interface NewResolution {
  readonly item: number;
  readonly outcome: ItemOutcome & { readonly status: ResolvedTo };
  readonly at: number;
  /** The user of the operating system, and the machine. */
  readonly who: string;
  readonly how: ResolvedBy;
  readonly evidence?: Message | string;
  /** A comment by the user who requested it. */
  readonly note?: string;
  /** May replace an earlier resolution of the item. */
  readonly corrects?: boolean;
  /** Ids that the item gets and loses, so that a later reply with one of them is detected. */
  readonly ids?: {
    readonly given: readonly string[];
    readonly withdrawn: readonly string[];
    readonly acrossRuns: boolean;
  };
}

/** One recorded resolution. */
export interface Resolution {
  readonly item: number;
  readonly rows: readonly number[];
  readonly at: number;
  readonly who: string;
  readonly how: ResolvedBy;
  readonly from: ResolvedTo;
  /** A late reply can give any status, like other replies. */
  readonly to: ResolvedTo | ItemStatus;
  readonly licenseOrderId?: string;
  readonly evidence?: Message | string;
  readonly note?: string;
}

/** A resolved item whose resolution can be corrected. */
export interface CorrectableItem {
  readonly item: number;
  /** Ascending. */
  readonly rows: readonly number[];
  readonly status: 'succeeded' | 'failed';
  readonly licenseOrderId?: string;
}
