import { isWide } from './cells.js';

const NARROWEST = 8;
export const WIDEST = 60;
/** Beside its text a cell has margins, and letters differ in width. */
const MARGIN = 3;

/**
 * Columns of a terminal that a text takes on its longest line: East Asian characters count twice.
 * @param within characters looked at
 */
export function shownWidth(text: string, within = 500): number {
  let widest = 0;
  let width = 0;
  for (const char of text.length > within ? text.slice(0, within) : text) {
    if (char === '\n') width = 0;
    else width += isWide(char.codePointAt(0)!) ? 2 : 1;
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

/** Lines that a text takes in a column of that width when it is wrapped. */
export function wrappedLines(text: string, width: number): number {
  // Most letters are narrower than the figures that widths are counted in, but lines end where words do.
  const room = width - 1;
  // A short one is on one line even if every character counts twice.
  if (text.length * 2 <= room && !text.includes('\n')) return 1;
  return text.split('\n').reduce((sum, it) => sum + Math.max(1, Math.ceil(shownWidth(it, 10_000) / room)), 0);
}
