import type { CellValue, Convert, Converted } from './conversion.js';

const CACHED_TEXTS = 4000;
/**
 * Longer texts are times, which seldom recur. Besides, a long text cut from a chunk of its file keeps the whole chunk in
 * memory.
 */
const LONGEST = 12;

/**
 * A conversion with a cache for short texts. For slow conversions of values that recur, such as days.
 * @param convert must depend on nothing but the text, for date and text cells
 */
export function cachedConverter(convert: Convert): Convert {
  const cache = { date: new Map<string, Converted>(), text: new Map<string, Converted>() };
  return (cell: CellValue): Converted => {
    if ((cell.kind !== 'date' && cell.kind !== 'text') || cell.text.length > LONGEST) return convert(cell);
    const known = cache[cell.kind];
    let converted = known.get(cell.text);
    if (!converted) {
      converted = convert(cell);
      if (known.size >= CACHED_TEXTS) known.clear();
      known.set(cell.text, converted);
    }
    return converted;
  };
}
