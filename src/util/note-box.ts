import { linesWithin } from './text-width.js';

const BOX_PIXELS = 330;
const LINE_CHARACTERS = 52;
const LINE_PIXELS = 16;
const ROW_PIXELS = 20;
/** A higher box wouldn't fit on a screen. */
const HIGHEST_PIXELS = 700;

/** Position of a note's box, and its size in points. */
interface NoteBox {
  /** Left column, pixels into it, top row, pixels into it, and the same of right and bottom; from 0. */
  readonly anchor: readonly number[];
  readonly width: number;
  readonly height: number;
}

/**
 * A box as large as its text, to the right of the cell.
 * @param column of the cell, from 1
 * @param top row that the box begins in, from 0
 * @param widths of the sheet's columns, in characters
 * @param topPixels height of that row; those below are taken to be one line high
 */
export function noteBox(
  text: string,
  column: number,
  top: number,
  widths: readonly number[],
  topPixels = ROW_PIXELS,
): NoteBox {
  const lines = linesWithin(text, LINE_CHARACTERS, 1000);
  const height = Math.min(HIGHEST_PIXELS, lines * LINE_PIXELS + 16);
  const [right, rest] = rightEdge(column, widths);
  const below = height - topPixels;
  const [bottom, into] =
    below < 0 ? [top, height] : [top + 1 + Math.floor(below / ROW_PIXELS), below % ROW_PIXELS];
  return {
    anchor: [column, 8, top, 2, right, rest, bottom, into],
    width: points(BOX_PIXELS),
    height: points(height),
  };
}

/** The column, and the pixels into it, where a box that begins at `column` (from 0) ends. */
function rightEdge(column: number, widths: readonly number[]): readonly [number, number] {
  let left = BOX_PIXELS + 8;
  let at = column;
  for (;;) {
    const width = Math.round((widths[at] ?? 9) * 7 + 5);
    if (left < width) return [at, left];
    left -= width;
    at += 1;
  }
}

function points(pixels: number): number {
  return Math.round(pixels * 7.5) / 10;
}
