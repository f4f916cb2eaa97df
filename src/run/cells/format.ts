import type { Message } from '../../errors/message.js';
import type { Fault } from '../../model/fault.js';
import { STATUSES, type Status } from '../../model/status.js';

/**
 * Rows of a run in a file of its own, `.cells`, beside the ledger: any page of a million rows is there within
 * milliseconds. It can be made again from the ledger and the kept input at any time, and goes when room is short.
 *
 * Pages of rows, each deflated by itself; a table of pages; lists of rows by the kinds of their problems, 4 bytes a row;
 * facts as JSON; an end of fixed length that says where these are. All numbers are little-endian.
 */
export const CELLS_MAGIC = Buffer.from('LSCELLS1');
export const CELLS_END = 8 + 4 + CELLS_MAGIC.length;
export const PAGE_ROWS = 128;

/** Of the table of pages: where it begins (float64), bytes, number of its first row. */
export const PAGE_ENTRY = 8 + 4 + 4;

/** One kind of problem of the rows of a run. */
export interface CellsKind {
  /** The same for the same kind in every check of a sheet. */
  readonly id: string;
  readonly status: Status;
  readonly code?: string;
  readonly field?: string;
  /** The one value where all rows have it, else what they have in common. */
  readonly text: Message | string;
  /** Faults, or rows where the row as a whole has the problem. */
  readonly count: number;
  readonly rows: number;
  /** The first: its row, and its column where a cell is at fault, with the sheet of that. */
  readonly first: { readonly row: number; readonly column?: number; readonly sheet?: string };
  /** Where the list of its rows begins. */
  readonly at: number;
}

export interface CellsHeader {
  readonly column: number;
  readonly text: string;
}

export interface CellsFacts {
  readonly run: string;
  readonly sheet: string;
  readonly headerRow: number;
  readonly headers: readonly CellsHeader[];
  readonly rows: number;
  /** Number of the last row; that of the header where there is none. */
  readonly last: number;
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  /** The list of rows that a person has to look at. */
  readonly faulty: { readonly rows: number; readonly at: number };
  /** The most frequent first. */
  readonly kinds: readonly CellsKind[];
  readonly pages: { readonly count: number; readonly at: number };
}

/** What became of a row; statuses stand as numbers, and a row that is simply well is nothing but that. */
export type PackedResult =
  | number
  | readonly [
      status: number,
      faults: readonly Fault[],
      messages: readonly (Message | string)[],
      code?: string,
    ];

export function statusNumber(status: Status): number {
  return STATUSES.indexOf(status);
}

export function statusOf(packed: PackedResult): Status {
  return STATUSES[typeof packed === 'number' ? packed : packed[0]]!;
}
