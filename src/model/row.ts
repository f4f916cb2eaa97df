import type { Message } from '../errors/message.js';

/** An error of a row as a whole: its cells may be in wrong columns. */
export interface RowFault {
  /** 1-based; absent if the row as a whole is invalid. */
  readonly column?: number;
  readonly message: Message;
  /** Cells that may be in wrong columns; absent: all except the first. */
  readonly shifts?: 'none' | 'later cells';
}

/**
 * One row of a sheet that has at least one non-empty cell. Cells are decoded on request. A row remains valid after its stream
 * has advanced.
 */
export interface Row {
  /** Sheet name; for .csv and .tsv the file's name without its extension. */
  readonly sheet: string;
  /** 1-based, as Excel shows it; for .csv the number of the record, blank records counted. */
  readonly number: number;
  /** Hidden manually or by a filter. */
  readonly hidden: boolean;
  /** True if a cell is a formula or struck out (see `CellMarks`). */
  readonly marked?: boolean;
  /** Excluded by a user: it is `skipped`, whatever it contains. */
  readonly excluded?: boolean;
  /** Errors of the row. A row with errors is never sent. */
  readonly faults?: readonly RowFault[];
  /** Text files: the line has fewer fields than the header. The missing ones are read as empty cells, with a warning. */
  readonly isShort?: boolean;
  /** The cell in a 1-based column; undefined when empty. */
  cell(column: number): Cell | undefined;
  /** All non-empty cells, by ascending column. */
  cells(): readonly Cell[];
}

/** The same row as another one. Subclasses replace cells or facts; all others stay, so that none is lost on the way. */
export class DerivedRow implements Row {
  protected readonly origin: Row;

  constructor(origin: Row) {
    this.origin = origin;
  }

  get sheet(): string {
    return this.origin.sheet;
  }

  get number(): number {
    return this.origin.number;
  }

  get hidden(): boolean {
    return this.origin.hidden;
  }

  get marked(): boolean {
    return this.origin.marked === true;
  }

  get excluded(): boolean {
    return this.origin.excluded === true;
  }

  get isShort(): boolean {
    return this.origin.isShort === true;
  }

  get faults(): readonly RowFault[] | undefined {
    return this.origin.faults;
  }

  cell(column: number): Cell | undefined {
    return this.origin.cell(column);
  }

  cells(): readonly Cell[] {
    return this.origin.cells();
  }
}

/** One header cell of a table. */
export interface Header {
  /** 1-based column in the sheet. */
  readonly column: number;
  /** Text in the sheet. */
  readonly text: string;
  /** Trimmed, NFKC, lowercase: the form for matching names. */
  readonly folded: string;
}

/**
 * - text: text as stored, from shared, inline or formula strings
 * - number: a number (zero-padded identifiers too: see `text`)
 * - boolean: `TRUE` or `FALSE`
 * - date: a day, or a day with a time of day
 * - time: a time of day without a day (format has only h, m, s; serial below 1)
 * - duration: an elapsed time, format `[h]:mm:ss`
 * - error: an error value such as `#N/A`
 * - no_result: a formula without a cached result; `raw` is `0` if the file stores a 0 that is not treated as a result
 * - merged: a cell covered by a merged range, whose value only the first cell of the range has; `raw` is the range, `C2:C4`
 */
export type CellKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'time'
  | 'duration'
  | 'error'
  | 'no_result'
  | 'merged';

/** One non-empty cell. Its address follows from its column and its row's number: see `cellAddress`. */
export interface Cell {
  /** 1-based. */
  readonly column: number;
  readonly kind: CellKind;
  /**
   * The value for the rest of the program:
   * - text: the text itself, untrimmed
   * - number: plain decimal digits, no exponent, no grouping; whole numbers without a point; double noise
   *   beyond 15 significant digits rounded away for numbers with a fraction; digits padded by a format such
   *   as `0000` are padded (`0012`)
   * - boolean: `TRUE` / `FALSE`
   * - date: `2026-01-31`, or `2026-01-31T08:30:00` (`.123` when there are milliseconds)
   * - time: `08:30:00`; duration: `30:15:00`
   * - error: the error value; no_result, merged: the empty text
   */
  readonly text: string;
  /** The value as the file stores it: number literals digit for digit, serials of dates, text unchanged. */
  readonly raw: string;
  /**
   * A number with the decimals of its format, if that differs from `text`: `1.10` for 1.1, `3.1` for 3.14159. Text fields use it;
   * numeric fields never do, because a format may hide decimals.
   */
  readonly shown?: string;
  /**
   * The text that the sheet shows by the cell's format, if that differs from the value: `KH-17` for the number 17, `1,003.00` for
   * 1003, `2026-01` for a day that is shown as a month. For warnings, and for columns that are read `asIs`.
   */
  readonly seen?: string;
  /**
   * The value for an identifier, if that isn't `text`: `8100000001` for a number shown as `8100-000001`, `001021` for the
   * CSV text `'001021`.
   */
  readonly identifier?: string;
  /** Number format code of a numeric cell if it isn't General, so that a copy of the cell looks the same. */
  readonly format?: string;
  /** The cell is a formula. `pending`: the file requires that results are calculated on opening. */
  readonly formula?: 'calculated' | 'pending';
  /** The formula uses SUBTOTAL or AGGREGATE. */
  readonly subtotal?: true;
  /** The cell is struck out, or some of its characters are. */
  readonly struck?: 'whole' | 'part';
  /** A date with a time of day that the cell's format does not show. */
  readonly hidesTime?: true;
  /** A user's correction of the file's value. A merged range doesn't hide it. */
  readonly corrected?: true;
}

/** Properties of a cell other than its value. */
export type CellMarks = Pick<Cell, 'formula' | 'subtotal' | 'struck'>;

export function isMarked({ formula, struck }: Cell): boolean {
  return formula !== undefined || struck !== undefined;
}

/** A time of day within a minute of midnight. */
const AROUND_MIDNIGHT = /T(?:00:00:|00:01:00$|23:59:)/;

/**
 * The day of a date cell that hides a time within a minute of midnight; undefined for any other cell. A time before midnight
 * belongs to the day that ends then, because spreadsheets show that day.
 */
export function dayShown({ hidesTime, text }: Pick<Cell, 'hidesTime' | 'text'>): string | undefined {
  return hidesTime && AROUND_MIDNIGHT.test(text) ? text.slice(0, 10) : undefined;
}

/** The value of `row["X"]` in a condition or an expression: the trimmed text, empty without a cell. */
export function expressionText(cell: Cell | undefined): string {
  return cell === undefined ? '' : cell.text.trim();
}

/** One error of a row, at a cell if there is one. Data, never thrown. */
export interface Fault {
  readonly sheet: string;
  /** Row number as Excel shows it. */
  readonly row: number;
  /** 1-based; absent if the error is not that of a single cell. */
  readonly column?: number;
  /** Target field by its wire path without indexes, `orderList.assets.assetNos`. */
  readonly field?: string;
  readonly message: Message;
}

/** A corrected cell of the job's sheet, which replaces the value in the file. */
export interface Correction {
  /** Row number as Excel shows it. */
  readonly row: number;
  /** 1-based. */
  readonly column: number;
  /** The column's header in the sheet. */
  readonly header: string;
  /** The typed text; empty: the cell is emptied. */
  readonly text: string;
}

/** The corrections of a run's plan, as stored in its settings. Both digests are of stored inputs; hex. */
export interface KeptCorrections {
  /** Of the corrected values, independent of author and time: part of the plan's hash. */
  readonly sha256: string;
  readonly cells: number;
  /** Of the authors and times of the corrections. */
  readonly authors: string;
}

/** The author and time (milliseconds since 1970) of a correction. */
export interface CorrectedBy {
  readonly who: string;
  readonly at: number;
}
