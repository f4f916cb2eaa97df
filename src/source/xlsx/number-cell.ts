import type { Cell, CellKind } from '../../model/cell.js';
import { type NumberFormat, showDigits } from './number-format.js';
import { plainNumber, withDecimals } from './plain-number.js';
import { hidesTime, seenDate, seenNumber } from './seen-text.js';
import { durationText, serialText } from './serial-date.js';

const NO_DECIMALS = { least: 0, most: 0 };
/** As programs write them: `NaN`, `-inf`, `Infinity`, `1.#INF`, `-1.#IND`. */
const NOT_A_NUMBER = /^[+-]?(?:nan(?:\(.*\))?|inf|infinity|\d\.#[a-z]+\d*)$/i;

/**
 * A numeric cell as its format shows it.
 * @param raw the number as the file writes it. NaN and infinity are error values. Any other text makes a text cell, and a
 *   field that needs a number refuses it.
 * @param format undefined for General.
 */
export function numberCell(
  column: number,
  raw: string,
  format: NumberFormat | undefined,
  date1904: boolean,
): Cell {
  const plain = plainNumber(raw);
  if (plain === undefined) return { column, kind: NOT_A_NUMBER.test(raw) ? 'error' : 'text', text: raw, raw };
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
  let shown: string | undefined;
  let seen: string | undefined;
  let hides = false;
  let identifier: string | undefined;
  if (shape.kind === 'duration') {
    kind = 'duration';
    text = durationText(value) ?? plain;
  } else if (shape.kind === 'date' || shape.kind === 'time') {
    const read = serialText(value, date1904, shape.kind === 'time');
    // Excel shows such a cell as ####. It is no date, and must not be read as a plain number either.
    if (read.kind === 'none') kind = shape.kind;
    else ({ kind, text } = read);
    if (read.kind === 'date') {
      seen = seenDate(text, shape.parts);
      hides = hidesTime(text, shape.parts);
    }
  } else if (shape.kind === 'digits') {
    const whole = withDecimals(plain, NO_DECIMALS);
    const digits = showDigits(whole.replace('-', ''), shape);
    if (whole === plain) {
      text = digits;
      identifier = paddedDigits(plain, shape.section.wholeZeros);
    } else shown = digits;
  } else {
    if (shape.decimals) shown = withDecimals(plain, shape.decimals);
    if (shown === plain) shown = undefined;
    if (shape.section) {
      seen = seenNumber(plain, shown ?? plain, shape);
      identifier = paddedDigits(plain, shape.section.wholeZeros);
    }
  }
  const cell: Cell = { column, kind, text, raw, format: code, ...(hides ? { hidesTime: true } : {}) };
  // Few cells have these: a cell without them stays small.
  if (identifier !== undefined && identifier !== text) return { ...cell, shown, seen, identifier };
  if (seen !== undefined) return { ...cell, shown, seen };
  return shown === undefined ? cell : { ...cell, shown };
}

/** A whole number's digits with the leading zeros of its format; undefined for other numbers. */
function paddedDigits(plain: string, zeros: number): string | undefined {
  if (plain.includes('.')) return undefined;
  return plain.startsWith('-') ? `-${plain.slice(1).padStart(zeros, '0')}` : plain.padStart(zeros, '0');
}
