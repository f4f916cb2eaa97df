import { showable } from '../../util/ooxml-escape.js';
import type { Written } from './cell-value.js';
import type { SheetCell } from './sheet.js';

/** Notes are for reading in a small box; the whole text is in the message column. */
const NOTE_CHARACTERS = 1000;
/** Notes wait in memory until the sheet is done, and Excel grows slow with more; further cells are only coloured. */
export const NOTES = 50_000;

/** A faulty cell with its note; also where the cell is empty, as that may be the fault. */
export function marked(written: Written | undefined, note: string): SheetCell {
  return { value: null, ...written, mark: showable(note).slice(0, NOTE_CHARACTERS) };
}
