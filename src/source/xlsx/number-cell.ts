import type { Cell, CellKind } from '../../model/cell.js';
import { type NumberFormat, showDigits } from './number-format.js';
import { plainNumber, withDecimals } from './plain-number.js';
import { durationText, serialText } from './serial-date.js';

const NO_DECIMALS = { least: 0, most: 0 };

/**
 * A numeric cell as its format shows it.
 * @param raw the number as the file writes it. If it is no number, the cell is a text cell, and a field that needs a number
 *   refuses it.
 * @param format undefined for General.
 */
export function numberCell(
  column: number,
  raw: string,
  format: NumberFormat | undefined,
  date1904: boolean,
): Cell {
  const plain = plainNumber(raw);
  if (plain === undefined) return { column, kind: 'text', text: raw, raw };
  if (format === undefined) return { column, kind: 'number', text: plain, raw };
  return formattedCell(column, raw, plain, Number(raw), format, date1904);
}

/** The same for a whole number that the file writes with digits only. */
export function wholeCell(
  column: number,
  value: number,
  format: NumberFormat | undefined,
  date1904: boolean,
): Cell {
  const raw = String(value);
  if (format === undefined) return { column, kind: 'number', text: raw, raw };
  return formattedCell(column, raw, raw, value, format, date1904);
}

function formattedCell(
  column: number,
  raw: string,
  plain: string,
  value: number,
  format: NumberFormat,
  date1904: boolean,
): Cell {
  const { code } = format;
  const shape = format.shape(value);
  let kind: CellKind = 'number';
  let text = plain;
  if (shape.kind === 'duration') {
    kind = 'duration';
    text = durationText(value) ?? plain;
  } else if (shape.kind === 'date' || shape.kind === 'time') {
    const read = serialText(value, date1904, shape.kind === 'time');
    // Excel shows such a cell as ####. It is no date, and must not be read as a plain number either.
    if (read.kind === 'none') kind = shape.kind;
    else ({ kind, text } = read);
  } else if (shape.kind === 'digits') {
    const whole = withDecimals(plain, NO_DECIMALS);
    const shown = showDigits(whole.replace('-', ''), shape);
    if (whole !== plain) return { column, kind, text, raw, shown, format: code };
    text = shown;
  } else if (shape.kind === 'number' && shape.decimals) {
    const shown = withDecimals(plain, shape.decimals);
    if (shown !== plain) return { column, kind, text, raw, shown, format: code };
  }
  return { column, kind, text, raw, format: code };
}
