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
  | 'skipped';

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
