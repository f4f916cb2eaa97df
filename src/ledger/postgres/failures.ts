import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { LedgerUnavailable } from '../ledger-errors.js';

/** PostgreSQL's error codes (SQLSTATE) that are handled separately. */
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

/** The server ended the session or has none free: another attempt may succeed. */
const SESSION_ENDED: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '53300']);

/** Node's codes for a lost or failed connection. */
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

/** Node's codes for an invalid certificate. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ALTNAME/;

/** The connection broke before the transaction's COMMIT: nothing was written. */
export class ConnectionLost extends LedgerUnavailable {}

/**
 * A COMMIT (or a statement that is a whole transaction) has no reply: it may have been executed or not. After
 * `Database.resolveLostCommit` has ended its session, a read shows which.
 */
export class LostCommit extends LedgerUnavailable {
  /** The server's session whose reply is missing; absent if unknown. */
  readonly session: ServerSession | undefined;

  constructor(location: string, session: ServerSession | undefined, cause: unknown) {
    super('internal', message('ledger.lost_commit', { location, reason: reasonOf(cause) }), { cause });
    this.session = session;
  }
}

/** A backend of the server. Process ids are reused, so the start time identifies it. */
export interface ServerSession {
  readonly pid: number;
  readonly startedAt: string;
}

/** A statement had no reply in time, and the server isn't computing it. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** PostgreSQL's code of an error, or of the cause of a `ProductError`. */
export function sqlState(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !NETWORK.has(code)) return code;
  return error instanceof ProductError ? sqlState(error.cause) : undefined;
}

export function isForbidden(error: unknown): boolean {
  return sqlState(error) === STATE.insufficientPrivilege;
}

/** The transaction conflicted with another one and may be retried. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state === STATE.serialization || state === STATE.deadlock;
}

/** A temporary condition of the server: its disk is full, it is stopping, or a lock is held. */
export function isPassing(error: unknown): boolean {
  return /^(?:53|55|57|25006)/.test(sqlState(error) ?? '');
}

/** The connection is lost or failed; a new one may succeed. */
export function isBroken(error: unknown): boolean {
  if (error instanceof ConnectionLost || error instanceof NoAnswer) return true;
  const code = codeOf(error);
  if (code !== undefined && (NETWORK.has(code) || SESSION_ENDED.has(code) || code.startsWith('08')))
    return true;
  // The client's errors have no code. Each address that was tried for a host has an error.
  if (error instanceof AggregateError) return error.errors.some(isBroken);
  const text = error instanceof Error ? error.message : '';
  return /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/.test(
    text,
  );
}

/** The server accepts no further sessions; existing ones continue. */
export function isFull(error: unknown): boolean {
  return sqlState(error) === STATE.tooManyConnections;
}

/** The error for users when reading or writing an open ledger failed. */
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

/** The error for users when opening the ledger failed, before anything was sent. */
export function openFailure(error: unknown, location: string): ProductError {
  // Errors of statements get another message here, because nothing was sent yet.
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
  if (state === STATE.invalidPassword || state === STATE.invalidAuthorization)
    return message('ledger.login_refused', { location, reason });
  if (state === STATE.noSuchDatabase) return message('ledger.no_database', { location, reason });
  // In a schema that this user may not use, the tables appear to be missing.
  if (state === STATE.insufficientPrivilege || state === STATE.noSuchTable)
    return message('ledger.rights_missing', { location, reason });
  if (CERTIFICATE.test(codeOf(cause) ?? ''))
    return message('ledger.certificate_refused', { location, reason });
  if (/does not support SSL/.test(reason)) return message('ledger.no_tls', { location });
  if (isBroken(cause)) return message('ledger.server_unreachable', { location, reason });
  return message('ledger.server_refused', { location, reason });
}

/** The server requires a password and there is none. The client reports this without a code. */
function isPasswordMissing(reason: string): boolean {
  return /client password must be a string|no password/i.test(reason);
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

function reasonOf(error: unknown): string {
  // A host with several addresses: the error of the first one.
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
