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
    else width += wide(char.codePointAt(0)!) ? 2 : 1;
    if (width > widest) widest = width;
  }
  return widest;
}

function wide(code: number): boolean {
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
