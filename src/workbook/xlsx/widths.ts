const NARROWEST = 8;
const WIDEST = 60;

/** Columns of a terminal that a text takes on its longest line: East Asian characters count twice. */
export function shownWidth(text: string): number {
  let widest = 0;
  let width = 0;
  for (const char of text.length > 500 ? text.slice(0, 500) : text) {
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
      widths[index] = Math.max(widths[index] ?? NARROWEST, Math.min(WIDEST, shownWidth(text) + 3));
    });
  }
  return Array.from(widths, (width) => width ?? NARROWEST);
}
