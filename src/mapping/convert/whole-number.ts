import { message } from '../../errors/message.js';
import type { Field } from '../../model/field.js';
import { narrow } from '../../util/text.js';
import {
  bare,
  type CellValue,
  type Convert,
  type Converted,
  excerpt,
  fault,
  isTooLong,
  tooLong,
  value,
  withSeen,
} from './conversion.js';
import { trimInvisible } from './text.js';

/** A quick check that nearly all cells pass. */
const ORDINARY = /^[0-9]{1,9}$/;
/** Plain decimal digits. Some programs write whole numbers into .csv files with a fraction of zeros. */
const WHOLE = /^(-?\d+)(?:\.0+)?$/;
const FRACTION = /^-?\d+\.\d+$/;
/** Bits of the interface's types without the sign (§2). */
const BITS = { Integer: 31n, Long: 63n } as const;

/**
 * Integer and Long: from number cells and numeric text. Beyond 2^53 the value is a bigint, never rounded.
 * @param least the field's smallest number; undefined if it may be negative
 */
export function wholeNumberConverter(type: 'Integer' | 'Long', least: Field['least']): Convert {
  const smallest = -(2n ** BITS[type]);
  const largest = 2n ** BITS[type] - 1n;
  const convert = (cell: CellValue): Converted => {
    if (cell.kind !== 'number' && cell.kind !== 'text') return notWhole(cell);
    if (isTooLong(cell)) return fault(tooLong(cell));
    const text = wholeText(cell);
    if (ORDINARY.test(text)) return atLeast(Number(text), text, least);
    const digits = wholeDigits(text);
    if (digits === undefined) {
      if (!FRACTION.test(text)) return notWhole(cell);
      return fault(
        cell.shown === undefined
          ? message('mapping.fraction', { text: excerpt(text) })
          : message('mapping.fraction_hidden', { text: excerpt(text), shown: excerpt(cell.shown) }),
      );
    }
    const exact = BigInt(digits);
    if (exact < smallest || exact > largest) {
      const range = { least: String(smallest), most: String(largest) };
      return fault(message('mapping.out_of_range', { text: excerpt(text), type, ...range }));
    }
    return atLeast(Number.isSafeInteger(Number(exact)) ? Number(exact) : exact, text, least);
  };
  return (cell) => (showsOtherNumber(cell) ? withSeen(convert(cell), cell) : convert(cell));
}

/**
 * True if the sheet shows a different number: `100%` for 1, `5万` for 5. A unit (`5 pcs`) and the accounting dash for 0 do not
 * change the number.
 */
function showsOtherNumber({ text, seen }: CellValue): boolean {
  if (seen === undefined || (seen.trim() === '-' && Number(text) === 0)) return false;
  return /[%百千万亿]/.test(seen) || Number(/\d[\d.]*/.exec(bare(seen))?.[0]) !== Math.abs(Number(text));
}

function wholeText(cell: CellValue): string {
  return cell.kind === 'number' ? cell.text : narrow(trimInvisible(cell.text));
}

/** The digits of a whole number with its sign; undefined for any other text. */
export function wholeDigits(text: string): string | undefined {
  return WHOLE.exec(text)?.[1];
}

function atLeast(number: number | bigint, text: string, least: Field['least']): Converted {
  if (least === undefined || number >= least) return value(number);
  const params = { text: excerpt(text), least };
  return fault(least === 0 ? message('mapping.negative', params) : message('mapping.too_small', params));
}

function notWhole(cell: CellValue): Converted {
  if (cell.kind === 'date' || cell.kind === 'time' || cell.kind === 'duration') {
    return fault(message('mapping.date_in_number', { text: excerpt(cell.text) }));
  }
  return fault(message('mapping.not_whole', { text: excerpt(cell.text) }));
}
