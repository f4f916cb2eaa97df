import { BOOLEAN, ERROR, ISO_DATE, NUMBER, SHARED, TEXT_CELL } from './row-block.js';

/** What a cell holds by its `t`. */
export function kindOf(type: string): number {
  switch (type.trim()) {
    case '':
    case 'n':
      return NUMBER;
    case 's':
      return SHARED;
    case 'b':
      return BOOLEAN;
    case 'e':
      return ERROR;
    case 'd':
      return ISO_DATE;
    default:
      // `str`, `inlineStr`, and any other word: the text as it stands loses nothing.
      return TEXT_CELL;
  }
}

/** An empty or odd style is style 0, as Excel has it. */
export function styleNumber(value: string): number {
  return /^\s*\d{1,6}\s*$/.test(value) ? Number(value) : 0;
}

/** @param letters A to Z. */
export function columnNumber(letters: string): number {
  let column = 0;
  for (let i = 0; i < letters.length; i += 1) column = column * 26 + letters.charCodeAt(i) - 64;
  return column;
}
