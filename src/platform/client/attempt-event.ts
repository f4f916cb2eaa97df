import { errorCode } from '../../util/error-detail.js';

/**
 * Why no byte of the request was sent:
 * - dns: the name could not be resolved; refused: connection refused or no route; tls: the handshake failed
 * - timeout: no connection within the time limit; aborted: given up on request
 * - unsendable: the request is invalid as HTTP
 */
export type UnsentReason = 'dns' | 'refused' | 'tls' | 'timeout' | 'aborted' | 'unsendable' | 'other';

/**
 * Why there is no complete reply although request bytes were sent:
 * - timeout: the attempt's time limit was exceeded; reset: the connection broke before a status line
 * - truncated: it broke within the reply's body; oversize: the decompressed body exceeds the limit
 * - headers: they exceed the limit of 16 KB
 * - undecodable: not HTTP, or a content encoding that is broken or unknown
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

/** Status line and headers. */
export interface ReplyHead {
  readonly httpStatus: number;
  /** The platform's clock by its header `Date`: milliseconds since 1970, to the second. */
  readonly date?: number;
  /** `Retry-After` in milliseconds from the reply, without an upper limit. */
  readonly retryAfterMs?: number;
  /** `Location`, never followed. */
  readonly location?: string;
}

/**
 * The result of one attempt.
 * - unsent: proved that no byte of the request was sent
 * - lost: bytes were sent and no complete reply arrived; with the fields of the head if it arrived
 * - reply: the complete reply, with any status; secrets in `text` are redacted
 */
export type AttemptEvent =
  | { readonly kind: 'unsent'; readonly reason: UnsentReason; readonly detail: string }
  | ({ readonly kind: 'lost'; readonly reason: LostReason; readonly detail: string } & Partial<ReplyHead>)
  | ({ readonly kind: 'reply'; readonly text: string } & ReplyHead);

const DNS = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'ENODATA',
  'ESERVFAIL',
]);
const REFUSED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
]);
const TIMEOUT = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);
const LOCAL = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EACCES', 'EPERM']);

/** Classifies an error of an attempt of which nothing was sent. `secure`: the origin is https. */
export function unsentReason(error: unknown, secure: boolean): UnsentReason {
  const code = errorCode(error);
  if (DNS.has(code) || code.startsWith('EAI_')) return 'dns';
  if (REFUSED.has(code)) return 'refused';
  if (TIMEOUT.has(code)) return 'timeout';
  if (code === 'UND_ERR_INVALID_ARG') return 'unsendable';
  if (code.startsWith('UND_ERR_') || LOCAL.has(code)) return 'other';
  // OpenSSL and certificate checks have hundreds of codes; a reset before any header also belongs to the handshake.
  return secure && code !== '' ? 'tls' : 'other';
}

/** Classifies an error after the request's first bytes and before a status line. */
export function lostReason(error: unknown): LostReason {
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') return 'headers';
  // undici's parser error has no code in most cases.
  const unparsed = error instanceof Error && error.name === 'HTTPParserError';
  if (unparsed || code.startsWith('HPE_')) return 'undecodable';
  if (TIMEOUT.has(code) || code === 'UND_ERR_HEADERS_TIMEOUT') return 'timeout';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'reset';
  return 'other';
}
