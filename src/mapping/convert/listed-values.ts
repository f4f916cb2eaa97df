import { fold } from '../../util/fold.js';
import type { CellValue, Convert, Converted } from './conversion.js';

const REMEMBERED = 1000;

/**
 * A column's `values`: what a cell's text stands for, compared folded; a text that isn't listed goes on to the
 * conversion of its type.
 * @param listed by folded text, converted already
 */
export function listedValuesConverter(convert: Convert, listed: ReadonlyMap<string, Converted>): Convert {
  // Folding costs more than all else here, and such columns hold the same few texts over and over.
  const seen = new Map<string, Converted | undefined>();
  return (cell: CellValue): Converted => {
    // People list what they see; the number itself is what was listed before formats were looked at.
    const text = cell.shown ?? cell.text;
    let found = seen.get(text);
    if (found === undefined && !seen.has(text)) {
      found = listed.get(fold(text)) ?? listed.get(fold(cell.text));
      if (seen.size >= REMEMBERED) seen.clear();
      seen.set(text, found);
    }
    return found ?? convert(cell);
  };
}
