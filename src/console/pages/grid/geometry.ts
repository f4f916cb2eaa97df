/**
 * Where rows lie while a grid of any length is scrolled. Browsers lay out no more than some 17 million pixels in height
 * (Firefox; Chromium 33), and a million rows want 28: what is scrolled is a canvas of at most `CANVAS_LIMIT`, and each
 * position of its scrollbar stands for an offset into the rows.
 */
export const ROW_HEIGHT = 28;

export const CANVAS_LIMIT = 15_000_000;

/** Rows are drawn in steps of this many, so that scrolling by a pixel or a row draws nothing anew. */
const STEP = 4;

/** Rows drawn above and below what is seen: few, because what is scrolled into is drawn within the same frame. */
const BEYOND = 1;

export interface RowSpan {
  /** Counted from 0. */
  readonly first: number;
  /** Not itself within. */
  readonly end: number;
}

export interface RowExtent {
  readonly rows: number;
  /** Pixels in which rows are seen. */
  readonly view: number;
}

/** Height in pixels of what is scrolled. */
export function canvasHeight(rows: number): number {
  return Math.min(rows * ROW_HEIGHT, CANVAS_LIMIT);
}

/** Pixels by which the rows are moved up when the scrollbar stands at `scrollTop`. */
export function offsetAt(scrollTop: number, { rows, view }: RowExtent): number {
  const [way, scrolled] = ways({ rows, view });
  if (scrolled === 0) return 0;
  return clamp((scrollTop * way) / scrolled, 0, way);
}

/** The scrollbar's position for an offset: `offsetAt` of it gives the offset again. */
export function scrollTopFor(offset: number, { rows, view }: RowExtent): number {
  const [way, scrolled] = ways({ rows, view });
  return way === 0 ? 0 : (clamp(offset, 0, way) * scrolled) / way;
}

/** Rows to draw at an offset: always as many of them, from steps, unless there are fewer. */
export function rowsToDraw(offset: number, { rows, view }: RowExtent): RowSpan {
  const first = Math.floor((Math.floor(offset / ROW_HEIGHT) - BEYOND) / STEP) * STEP;
  const count = Math.ceil((view / ROW_HEIGHT + 2 * BEYOND + STEP) / STEP) * STEP;
  return { first: Math.max(0, first), end: Math.max(0, Math.min(rows, first + count)) };
}

/** The offset nearest to the present one at which a row (from 0) is seen in full. */
export function offsetShowing(row: number, offset: number, { rows, view }: RowExtent): number {
  const top = row * ROW_HEIGHT;
  const [way] = ways({ rows, view });
  if (top < offset) return clamp(top, 0, way);
  if (top + ROW_HEIGHT > offset + view) return clamp(top + ROW_HEIGHT - view, 0, way);
  return offset;
}

/** Pixels that the rows, and the scrollbar, can be moved by. */
function ways({ rows, view }: RowExtent): readonly [number, number] {
  return [Math.max(0, rows * ROW_HEIGHT - view), Math.max(0, canvasHeight(rows) - view)];
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
