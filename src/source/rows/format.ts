import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/**
 * Rows that the program stores for itself, `.rows`: lines of JSON. The first line names the format; then come the header
 * row and the data rows, as `packRow` writes them; the last line has the number of rows and the digest of all lines
 * before. A file without it was cut off or altered.
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

/** Reads the first line. @throws ProductError input for another format or a later version */
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

/** The last line; undefined if this is another line. */
export function readEnd(line: string): RowsEnd | undefined {
  if (!line.startsWith('{')) return undefined;
  const end = parsed(line);
  return typeof end?.end === 'number' && typeof end.sha256 === 'string'
    ? (end as unknown as RowsEnd)
    : undefined;
}

/** The error for a line that can't be read. If it is the first, the file has another format. */
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
