/** Combining marks and zero-width characters occupy no column. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;

const NARROWEST = 8;
export const WIDEST = 60;
/** Beside its text a cell has margins, and letters differ in width. */
const MARGIN = 3;

/**
 * Width of a text's longest line in characters of a workbook's column; East Asian characters count twice.
 * @param within characters that are measured
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

/** Lines that a text occupies when it is wrapped in a column of this width. */
export function wrappedLines(text: string, width: number): number {
  // Letters are mostly narrower than the digits that widths are measured in, but lines break at words.
  const room = width - 1;
  // A short text fits on one line even if every character counts twice.
  if (text.length * 2 <= room && !text.includes('\n')) return 1;
  return linesWithin(text, room, 10_000);
}

/**
 * Lines of a text where so many characters fit on one.
 * @param within characters of a line that are measured
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

/** The longest prefix of a text that fits into so many terminal columns. */
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

/** Whether a character occupies two columns: CJK, full-width forms, emoji (the common ones of East Asian Width W and F). */
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
