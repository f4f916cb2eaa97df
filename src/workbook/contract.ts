import type { Language } from '../errors/message.js';
import type { DriftStatus } from '../model/drift.js';
import type { Header, Row } from '../model/row.js';
import type { Status } from '../model/status.js';

export type ResultValue = string | number | undefined;

/** One line of the sheet `Results`. */
export interface ResultLine {
  readonly status: Status | DriftStatus;
  /** Aligned with `ResultTable.columns`. Text stays text; numbers are written as numbers. */
  readonly values: readonly ResultValue[];
  readonly row: Row;
  /** Of the row's own cells. */
  readonly marks: CellMarks;
  /** What is wrong, where the row asks for a person's attention: a line of the sheet `Problems`; only .xlsx. */
  readonly problem?: string;
}

/** Cells to mark, by 1-based column, each with its note's text. */
export type CellMarks = ReadonlyMap<number, string>;

export interface CarriedSheet {
  readonly name: string;
  readonly rows: () => AsyncIterable<readonly Row[]>;
  /** By row number; asked for after all lines were written. */
  readonly marks: () => ReadonlyMap<number, CellMarks>;
}

/** All that a result file shows. Streams are read once, in order, with bounded memory. */
export interface ResultTable {
  /** Names of the job and the run, as printed pages show them. */
  readonly job: string;
  readonly run: string;
  /** Of headings; labels, headers and statuses are the contract's words in every language. */
  readonly language: Language;
  /** Result columns in order (contract section 6). */
  readonly columns: readonly string[];
  /** The source's own columns that follow them. */
  readonly headers: readonly Header[];
  /** Columns at the source's left that are an earlier result's own and not carried on. */
  readonly setAside?: number;
  readonly lines: AsyncIterable<readonly ResultLine[]>;
  /** Sheet `Records`; only .xlsx. */
  readonly records?: {
    readonly columns: readonly string[];
    readonly lines: AsyncIterable<readonly (readonly ResultValue[])[]>;
  };
  /** Sheet `Summary`: label and value. Asked for after all lines were written. */
  readonly summary: () => readonly (readonly [label: string, value: string | number])[];
  /** Further sheets of the source that the job reads, copied so that the result is valid input; only .xlsx. */
  readonly carried: readonly CarriedSheet[];
  /** The run was against the sandbox: the summary and every printed header say SANDBOX. */
  readonly sandbox: boolean;
}

/** Writes the whole file under a temporary name, then fsync, rename, fsync of the folder. Gives the path written. */
export type WriteResult = (file: string, table: ResultTable) => Promise<string>;
