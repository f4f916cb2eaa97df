/**
 * Why nothing left this machine:
 * - dns: the name could not be resolved; refused: no one listens, or no way there; tls: the handshake failed
 * - timeout: no connection within the time allowed; aborted: given up on demand
 * - unsendable: the request itself cannot be put on the wire
 */
export type UnsentReason = 'dns' | 'refused' | 'tls' | 'timeout' | 'aborted' | 'unsendable' | 'other';

/**
 * Why there is no whole reply although request bytes had left:
 * - timeout: the attempt's total time was over; reset: the connection broke before a status line
 * - truncated: it broke within the reply's body; oversize: the body is over the bound, inflated
 * - headers: they are over the bound of 16 KB
 * - undecodable: not HTTP, or a content encoding that is broken or not known
 */
export type LostReason =
  | 'timeout'
  | 'reset'
  | 'truncated'
  | 'oversize'
  | 'headers'
  | 'undecodable'
  | 'aborted'
  | 'other';

/** What the status line and headers said. */
export interface ReplyHead {
  readonly httpStatus: number;
  /** The platform's clock by its header `Date`: milliseconds since 1970, to the second. */
  readonly date?: number;
  /** `Retry-After` in milliseconds from the reply, not capped. */
  readonly retryAfterMs?: number;
  /** `Location`, never followed. */
  readonly location?: string;
}

/**
 * What one attempt came to, as data.
 * - unsent: provably no byte of the request left
 * - lost: bytes left and no whole reply came; with the head's fields when that much of it did
 * - reply: the whole reply, whatever its status; secrets in `text` are redacted
 */
export type AttemptEvent =
  | { readonly kind: 'unsent'; readonly reason: UnsentReason; readonly detail: string }
  | ({ readonly kind: 'lost'; readonly reason: LostReason; readonly detail: string } & Partial<ReplyHead>)
  | ({ readonly kind: 'reply'; readonly text: string } & ReplyHead);
