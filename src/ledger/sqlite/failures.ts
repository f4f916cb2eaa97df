import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/** Primary result codes of SQLite that mean something of their own here. */
const CODE = {
  error: 1,
  busy: 5,
  locked: 6,
  corrupt: 11,
  full: 13,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26,
} as const;

/** SQLite's primary result code of an error; undefined when the error isn't SQLite's. */
function resultCode(error: unknown): number | undefined {
  const extended = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof extended === 'number' ? extended & 0xff : undefined;
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === CODE.busy || code === CODE.locked;
}

/** The statement broke a rule of the tables; the database itself is sound. */
export function isConstraint(error: unknown): boolean {
  return resultCode(error) === CODE.constraint;
}

/**
 * The file or the disk failed: what SQLite believes of the ledger since can't be trusted, so nothing more may be
 * written by this connection.
 */
export function isUntrustworthy(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && !isBusy(error) && !isFull(error) && !isOfContent(error);
}

/** A statement met something that its tables don't take or that can't be read; the file itself is sound. */
export function isOfContent(error: unknown): boolean {
  const code = resultCode(error);
  return code === CODE.error || code === CODE.mismatch || isConstraint(error);
}

/** The disk is full: nothing was written, and it may go better once there is space. */
export function isFull(error: unknown): boolean {
  return resultCode(error) === CODE.full;
}

function isCorrupt(error: unknown): boolean {
  const code = resultCode(error);
  return code === CODE.corrupt || code === CODE.notADatabase;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a person is told when reading or writing an opened ledger went wrong. */
export function ledgerFailure(error: unknown, location: string, doing: 'read' | 'write'): ProductError {
  if (error instanceof ProductError) return error;
  const reason = reasonOf(error);
  if (isCorrupt(error)) {
    return new ProductError('internal', message('ledger.corrupt', { location, reason }), { cause: error });
  }
  if (isBusy(error))
    return new ProductError('internal', message('ledger.locked', { location }), { cause: error });
  const code = doing === 'read' ? 'ledger.read_failed' : 'ledger.write_failed';
  return new ProductError('internal', message(code, { location, reason }), { cause: error });
}

/** The same of a write that comes before anything is sent: held by another program, it may simply be tried again. */
export function firstWriteFailure(error: unknown, location: string): ProductError {
  return isBusy(error) ? openFailure(error, location) : ledgerFailure(error, location, 'write');
}

/** The same while it is being opened, when nothing was sent yet. */
export function openFailure(error: unknown, location: string): ProductError {
  if (error instanceof ProductError) return error;
  if (isBusy(error)) {
    return new ProductError('usage', message('ledger.in_use', { location }), { cause: error });
  }
  if (resultCode(error) === CODE.notADatabase) {
    return new ProductError('internal', message('ledger.not_a_ledger', { location }), { cause: error });
  }
  if (isCorrupt(error)) return ledgerFailure(error, location, 'read');
  const reason = reasonOf(error);
  return new ProductError('usage', message('ledger.cannot_open', { location, reason }), { cause: error });
}
