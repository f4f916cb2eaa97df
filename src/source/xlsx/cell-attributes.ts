import { BOOLEAN, ERROR, ISO_DATE, NUMBER, SHARED, TEXT_CELL } from './row-block.js';

/** The kind of a cell, from its attribute `t`. */
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
      // `str`, `inlineStr`, and unknown words: read as text, nothing is lost.
      return TEXT_CELL;
  }
}

/** The style's number. An empty or malformed one is 0, as in Excel. */
export function styleNumber(value: string): number {
  return /^\s*\d{1,6}\s*$/.test(value) ? Number(value) : 0;
}

/** @param letters A to Z. */
export function columnNumber(letters: string): number {
  let column = 0;
  for (let i = 0; i < letters.length; i += 1) column = column * 26 + letters.charCodeAt(i) - 64;
  return column;
}
