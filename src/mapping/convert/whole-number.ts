import { message } from '../../errors/message.js';
import {
  type CellValue,
  type Convert,
  type Converted,
  excerpt,
  fault,
  isTooLong,
  tooLong,
  value,
} from './conversion.js';
import { narrow, trimInvisible } from './text.js';

/** What nearly all such cells hold: no need to look closer. */
const ORDINARY = /^[0-9]{1,15}$/;
/** Plain decimal digits. A fraction of zeros is how other programs write whole numbers into .csv files. */
const WHOLE = /^(-?\d+)(?:\.0+)?$/;
const FRACTION = /^-?\d+\.\d+$/;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/**
 * Integer and Long: from number cells and numeric text. Beyond 2^53 the value is a bigint, never rounded.
 * @param type an Integer must fit a double exactly, a Long 64 bits
 */
export function wholeNumberConverter(type: 'Integer' | 'Long'): Convert {
  return (cell: CellValue): Converted => {
    if (cell.kind !== 'number' && cell.kind !== 'text') return notWhole(cell);
    if (isTooLong(cell)) return fault(tooLong(cell));
    const text = cell.kind === 'number' ? cell.text : narrow(trimInvisible(cell.text));
    if (ORDINARY.test(text)) return value(Number(text));
    const digits = WHOLE.exec(text)?.[1];
    if (digits === undefined) {
      return FRACTION.test(text)
        ? fault(message('mapping.fraction', { text: excerpt(text) }))
        : notWhole(cell);
    }
    // Adding 0 makes 0 of -0.
    if (digits.length <= 15) return value(Number(digits) + 0);
    const exact = BigInt(digits);
    if (exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER)) {
      return value(Number(exact));
    }
    if (type === 'Integer' || exact < LONG_MIN || exact > LONG_MAX) {
      return fault(message('mapping.out_of_range', { text: excerpt(text), type }));
    }
    return value(exact);
  };
}

function notWhole(cell: CellValue): Converted {
  return fault(message('mapping.not_whole', { text: excerpt(cell.text) }));
}
