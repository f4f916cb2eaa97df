/**
 * - text: text as stored, from shared, inline or formula strings
 * - number: a number (zero-padded identifiers too: see `text`)
 * - boolean: `TRUE` or `FALSE`
 * - date: a day, or a day with a time of day
 * - time: a time of day without a day (format has only h, m, s; serial below 1)
 * - duration: an elapsed time, format `[h]:mm:ss`
 * - error: an error value such as `#N/A`
 * - no_result: a formula without a cached result; `raw` is `0` where the file stores a 0 that does not count as one
 * - merged: lies under a merged range, whose value only the range's first cell has; `raw` is the range, `C2:C4`
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
   * What the rest of the program works with:
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
  /** As the file stores it: number literals digit for digit, serials of dates, text unchanged. */
  readonly raw: string;
  /**
   * A number as its format shows its decimals, where that differs from `text`: `1.10` for 1.1, `3.1` for 3.14159. What
   * text fields take; numeric ones never do, as a format may hide decimals.
   */
  readonly shown?: string;
  /**
   * What the sheet shows by the cell's format, if that differs from what is taken: `KH-17` for the number 17, `1,003.00` for
   * 1003, `2026-01` for a day that is shown as a month. For warnings, and for columns that are read `asIs`.
   */
  readonly seen?: string;
  /**
   * What an identifier takes, if that isn't `text`: `8100000001` of a number shown as `8100-000001`, `001021` of the CSV text
   * `'001021`.
   */
  readonly identifier?: string;
  /** Number format code of a numeric cell when it isn't General, so that a copy of the cell can be shown alike. */
  readonly format?: string;
  /** The cell is a formula. `pending`: the file says that its results must be calculated on opening. */
  readonly formula?: 'calculated' | 'pending';
  /** The formula uses SUBTOTAL or AGGREGATE. */
  readonly subtotal?: true;
  /** The cell is struck out, or some of its characters are. */
  readonly struck?: 'whole' | 'part';
  /** A date with a time of day that the cell's format does not show. */
  readonly hidesTime?: true;
  /** A person typed it in place of what the file has: a merged range doesn't hide it. */
  readonly corrected?: true;
}

/** What a file says of a cell beside its value. */
export type CellMarks = Pick<Cell, 'formula' | 'subtotal' | 'struck'>;

export function isMarked({ formula, struck }: Cell): boolean {
  return formula !== undefined || struck !== undefined;
}

/** A time of day within a minute of midnight. */
const AROUND_MIDNIGHT = /T(?:00:00:|00:01:00$|23:59:)/;

/**
 * The day of a date cell that shows a day and holds a time within a minute of midnight; undefined for any other cell. A time
 * before midnight belongs to the day that ends then, as that is the day that spreadsheets show.
 */
export function dayShown({ hidesTime, text }: Pick<Cell, 'hidesTime' | 'text'>): string | undefined {
  return hidesTime && AROUND_MIDNIGHT.test(text) ? text.slice(0, 10) : undefined;
}

/** What `row["X"]` is in a condition or an expression: the text without blanks at its ends, empty without a cell. */
export function expressionText(cell: Cell | undefined): string {
  return cell === undefined ? '' : cell.text.trim();
}
