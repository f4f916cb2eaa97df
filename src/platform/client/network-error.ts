import type { LostReason, UnsentReason } from './attempt-event.js';

/** The system's or undici's code of an error; of several tried addresses the first that has one. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  if (error instanceof AggregateError) {
    for (const one of error.errors) {
      const found = errorCode(one);
      if (found !== '') return found;
    }
  }
  return 'cause' in error && error.cause !== error ? errorCode(error.cause) : '';
}

/** One line for people, without a stack. */
export function errorDetail(error: unknown): string {
  const text = textOf(error);
  const code = errorCode(error);
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line === '') return code === '' ? 'no detail' : code;
  return code === '' || line.includes(code) ? line : `${code}: ${line}`;
}

/** A name with several addresses fails once for each of them, and says so only within. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return [...new Set(error.errors.map(textOf))].join('; ');
}

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
  // undici's parser error carries no code of its own in most cases.
  const unparsed = error instanceof Error && error.name === 'HTTPParserError';
  if (unparsed || code.startsWith('HPE_')) return 'undecodable';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'oversize';
  if (TIMEOUT.has(code) || code === 'UND_ERR_HEADERS_TIMEOUT') return 'timeout';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'reset';
  return 'other';
}
