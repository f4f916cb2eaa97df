import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/**
 * Rows that the program keeps for itself, `.rows`: lines of JSON. First what this is, then the header row and the
 * data rows as `packRow` writes them, last how many rows there were and the digest of all lines before. A file that
 * doesn't end so was cut off or altered.
 */
export const ROWS_FORMAT = 'license-sync-rows';
export const ROWS_VERSION = 1;

/** The first line. */
export interface RowsHead {
  readonly format: typeof ROWS_FORMAT;
  readonly version: typeof ROWS_VERSION;
  readonly sheet: string;
  /** Row number of the header, which is the first row of the file. */
  readonly headerRow: number;
}

/** The last line. */
export interface RowsEnd {
  /** Rows, the header included. */
  readonly end: number;
  /** Of every byte before this line, hex. */
  readonly sha256: string;
}

/** @throws ProductError input when it is no first line of ours, or one of a later version */
export function readHead(file: string, line: string): RowsHead {
  const head = parsed(line);
  if (head?.format !== ROWS_FORMAT) throw new ProductError('input', message('source.rows_foreign', { file }));
  if (head.version !== ROWS_VERSION) {
    const params = { file, version: String(head.version), known: ROWS_VERSION };
    throw new ProductError('input', message('source.rows_version', params));
  }
  const { sheet, headerRow } = head;
  if (typeof sheet !== 'string' || !Number.isSafeInteger(headerRow)) throw damaged(file, 1);
  return head as unknown as RowsHead;
}

/** The last line; undefined when it is another. */
export function readEnd(line: string): RowsEnd | undefined {
  if (!line.startsWith('{')) return undefined;
  const end = parsed(line);
  return typeof end?.end === 'number' && typeof end.sha256 === 'string'
    ? (end as unknown as RowsEnd)
    : undefined;
}

/** What tells that the file can't be used from a line on; where that is the first, it was never ours. */
export function damaged(file: string, line: number): ProductError {
  if (line === 1) return new ProductError('input', message('source.rows_foreign', { file }));
  return new ProductError('input', message('source.rows_damaged', { file, line }));
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const it: unknown = JSON.parse(line);
    return typeof it === 'object' && it !== null ? (it as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
