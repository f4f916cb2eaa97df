/** Widths of columns in pixels, and which of them are in view. */

const NARROWEST = 48;
const WIDEST = 640;

/** What a column starts with at most, however long its texts are. */
const WIDEST_AT_FIRST = 260;

/** Up to so many columns are all drawn: readers of screens and of pages find each cell of a row. */
const ALL_DRAWN = 40;

const BEYOND = 2;

export interface ColumnSpan {
  readonly first: number;
  /** Not itself within. */
  readonly end: number;
  /** Pixels before the first. */
  readonly before: number;
}

/** A width that shows the header and the longest of some texts of a column. */
export function fittingWidth(
  header: string,
  texts: readonly string[],
  most: number = WIDEST_AT_FIRST,
): number {
  const longest = Math.max(textLength(header) * 1.08, ...texts.map(textLength), 0);
  return clampWidth(Math.min(Math.round(longest * 7.4 + 30), most));
}

export function clampWidth(width: number): number {
  return Math.min(Math.max(Math.round(width), NARROWEST), WIDEST);
}

export function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, it) => sum + it, 0);
}

/** Columns to draw when they are moved to the left by `offset`. */
export function columnsToDraw(widths: readonly number[], offset: number, view: number): ColumnSpan {
  if (widths.length <= ALL_DRAWN) return { first: 0, end: widths.length, before: 0 };
  const starts = startsOf(widths);
  const seen = starts.findLastIndex((it) => it <= offset);
  const first = Math.max(0, seen - BEYOND);
  const past = starts.findIndex((it) => it >= offset + view);
  const end = past < 0 ? widths.length : Math.min(widths.length, past + BEYOND);
  return { first, end, before: starts[first] ?? 0 };
}

/** The offset nearest to the present one at which a column (from 0) is seen, from its start if it is wider than the view. */
export function columnOffsetShowing(
  column: number,
  offset: number,
  widths: readonly number[],
  view: number,
): number {
  const start = startsOf(widths)[column] ?? 0;
  const end = start + (widths[column] ?? 0);
  if (start < offset || end - start > view) return start;
  return end > offset + view ? end - view : offset;
}

function startsOf(widths: readonly number[]): number[] {
  let at = 0;
  return widths.map((width) => {
    const start = at;
    at += width;
    return start;
  });
}

/** In widths of a Latin letter: characters of Chinese take two. */
function textLength(text: string): number {
  const line = text.split('\n', 1)[0] ?? '';
  let length = 0;
  for (const char of line.slice(0, 200)) length += /[\u1100-\u11ff\u2e80-\uffef]/.test(char) ? 1.8 : 1;
  return length;
}
