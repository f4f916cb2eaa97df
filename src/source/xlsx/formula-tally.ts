import { ascii } from './bytes.js';
import { NUMBER } from './row-block.js';

/** Longer than any way to write 0. */
const LONGEST_ZERO = 16;

/** What the formulas of a sheet gave, and how it is written: `5` as by Excel, or oddly, `5.0`. */
export class FormulaTally {
  /** One gave something else than 0, written as by Excel; and one oddly. */
  hasPlain = false;
  hasOdd = false;

  /** Takes a formula's value, by its kind and where it stands. Tells how it is written if it is 0. */
  zero(kind: number, bytes: Buffer, start: number, end: number): 'plain' | 'odd' | undefined {
    const written = kind === NUMBER && end - start <= LONGEST_ZERO ? ascii(bytes, start, end) : '';
    if (written !== '' && Number(written) === 0) return written === '0' ? 'plain' : 'odd';
    if (/\.0$/.test(written)) this.hasOdd = true;
    else this.hasPlain = true;
    return undefined;
  }
}
