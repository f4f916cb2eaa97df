/** Combining marks and invisible characters take none. */
const NONE = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;

/** How many cells of a terminal a text takes. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text) cells += widthOf(character);
  return cells;
}

/** The longest beginning of a text that fits into so many cells. */
export function fitCells(text: string, cells: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > cells) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function widthOf(character: string): number {
  if (NONE.test(character)) return 0;
  return isWide(character.codePointAt(0)!) ? 2 : 1;
}

/** Whether a code point takes two cells: CJK, full-width forms, emoji (East Asian Width W and F, as far as texts here hold them). */
export function isWide(code: number): boolean {
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
