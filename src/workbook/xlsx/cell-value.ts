import type { CellErrorValue, CellValue } from 'exceljs';
import type { Cell } from '../../model/cell.js';
import type { ResultValue } from '../contract.js';
import { escaped } from './escape.js';
import { serialOf } from './serial.js';

/** What is written in a cell: its value and its number format. */
export interface Written {
  readonly value: CellValue;
  readonly format?: string;
}

const TEXT_FORMAT = '@';
const CELL_CHARACTERS = 32_767;
/** Longer text in a cell of format `@` shows as ### in some versions of Excel. */
const TEXT_FORMAT_CHARACTERS = 255;
/** Text that Excel would make a number, a date, a truth value or a formula of when the cell is edited. */
const LOOKS_TYPED = /^\s*[=+\-@'.,(¥￥$€£\d]|^\s*(?:true|false)\s*$/i;
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
      return kept(cell.raw) ? formatted(Number(cell.raw), cell.format) : writtenText(cell.raw);
    case 'date':
      return writtenDate(cell);
    case 'time':
      return formatted(serialOf(cell), cell.format ?? 'hh:mm:ss');
    case 'duration':
      return formatted(serialOf(cell), cell.format ?? '[h]:mm:ss');
    case 'error':
      return errorCell(ERRORS.has(cell.text) ? cell.text : '#VALUE!');
    case 'no_result':
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

function errorCell(error: string): Written {
  return { value: { error } as CellErrorValue };
}

function formatted(value: number, format: string | undefined): Written {
  return format === undefined ? { value } : { value, format };
}

function writtenText(text: string): Written {
  const value = escaped(text);
  const stored: CellValue = /^\s|\s$/.test(value) ? { richText: [{ text: value }] } : value;
  return text.length <= TEXT_FORMAT_CHARACTERS && LOOKS_TYPED.test(text)
    ? { value: stored, format: TEXT_FORMAT }
    : { value: stored };
}

/** Whether a double holds the number; a long identifier must not lose its last digits. */
function kept(raw: string): boolean {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return false;
  return !/^[+-]?\d{16,}$/.test(raw) || BigInt(value) === BigInt(raw.replace('+', ''));
}

function cut(text: string): string {
  const end = CELL_CHARACTERS - 1;
  const splitsPair = /[\ud800-\udbff]/.test(text[end - 1]!);
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
