import type { CellValue, Convert, Converted } from './conversion.js';

const REMEMBERED = 4000;
/**
 * Longer texts are points in time, which seldom recur; and a long text that was cut from a page of its file keeps the
 * whole page in memory.
 */
const LONGEST = 12;

/**
 * The conversion, with what it made of the last few thousand short texts: for one that costs far more than a look-up,
 * as of days, of which a column holds the same ones over and over.
 * @param convert goes by a cell's text alone, where the cell is a date or text
 */
export function remembering(convert: Convert): Convert {
  const seen = { date: new Map<string, Converted>(), text: new Map<string, Converted>() };
  return (cell: CellValue): Converted => {
    if ((cell.kind !== 'date' && cell.kind !== 'text') || cell.text.length > LONGEST) return convert(cell);
    const known = seen[cell.kind];
    let converted = known.get(cell.text);
    if (!converted) {
      converted = convert(cell);
      if (known.size >= REMEMBERED) known.clear();
      known.set(cell.text, converted);
    }
    return converted;
  };
}
