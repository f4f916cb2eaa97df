/**
 * Virtual scrolling of rows. Browsers limit the height of elements to about 17 million pixels (Firefox; Chromium:
 * 33), but a million rows need 28 million. The scrolled canvas is limited to `CANVAS_LIMIT`, and the position of the
 * scrollbar is mapped to an offset into the rows.
 */
export const ROW_HEIGHT = 28;

export const CANVAS_LIMIT = 15_000_000;

/** Rows are rendered in steps of this many, so that scrolling by a pixel or a row renders nothing. */
const STEP = 4;

/** Extra rows rendered above and below the view. Few, because new rows are rendered within the same frame. */
const EXTRA_ROWS = 1;

interface RowSpan {
  /** Counted from 0. */
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

interface RowExtent {
  readonly rows: number;
  /** Height of the view in pixels. */
  readonly view: number;
}

/** Height of the scrolled canvas in pixels. */
export function canvasHeight(rows: number): number {
  return Math.min(rows * ROW_HEIGHT, CANVAS_LIMIT);
}

/** Pixels by which the rows are moved up at a position of the scrollbar. */
export function offsetAt(scrollTop: number, { rows, view }: RowExtent): number {
  const [maxOffset, maxScrollTop] = maxOffsets({ rows, view });
  if (maxScrollTop === 0) return 0;
  return clamp((scrollTop * maxOffset) / maxScrollTop, 0, maxOffset);
}

/** The inverse of `offsetAt`. */
export function scrollTopFor(offset: number, { rows, view }: RowExtent): number {
  const [maxOffset, maxScrollTop] = maxOffsets({ rows, view });
  return maxOffset === 0 ? 0 : (clamp(offset, 0, maxOffset) * maxScrollTop) / maxOffset;
}

/** Rows to draw at an offset. Their number is constant, unless there are fewer rows. */
export function rowsToDraw(offset: number, { rows, view }: RowExtent): RowSpan {
  const first = Math.floor((Math.floor(offset / ROW_HEIGHT) - EXTRA_ROWS) / STEP) * STEP;
  const count = Math.ceil((view / ROW_HEIGHT + 2 * EXTRA_ROWS + STEP) / STEP) * STEP;
  return { first: Math.max(0, first), end: Math.max(0, Math.min(rows, first + count)) };
}

/** The offset nearest to the current one at which a row (from 0) is fully visible. */
export function offsetShowing(row: number, offset: number, { rows, view }: RowExtent): number {
  const top = row * ROW_HEIGHT;
  const [maxOffset] = maxOffsets({ rows, view });
  if (top < offset) return clamp(top, 0, maxOffset);
  if (top + ROW_HEIGHT > offset + view) return clamp(top + ROW_HEIGHT - view, 0, maxOffset);
  return offset;
}

/** The maximum offset of the rows, and the maximum position of the scrollbar. */
function maxOffsets({ rows, view }: RowExtent): readonly [number, number] {
  return [Math.max(0, rows * ROW_HEIGHT - view), Math.max(0, canvasHeight(rows) - view)];
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

const MIN_WIDTH = 48;
const MAX_WIDTH = 640;

/** Maximum initial width of a column. */
const MAX_INITIAL_WIDTH = 260;

/** Up to this many columns are all rendered, so that screen readers and page search find every cell of a row. */
const MAX_ALL_COLUMNS = 40;

const EXTRA_COLUMNS = 2;

interface ColumnSpan {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  /** Pixels before the first column. */
  readonly before: number;
}

/** A width that fits the header and the longest text. */
export function fittingWidth(
  header: string,
  texts: readonly string[],
  max: number = MAX_INITIAL_WIDTH,
): number {
  const longest = Math.max(textLength(header) * 1.08, ...texts.map(textLength), 0);
  return clampWidth(Math.min(Math.round(longest * 7.4 + 30), max));
}

export function clampWidth(width: number): number {
  return Math.min(Math.max(Math.round(width), MIN_WIDTH), MAX_WIDTH);
}

export function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, it) => sum + it, 0);
}

/** Columns to draw at a horizontal offset. */
export function columnsToDraw(widths: readonly number[], offset: number, view: number): ColumnSpan {
  if (widths.length <= MAX_ALL_COLUMNS) return { first: 0, end: widths.length, before: 0 };
  const starts = startsOf(widths);
  const seen = starts.findLastIndex((it) => it <= offset);
  const first = Math.max(0, seen - EXTRA_COLUMNS);
  const past = starts.findIndex((it) => it >= offset + view);
  const end = past < 0 ? widths.length : Math.min(widths.length, past + EXTRA_COLUMNS);
  return { first, end, before: starts[first] ?? 0 };
}

/**
 * The offset nearest to the current one at which a column (from 0) is visible; a column wider than the view starts at
 * the left.
 */
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
  let position = 0;
  return widths.map((width) => {
    const start = position;
    position += width;
    return start;
  });
}

/** Length in widths of a Latin letter; Chinese characters are about twice as wide. */
function textLength(text: string): number {
  const line = text.split('\n', 1)[0] ?? '';
  let length = 0;
  for (const char of line.slice(0, 200)) length += /[\u1100-\u11ff\u2e80-\uffef]/.test(char) ? 1.8 : 1;
  return length;
}

/**
 * Keys of the rendered rows. A row keeps its key and its elements while it is rendered. After a jump to entirely different
 * rows, the new rows reuse the old elements in order, because changing texts costs a third of creating elements.
 * Elements are never moved within the document, because a moved element loses the focus.
 */
export class RowKeys {
  #keys = new Map<number, number>();
  #next = 0;

  /**
   * @param rows to be rendered, in order
   * @param offscreen the row that is rendered outside the view because it has the focus
   */
  of(rows: readonly number[], offscreen: number | undefined): ReadonlyMap<number, number> {
    const old = this.#keys;
    const jumped = !rows.some((it) => it !== offscreen && old.has(it));
    const free = jumped ? [...old].filter(([row]) => row !== offscreen).map(([, key]) => key) : [];
    const keys = new Map<number, number>();
    for (const row of rows) keys.set(row, old.get(row) ?? this.#newKey(free));
    this.#keys = keys;
    return keys;
  }

  #newKey(free: number[]): number {
    const reused = free.shift();
    if (reused !== undefined) return reused;
    this.#next += 1;
    return this.#next;
  }
}
