import { type CellValue, type Convert, type Converted, fault, isTooLong, tooLong } from './conversion.js';
import { cleanIdentifier, cleanText } from './text.js';

/**
 * String: the cell's text, so that `007` stays `007` and a date is its ISO text.
 * @param identifier trims it and refuses invisible characters inside
 */
export function stringConverter(identifier: boolean): Convert {
  const clean = identifier ? cleanIdentifier : cleanText;
  return (cell: CellValue): Converted => {
    if (isTooLong(cell)) return fault(tooLong(cell));
    return clean(cell.text);
  };
}
