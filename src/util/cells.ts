/**
 * Code points that a terminal shows in two cells: CJK, full-width forms, emoji (Unicode's East Asian Width W and F, in
 * the ranges that texts here hold).
 */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
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
  return WIDE.test(character) ? 2 : 1;
}
