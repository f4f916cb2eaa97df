import type { Cell } from '../../model/cell.js';
import type { ResultValue } from '../contract.js';
import type { CellContent } from './row-xml.js';
import { serialOf } from './serial.js';

/** What is written in a cell: its value and its number format. */
export interface Written {
  readonly value: CellContent;
  readonly format?: string | undefined;
  /** The text begins or ends with white space, which is to be kept. */
  readonly isSpaced?: boolean;
}

const TEXT_FORMAT = '@';
const CELL_CHARACTERS = 32_767;
/** Longer text in a cell of format `@` shows as ### in some versions of Excel. */
const TEXT_FORMAT_CHARACTERS = 255;
/** Text that Excel would make a number, a date, a truth value or a formula of when the cell is edited. */
const LOOKS_TYPED = /^\s*[=+\-@'.,(¥￥$€£\d]|^\s*(?:true|false)\s*$/i;
/** White space at an end, but for what is written as an escape: that is none to a reader. */
const SPACED = /^[^\S\r\v\f]|[^\S\r\v\f]$/;
/** A number that may have more digits than a double holds. */
const LONG = /^[+-]?\d{16,}$/;
const LETTER_T = 0x74;
const LETTER_F = 0x66;
const IDEOGRAPHIC_SPACE = 0x3000;
const BYTE_ORDER_MARK = 0xfeff;
const WIDE_YEN = 0xffe5;
const ERRORS = new Set(['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA']);

/** A result value. Text stays text; what is longer than a cell holds is cut with an ellipsis. */
export function writtenValue(value: ResultValue): Written | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'number') return { value };
  return writtenText(value.length > CELL_CHARACTERS ? cut(value) : value);
}

/** A source cell, so that it is read again as it was. */
export function writtenCell(cell: Cell): Written {
  switch (cell.kind) {
    case 'text':
      return writtenText(cell.raw);
    case 'boolean':
      return { value: cell.text === 'TRUE' };
    case 'number':
      return writtenNumber(cell);
    case 'date':
      return writtenDate(cell);
    case 'time':
      return writtenClock(cell, 'hh:mm:ss');
    case 'duration':
      return writtenClock(cell, '[h]:mm:ss');
    case 'error':
      // Others are read as errors again by their text; as error values they would keep old versions from opening the file.
      return ERRORS.has(cell.text) ? errorCell(cell.text) : writtenText(cell.text);
    case 'no_result':
    case 'merged':
      // An empty cell would pass for a field left out; the next reading must stumble over it again.
      return errorCell('#N/A');
  }
}

function writtenDate(cell: Cell): Written {
  const serial = serialOf(cell);
  // Days before 1900 have no serial; as ISO text they are read as the same day.
  if (!(serial >= 0)) return writtenText(cell.text);
  const { format = cell.text.includes('T') ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd' } = cell;
  return { value: serial, format };
}

function writtenClock(cell: Cell, usual: string): Written {
  const serial = serialOf(cell);
  // Beyond what a double holds: no workbook may have it as a number.
  if (!Number.isFinite(serial)) return writtenText(cell.raw);
  return formatted(serial, cell.format ?? usual);
}

function errorCell(error: string): Written {
  return { value: { error } };
}

/** A number as text where a double doesn't hold it; a long identifier must not lose its last digits. */
function writtenNumber({ raw, format }: Cell): Written {
  const value = Number(raw);
  const isKept =
    Number.isFinite(value) &&
    (value !== 0 || raw.trim() !== '') &&
    (raw.length < 16 || !LONG.test(raw) || BigInt(value) === BigInt(raw.replace('+', '')));
  return isKept ? { value, format, isSpaced: false } : writtenText(raw);
}

function formatted(value: number, format: string | undefined): Written {
  return { value, format, isSpaced: false };
}

function writtenText(value: string): Written {
  const first = value.charCodeAt(0);
  const isTyped = !isHarmless(first) && value.length <= TEXT_FORMAT_CHARACTERS && LOOKS_TYPED.test(value);
  const isInked = isInk(first) && isInk(value.charCodeAt(value.length - 1));
  return { value, format: isTyped ? TEXT_FORMAT : undefined, isSpaced: !isInked && SPACED.test(value) };
}

/** Whether no text that begins so looks typed; asked first, as nearly all do: a pattern costs far more. */
function isHarmless(code: number): boolean {
  const letter = code | 0x20;
  if (letter >= 0x61 && letter <= 0x7a && code < 0x80) return letter !== LETTER_T && letter !== LETTER_F;
  return code > IDEOGRAPHIC_SPACE && code !== WIDE_YEN && code !== BYTE_ORDER_MARK;
}

/** Whether the character is certainly no white space. */
function isInk(code: number): boolean {
  return (code > 0x20 && code < 0x7f) || (code > IDEOGRAPHIC_SPACE && code !== BYTE_ORDER_MARK);
}

function cut(text: string): string {
  const end = CELL_CHARACTERS - 1;
  const splitsPair = /[\ud800-\udbff]/.test(text[end - 1]!);
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
