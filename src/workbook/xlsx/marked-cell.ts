import { showable } from '../../util/ooxml-escape.js';
import type { Written } from './cell-value.js';
import type { SheetCell } from './sheet.js';

/** A note is shown in a small box; the message column has the whole text. */
const NOTE_CHARACTERS = 1000;
/** Notes stay in memory until the sheet is complete, and more make Excel slow; further cells are only coloured. */
export const MAX_NOTES = 50_000;

/** A marked cell with its note. It may be empty, as that may be its fault. */
export function markedCell(
  written: Written | undefined,
  note: string,
  tone: NonNullable<SheetCell['tone']> = 'faulty',
): SheetCell {
  return { value: null, ...written, mark: showable(note).slice(0, NOTE_CHARACTERS), tone };
}
