import {
  type CellValue,
  type Convert,
  type Converted,
  EMPTY,
  fault,
  isTooLong,
  textCell,
  tooLong,
  value,
} from './conversion.js';
import { cleanIdentifier, cleanText, trimInvisible } from './text.js';

/** Commas, semicolons and enumeration commas, ordinary and full-width, and line breaks (contract section 4). */
const SEPARATORS = /[,;、，；\r\n]/;

/** Separators of a column's `split`: each of its characters one; none: the cell is a single value. */
export function separators(split: string | undefined): RegExp | undefined {
  if (split === undefined) return SEPARATORS;
  if (split === '') return undefined;
  return new RegExp(`[${split.replace(/[\\\]^-]/g, '\\$&')}]`, 'u');
}

/**
 * String array: the parts of the cell's text, trimmed, without empty ones, each once.
 * @param each converts one part (`values` and allowed values of the field are its business)
 */
export function stringArrayConverter(
  split: string | undefined,
  identifier: boolean,
  each?: Convert,
): Convert {
  const between = separators(split);
  const clean = identifier ? cleanIdentifier : cleanText;
  return (cell: CellValue): Converted => {
    if (isTooLong(cell)) return fault(tooLong(cell));
    const found = new Set<string>();
    for (const part of between ? cell.text.split(between) : [cell.text]) {
      const text = trimInvisible(part);
      if (text === '') continue;
      const cleaned = clean(text);
      if (cleaned.kind === 'fault') return cleaned;
      const converted = each?.(textCell(cleaned.value));
      if (converted?.kind === 'fault') return converted;
      found.add(converted?.kind === 'value' ? String(converted.value) : cleaned.value);
    }
    return found.size === 0 ? EMPTY : value([...found]);
  };
}
