/** Combining marks and zero-width characters occupy no column. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;

const NARROWEST = 8;
export const WIDEST = 60;
/** A cell has margins around its text, and letters differ in width. */
const MARGIN = 3;

/**
 * Width of a text's longest line in characters of a workbook's column; East Asian characters count twice.
 * @param within number of characters that are measured
 */
export function shownWidth(text: string, within = 500): number {
  let widest = 0;
  let width = 0;
  for (const char of text.length > within ? text.slice(0, within) : text) {
    if (char === '\n') width = 0;
    else width += isWideCharacter(char) ? 2 : 1;
    if (width > widest) widest = width;
  }
  return widest;
}

/** Column widths in characters, from the header and the first lines. */
export function columnWidths(lines: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const line of lines) {
    line.forEach((text, index) => {
      widths[index] = Math.max(widths[index] ?? NARROWEST, Math.min(WIDEST, shownWidth(text) + MARGIN));
    });
  }
  return Array.from(widths, (width) => width ?? NARROWEST);
}

/** Number of lines of a text wrapped in a column of this width. */
export function wrappedLines(text: string, width: number): number {
  // Most letters are narrower than the digits that widths are measured in, but lines break at words.
  const room = width - 1;
  // A short text fits on one line even if every character counts twice.
  if (text.length * 2 <= room && !text.includes('\n')) return 1;
  return linesWithin(text, room, 10_000);
}

/**
 * Number of lines of a text with `room` characters per line.
 * @param within number of characters of a line that are measured
 */
export function linesWithin(text: string, room: number, within?: number): number {
  const linesOf = (line: string): number => Math.max(1, Math.ceil(shownWidth(line, within) / room));
  return text.split('\n').reduce((sum, it) => sum + linesOf(it), 0);
}

/** Terminal columns that a text occupies. */
export function terminalWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** The longest prefix of a text that fits into `columns` terminal columns. */
export function fitWidth(text: string, width: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > width) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function widthOf(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  return isWideCharacter(character) ? 2 : 1;
}

/**
 * Whether a character occupies two columns: CJK, full-width forms, emoji (the common ones of East Asian Width W and F).
 */
export function isWideCharacter(character: string): boolean {
  const code = character.codePointAt(0)!;
  return (
    code >= 0x1100 &&
    (code <= 0x115f ||
      (code >= 0x2e80 && code <= 0xa4cf) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xfe30 && code <= 0xfe6f) ||
      (code >= 0xff00 && code <= 0xff60) ||
      (code >= 0xffe0 && code <= 0xffe6) ||
      (code >= 0x1f300 && code <= 0x1faff) ||
      code >= 0x20000)
  );
}

const BOX_PIXELS = 330;
const LINE_CHARACTERS = 52;
const LINE_PIXELS = 16;
const ROW_PIXELS = 20;
/** A higher box would not fit on a screen. */
const HIGHEST_PIXELS = 700;

/** Position of a note's box, and its size in points. */
interface NoteBox {
  /** Left column, pixels into it, top row, pixels into it, then the same for right and bottom; from 0. */
  readonly anchor: readonly number[];
  readonly width: number;
  readonly height: number;
}

/**
 * A box as large as its text, to the right of the cell.
 * @param column of the cell, from 1
 * @param top row that the box begins in, from 0
 * @param widths of the sheet's columns, in characters
 * @param topPixels height of that row; lower rows are assumed to be one line high
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

/** The right edge of a box that begins at `column` (from 0): its column, and the pixels into it. */
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
