import type { Field } from '../../model/field.js';
import { type CellValue, type Convert, type Converted, EMPTY, textCell, value } from './conversion.js';
import { nonTextCell } from './string.js';
import { trimInvisible } from './text.js';

/** Commas, semicolons and enumeration commas, ordinary and full-width, and line breaks (contract section 4). */
const SEPARATORS = /[,;、，；\r\n]/;

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
export function stringArrayConverter(field: Field, split: string | undefined, each: Convert): Convert {
  const between = separators(split);
  return (cell: CellValue): Converted => {
    const taken = nonTextCell(cell, field);
    if (taken.kind !== 'value') return taken;
    const whole = taken.value as string;
    const found = new Set<string>();
    let { warning } = taken;
    for (const part of between ? whole.split(between) : [whole]) {
      if (trimInvisible(part) === '') continue;
      const cleaned = each(textCell(part));
      if (cleaned.kind === 'fault') return cleaned;
      if (cleaned.kind === 'empty') continue;
      warning ??= cleaned.warning;
      // A text listed in `values` stands for an array.
      if (Array.isArray(cleaned.value)) for (const text of cleaned.value) found.add(String(text));
      else found.add(cleaned.value as string);
    }
    if (found.size === 0) return EMPTY;
    return warning === undefined ? value([...found]) : { kind: 'value', value: [...found], warning };
  };
}
