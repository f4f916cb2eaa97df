import type { Field } from '../../model/field.js';
import { type CellValue, type Convert, type Converted, EMPTY, fault, textCell, value } from './conversion.js';
import { cellText, type TextOptions } from './string.js';
import { trimInvisible } from './text.js';
import { groupingFault } from './text-faults.js';

/** Commas, semicolons and enumeration commas, ordinary and full-width, and line breaks (contract section 4). */
const SEPARATORS = /[,;、，；\r\n]/;
const APOSTROPHE = /^'(?=[\d+\-=@])/;

/** The separators of a column's `split`, which lists them; undefined if it is empty: the cell is a single value. */
function separators(split: string | undefined): RegExp | undefined {
  if (split === undefined) return SEPARATORS;
  if (split === '') return undefined;
  return new RegExp(`[${split.replace(/[\\\]^-]/g, '\\$&')}]`, 'u');
}

/**
 * String array: the distinct parts of the cell's text, trimmed, without empty ones.
 * @param each converts one part
 */
export function stringArrayConverter(
  field: Field,
  { split, ...options }: TextOptions & { readonly split?: string | undefined },
  each: Convert,
): Convert {
  const between = separators(split);
  const partsOf = (text: string): readonly string[] =>
    (between ? text.split(between) : [text]).map(trimInvisible).filter((part) => part !== '');
  return (cell: CellValue): Converted => {
    const taken = cellText(cell, field, options);
    if (taken.kind !== 'value') return taken;
    const whole = taken.value as string;
    const isMarked = cell.kind === 'text' && whole !== cell.text;
    const isChecked = cell.kind === 'text' && field.freeText !== true && options.trusted !== true;
    const grouped = isChecked ? groupingFault(whole) : undefined;
    if (grouped) return fault(grouped);
    const found = new Set<string>();
    let { warning } = taken;
    for (const text of partsOf(whole)) {
      const cleaned = each(textCell(isMarked ? text.replace(APOSTROPHE, '') : text));
      if (cleaned.kind === 'fault') return cleaned;
      if (cleaned.kind === 'empty') continue;
      warning ??= cleaned.warning;
      // A text listed in `values` stands for an array.
      if (Array.isArray(cleaned.value)) for (const it of cleaned.value) found.add(String(it));
      else found.add(cleaned.value as string);
    }
    if (found.size === 0) return EMPTY;
    const former = taken.former === undefined ? undefined : [...new Set(partsOf(taken.former as string))];
    if (warning === undefined && former === undefined) return value([...found]);
    return { kind: 'value', value: [...found], warning, former };
  };
}
