import type { Cell } from '../../model/row.js';
import type { ResultValue } from '../result-line.js';
import type { CellContent } from './row-xml.js';

const DAY_MS = 86_400_000;
const EPOCH_MS = Date.UTC(1899, 11, 30);
/** Days between the 1900 and the 1904 system. */
const SHIFT_1904 = 1462;
/** Serials up to this one are one less, because Excel has a 29th of February 1900. */
const FALSE_LEAP_DAY = 60;

/**
 * The serial (1900 system) of a date or time cell, which must be read back as the same value. The stored serial is kept
 * to the last digit if it agrees with the date shown. Serials of the 1904 system are shifted, text dates converted.
 */
function serialOf(cell: Cell): number {
  const stored = cell.raw.trim() === '' ? Number.NaN : Number(cell.raw);
  if (cell.kind !== 'date') return Number.isNaN(stored) ? clockSerial(cell.text) : stored;
  const shown = dateSerial(cell.text);
  for (const candidate of [stored, stored + SHIFT_1904]) {
    if (Math.abs(candidate - shown) * DAY_MS < 1000) return candidate;
  }
  return shown;
}

function dateSerial(text: string): number {
  const clock = text.indexOf('T');
  if (clock === -1) return daySerial(text);
  return daySerial(text.slice(0, clock)) + clockSerial(text.slice(clock + 1));
}

/** Cached days: a sheet has few distinct ones. */
const SERIALS = new Map<string, number>();
const SERIALS_KEPT = 10_000;

function daySerial(day: string): number {
  const known = SERIALS.get(day);
  if (known !== undefined) return known;
  const days = (Date.parse(`${day}T00:00:00Z`) - EPOCH_MS) / DAY_MS;
  const serial = day === '1900-02-29' ? FALSE_LEAP_DAY : days <= FALSE_LEAP_DAY ? days - 1 : days;
  if (SERIALS.size >= SERIALS_KEPT) SERIALS.clear();
  SERIALS.set(day, serial);
  return serial;
}

function clockSerial(text: string): number {
  const negative = text.startsWith('-');
  const [hours = '0', minutes = '0', seconds = '0'] = text.replace('-', '').split(':');
  const days = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
  return negative ? -days : days;
}

/** The written content of a cell: value and number format. */
export interface Written {
  readonly value: CellContent;
  readonly format?: string | undefined;
  /** The text begins or ends with white space, which must be preserved. */
  readonly isSpaced?: boolean;
}

const TEXT_FORMAT = '@';
const CELL_CHARACTERS = 32_767;
/** Longer text in a cell of format `@` shows as ### in some versions of Excel. */
const TEXT_FORMAT_CHARACTERS = 255;
/** Text that Excel would convert to a number, a date, a boolean or a formula when the cell is edited. */
const LOOKS_TYPED = /^\s*[=+\-@'.,(¥￥$€£\d]|^\s*(?:true|false)\s*$/i;
/** Leading or trailing white space, except characters that are written as an escape: readers do not trim those. */
const SPACED = /^[^\S\r\v\f]|[^\S\r\v\f]$/;
/** A number that may have more digits than a double represents. */
const LONG = /^[+-]?\d{16,}$/;
const LETTER_T = 0x74;
const LETTER_F = 0x66;
const IDEOGRAPHIC_SPACE = 0x3000;
const BYTE_ORDER_MARK = 0xfeff;
const WIDE_YEN = 0xffe5;
const ERRORS = new Set(['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA']);

/** A result value. Text stays text; text longer than a cell allows is cut with an ellipsis. */
export function writtenValue(value: ResultValue): Written | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'number') return { value };
  return writtenText(value.length > CELL_CHARACTERS ? cut(value) : value);
}

/** A source cell, written so that it is read again unchanged. */
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
      // Other errors are recognised by their text; as error values they would keep old versions from opening the file.
      return ERRORS.has(cell.text) ? errorCell(cell.text) : writtenText(cell.text);
    case 'no_result':
    case 'merged':
      // An empty cell would be read as an absent field; the next reading must report it again.
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
  // Beyond the precision of a double: a workbook cannot contain it as a number.
  if (!Number.isFinite(serial)) return writtenText(cell.raw);
  return formatted(serial, cell.format ?? usual);
}

function errorCell(error: string): Written {
  return { value: { error } };
}

/** A number as text if a double does not represent it: a long identifier must keep its last digits. */
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
  const isTyped =
    !neverLooksTyped(first) && value.length <= TEXT_FORMAT_CHARACTERS && LOOKS_TYPED.test(value);
  const isInked = isVisibleCharacter(first) && isVisibleCharacter(value.charCodeAt(value.length - 1));
  return { value, format: isTyped ? TEXT_FORMAT : undefined, isSpaced: !isInked && SPACED.test(value) };
}

/** True if no text with this first character looks typed. Checked first, as a pattern is far slower. */
function neverLooksTyped(code: number): boolean {
  const letter = code | 0x20;
  if (letter >= 0x61 && letter <= 0x7a && code < 0x80) return letter !== LETTER_T && letter !== LETTER_F;
  return code > IDEOGRAPHIC_SPACE && code !== WIDE_YEN && code !== BYTE_ORDER_MARK;
}

/** Whether the character is certainly not white space. */
function isVisibleCharacter(code: number): boolean {
  return (code > 0x20 && code < 0x7f) || (code > IDEOGRAPHIC_SPACE && code !== BYTE_ORDER_MARK);
}

function cut(text: string): string {
  const end = CELL_CHARACTERS - 1;
  const splitsPair = /[\ud800-\udbff]/.test(text[end - 1]!);
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
