import type { Message } from '../errors/message.js';
import type { JsonObject } from './json.js';

/** A status an item can end with once execution has begun. */
export type ItemStatus =
  | 'succeeded'
  | 'accepted'
  | 'rejected'
  | 'failed'
  | 'unknown'
  | 'not_sent'
  | 'skipped'
  /** It must not be sent any more, because of what happened after it was planned. */
  | 'invalid';

/**
 * Why an item or row has its outcome, where the program or a person decided it.
 * held_*: another item has its key (`run` and `row` name it); its own outcome isn't known, it was carried out, or
 * something else was carried out under the key.
 */
export type OutcomeReason =
  | {
      readonly kind: 'held_unknown' | 'held_done' | 'held_changed';
      readonly found: 'planning' | 'sending';
      readonly run: string;
      readonly row: number;
    }
  /** A person said what became of it; the platform never confirmed that. */
  | { readonly kind: 'resolved_by_person' };

/** What became of an item. */
export interface ItemOutcome {
  readonly status: ItemStatus;
  readonly licenseOrderId?: string;
  /** The platform's code, or the HTTP status, as text. */
  readonly code?: string;
  /** In words: the program's own, or the platform's text as it came. */
  readonly message?: Message | string;
  /** Values of the operation's own result columns. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Records that the platform returned for this item, as on the wire. */
  readonly records?: readonly JsonObject[];
}
