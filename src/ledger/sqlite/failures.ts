import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { DISK_FULL } from '../../util/atomic-file.js';

/** Primary result codes of SQLite that are handled separately. */
const CODE = {
  error: 1,
  busy: 5,
  locked: 6,
  inputOutput: 10,
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

/** The statement violated a constraint; the database is consistent. */
export function isConstraint(error: unknown): boolean {
  return resultCode(error) === CODE.constraint;
}

/**
 * The file or the disk failed. SQLite's view of the ledger can't be trusted afterwards, so this connection must write nothing
 * more.
 */
export function isUntrustworthy(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && !isBusy(error) && !isFull(error) && !isOfContent(error);
}

/** A value that violates a constraint or can't be parsed; the file is consistent. */
export function isOfContent(error: unknown): boolean {
  const code = resultCode(error);
  return code === CODE.error || code === CODE.mismatch || isConstraint(error);
}

/** The disk is full: nothing was written, and a retry may succeed when there is space. */
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

/** The error for users when reading or writing an open ledger failed. */
export function ledgerFailure(error: unknown, location: string, doing: 'read' | 'write'): ProductError {
  if (error instanceof ProductError) return error;
  const reason = reasonOf(error);
  if (isCorrupt(error))
    return new ProductError('internal', message('ledger.corrupt', { location, reason }), { cause: error });
  if (isBusy(error))
    return new ProductError('internal', message('ledger.locked', { location }), { cause: error });
  if (isFull(error)) return diskFull(error, location);
  const code = doing === 'read' ? 'ledger.read_failed' : 'ledger.write_failed';
  return new ProductError('internal', message(code, { location, reason }), { cause: error });
}

export function diskFull(error: unknown, location: string): ProductError {
  const free = freeBytes(location);
  const params = {
    location,
    reason: reasonOf(error),
    free: free === undefined ? '?' : Math.floor(free / 1e6),
  };
  return new ProductError('internal', message('ledger.disk_full', params), { cause: error });
}

/** Space for this user on the ledger's disk; undefined if it cannot be determined. */
function freeBytes(location: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(dirname(location));
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** A full disk while files are created: the system's errors, or SQLite's error for its shared memory, which has no code. */
function isFullWhileOpening(error: unknown, location: string): boolean {
  if (isFull(error) || DISK_FULL.has((error as NodeJS.ErrnoException | undefined)?.code ?? '')) return true;
  return resultCode(error) === CODE.inputOutput && freeBytes(location) === 0;
}

/** The error for users of a write before anything is sent. A ledger that another program has locked is a usage error. */
export function firstWriteFailure(error: unknown, location: string): ProductError {
  return isBusy(error) ? openFailure(error, location) : ledgerFailure(error, location, 'write');
}

/** The error for users when opening the ledger failed, before anything was sent. */
export function openFailure(error: unknown, location: string): ProductError {
  if (error instanceof ProductError) return error;
  if (isBusy(error))
    return new ProductError('usage', message('ledger.in_use', { location }), { cause: error });
  if (resultCode(error) === CODE.notADatabase)
    return new ProductError('internal', message('ledger.not_a_ledger', { location }), { cause: error });
  if (isCorrupt(error)) return ledgerFailure(error, location, 'read');
  if (isFullWhileOpening(error, location)) return diskFull(error, location);
  const reason = reasonOf(error);
  return new ProductError('usage', message('ledger.cannot_open', { location, reason }), { cause: error });
}
