import type { Language } from '../errors/message.js';
import type { DriftStatus } from '../model/comparison.js';
import type { Header, Row } from '../model/row.js';
import type { Status } from '../model/status.js';

export type ResultValue = string | number | undefined;

/** One line of the sheet `Results`. */
export interface ResultLine {
  readonly status: Status | DriftStatus;
  /** Aligned with `ResultTable.columns`. Text stays text; numbers are written as numbers. */
  readonly values: readonly ResultValue[];
  readonly row: Row;
  /** Marks of the row's own cells. */
  readonly marks: CellMarks;
  /**
   * Columns whose cells are invalid because of their kind in a workbook, such as a date in place of a text. Their text
   * alone would be read as valid.
   */
  readonly wrongKind?: ReadonlySet<number> | undefined;
  /** Corrected cells of the row: they contain a user's value, not the source's. */
  readonly corrected?: CellMarks;
  /** Text for the sheet `Problems`, if the row needs attention; only .xlsx. */
  readonly problem?: string;
}

/** Cells to mark, by 1-based column, each with its note's text. */
type CellMarks = ReadonlyMap<number, string>;

export interface CopiedSheet {
  readonly name: string;
  /** Last row that stays in view; the first if absent. */
  readonly headerRow?: number;
  readonly visibility?: 'visible' | 'hidden' | 'very_hidden';
  /** Merged ranges, `C2:C4`. */
  readonly merges?: readonly string[];
  /** Cells of a row that contain a user's value; requested after the row was read. */
  readonly corrected?: (row: number) => CellMarks;
  readonly rows: () => AsyncIterable<readonly Row[]>;
  /** By row number; requested after all lines have been written. */
  readonly marks: () => ReadonlyMap<number, CellMarks>;
}

export interface JoinedProblem {
  readonly sheet: string;
  readonly row: number;
  readonly cell: string;
  readonly message: string;
}

/** The content of a result file. Streams are read once, in order, in bounded memory. */
export interface ResultTable {
  /** Names of the job and the run, as printed pages show them. */
  readonly job: string;
  readonly run: string;
  /** Of headings; labels, headers and statuses are the same in every language (contract). */
  readonly language: Language;
  /** Result columns in order (contract section 6). */
  readonly columns: readonly string[];
  /** The source's own columns that follow them. */
  readonly headers: readonly Header[];
  /** Result columns of an earlier result at the left of the source; they are not copied. */
  readonly skippedColumns?: number;
  /** Source columns whose numbers text formats write by their digits or their text, not as they are shown. */
  readonly exactNumbers?: ReadonlyMap<number, 'digits' | 'text'>;
  readonly lines: AsyncIterable<readonly ResultLine[]>;
  /** Sheet `Records`; only .xlsx. */
  readonly records?: {
    readonly columns: readonly string[];
    readonly lines: AsyncIterable<readonly (readonly ResultValue[])[]>;
  };
  /** Sheet `Summary`: labels and values. Requested after all lines have been written. */
  readonly summary: () => readonly (readonly [label: string, value: string | number])[];
  /** Further sheets of the source that the job reads, copied so that the result is valid input; only .xlsx. */
  readonly copied: readonly CopiedSheet[];
  /** Invalid rows of the copied sheets without a line: for the sheet `Problems`. Requested after all lines. */
  readonly joinedProblems?: () => readonly JoinedProblem[];
  /** The run was against the sandbox: the summary and every printed header say SANDBOX. */
  readonly sandbox: boolean;
  /** The result of a rehearsal: every sheet and every printed header says REHEARSAL. */
  readonly rehearsal?: boolean;
}

/** A sheet of rows without results, which a job can use as its source. */
export interface PlainTable {
  /** Of the worksheet. */
  readonly name: string;
  readonly headers: readonly Header[];
  /** Read once, in order, in bounded memory. */
  readonly rows: AsyncIterable<readonly Row[]>;
  /** The data comes from the sandbox: printed pages say SANDBOX. */
  readonly sandbox: boolean;
}
