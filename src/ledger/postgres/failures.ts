import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { LedgerGone } from '../ledger-gone.js';

/** Codes of PostgreSQL (SQLSTATE) that mean something of their own here. */
const STATE = {
  deadlock: '40P01',
  insufficientPrivilege: '42501',
  invalidPassword: '28P01',
  invalidAuthorization: '28000',
  noSuchDatabase: '3D000',
  noSuchTable: '42P01',
  serialization: '40001',
  tooManyConnections: '53300',
} as const;

/** The server ended the session, or has no room for one: the next may go well. */
const SESSION_ENDED: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '53300']);

/** Node's words for a connection that isn't there any more, or never was. */
const NETWORK: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EADDRNOTAVAIL',
]);

/** Node's words for a certificate that doesn't hold. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ALTNAME/;

/** The connection to the server broke before its transaction was to be committed: nothing of it was written. */
export class ConnectionLost extends LedgerGone {}

/**
 * A COMMIT (or a statement that is a transaction of its own) has no answer: it may have been carried out or not.
 * `Database.settled` ends its session, so that looking tells which.
 */
export class LostCommit extends LedgerGone {
  /** The session whose answer is missing, as the server knows it; absent where it can't be told. */
  readonly session: ServerSession | undefined;

  constructor(location: string, session: ServerSession | undefined, cause: unknown) {
    super('internal', message('ledger.lost_commit', { location, reason: reasonOf(cause) }), { cause });
    this.session = session;
  }
}

/** A backend of the server; process ids are used again, its beginning tells two apart. */
export interface ServerSession {
  readonly pid: number;
  readonly startedAt: string;
}

/** A statement had no answer in time, and the server isn't at work on it. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** PostgreSQL's code of an error, also of what a `ProductError` was made of. */
export function sqlState(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !NETWORK.has(code)) return code;
  return error instanceof ProductError ? sqlState(error.cause) : undefined;
}

/** This user may not do it. */
export function isForbidden(error: unknown): boolean {
  return sqlState(error) === STATE.insufficientPrivilege;
}

/** The transaction lost against another one, and may simply be tried again. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state === STATE.serialization || state === STATE.deadlock;
}

/** The server takes nothing just now (its disk is full, it is stopping, somebody holds a lock), and may do so again. */
export function isPassing(error: unknown): boolean {
  return /^(?:53|55|57|25006)/.test(sqlState(error) ?? '');
}

/** The connection is gone, or can't be had now; a new one may go well. */
export function isBroken(error: unknown): boolean {
  if (error instanceof ConnectionLost || error instanceof NoAnswer) return true;
  const code = codeOf(error);
  if (code !== undefined && (NETWORK.has(code) || SESSION_ENDED.has(code) || code.startsWith('08')))
    return true;
  // The client's own errors have no code. Each address of a host that was tried has its own error.
  if (error instanceof AggregateError) return error.errors.some(isBroken);
  const text = error instanceof Error ? error.message : '';
  return /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/.test(
    text,
  );
}

/** The server takes no further sessions; those that there are go on. */
export function isFull(error: unknown): boolean {
  return sqlState(error) === STATE.tooManyConnections;
}

/** What a person is told when reading or writing an opened ledger went wrong. */
export function ledgerFailure(error: unknown, location: string, doing: 'read' | 'write'): ProductError {
  if (error instanceof ProductError) return error;
  const reason = reasonOf(error);
  if (isBroken(error)) {
    return new ConnectionLost('internal', message('ledger.server_gone', { location, reason }), {
      cause: error,
    });
  }
  const code = doing === 'read' ? 'ledger.read_failed' : 'ledger.server_write_failed';
  return new ProductError('internal', message(code, { location, reason }), { cause: error });
}

/** The same while it is being opened, when nothing was sent yet. */
export function openFailure(error: unknown, location: string): ProductError {
  // What a statement threw is told anew: nothing was at stake yet.
  const isOfStatement = sqlState(error) !== undefined || error instanceof ConnectionLost;
  if (error instanceof ProductError && !isOfStatement) return error;
  const kind = isBroken(causeOf(error)) ? 'internal' : 'usage';
  return new ProductError(kind, openMessage(error, location), { cause: error });
}

function causeOf(error: unknown): unknown {
  return error instanceof ProductError && error.cause !== undefined ? error.cause : error;
}

function openMessage(error: unknown, location: string) {
  const cause = causeOf(error);
  const reason = reasonOf(cause);
  const state = sqlState(cause);
  if (isPasswordMissing(reason)) return message('ledger.password_missing', { location });
  if (state === STATE.invalidPassword || state === STATE.invalidAuthorization) {
    return message('ledger.login_refused', { location, reason });
  }
  if (state === STATE.noSuchDatabase) return message('ledger.no_database', { location, reason });
  // A schema that this user may not look into has no tables for it.
  if (state === STATE.insufficientPrivilege || state === STATE.noSuchTable)
    return message('ledger.rights_missing', { location, reason });
  if (CERTIFICATE.test(codeOf(cause) ?? ''))
    return message('ledger.certificate_refused', { location, reason });
  if (/does not support SSL/.test(reason)) return message('ledger.no_tls', { location });
  if (isBroken(cause)) return message('ledger.server_unreachable', { location, reason });
  return message('ledger.server_refused', { location, reason });
}

/** The server asked for a password and there is none: the client says so by itself, without a code. */
function isPasswordMissing(reason: string): boolean {
  return /client password must be a string|no password/i.test(reason);
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

function reasonOf(error: unknown): string {
  // Of a host with several addresses: what the first one said.
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
