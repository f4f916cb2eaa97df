import type { Cell } from '../../model/cell.js';
import { numberCell } from '../xlsx/number-cell.js';
import type { NumberFormat } from '../xlsx/number-format.js';

/** Error values by the number that binary workbooks have for them ([MS-XLS] 2.5.10). */
const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
};

export function errorCell(column: number, code: number): Cell {
  const text = ERRORS[code] ?? '#VALUE!';
  return { column, kind: 'error', text, raw: text };
}

/** A double as the cell's format shows it. One that is no number is an error value, as a workbook can't hold it. */
export function numericCell(
  column: number,
  value: number,
  format: NumberFormat | undefined,
  date1904: boolean,
): Cell {
  if (!Number.isFinite(value)) return errorCell(column, 36);
  return numberCell(column, Object.is(value, -0) ? '0' : String(value), format, date1904);
}

/** A number in four bytes: a whole one or the upper part of a double, perhaps times a hundred ([MS-XLS] 2.5.217). */
export function rkNumber(data: Buffer, at: number): number {
  const packed = data.readInt32LE(at);
  let value = packed >> 2;
  if ((packed & 2) === 0) {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32LE(packed & ~3, 4);
    value = bytes.readDoubleLE(0);
  }
  return packed & 1 ? value / 100 : value;
}
