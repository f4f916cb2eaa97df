import { errorCode } from '../../util/error-detail.js';
import type { LostReason, UnsentReason } from './attempt-event.js';

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

/** Sorts an error of an attempt of which nothing was sent. `secure`: the origin is https. */
export function unsentReason(error: unknown, secure: boolean): UnsentReason {
  const code = errorCode(error);
  if (DNS.has(code) || code.startsWith('EAI_')) return 'dns';
  if (REFUSED.has(code)) return 'refused';
  if (TIMEOUT.has(code)) return 'timeout';
  if (code === 'UND_ERR_INVALID_ARG') return 'unsendable';
  if (code.startsWith('UND_ERR_') || LOCAL.has(code)) return 'other';
  // OpenSSL and certificate checks have codes by the hundred; a reset before any header is the handshake's too.
  return secure && code !== '' ? 'tls' : 'other';
}

/** Sorts an error that came after the request's first bytes and before a status line. */
export function lostReason(error: unknown): LostReason {
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') return 'headers';
  // undici's parser error carries no code of its own in most cases.
  const unparsed = error instanceof Error && error.name === 'HTTPParserError';
  if (unparsed || code.startsWith('HPE_')) return 'undecodable';
  if (TIMEOUT.has(code) || code === 'UND_ERR_HEADERS_TIMEOUT') return 'timeout';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'reset';
  return 'other';
}
