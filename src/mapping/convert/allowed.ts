import { message } from '../../errors/message.js';
import type { AllowedValue } from '../../model/field.js';
import { nearest } from '../../util/nearest.js';
import { type Convert, type Converted, excerpt, fault } from './conversion.js';

/**
 * The conversion followed by the field's closed list; a fault names the nearest value of the list.
 * @param words texts that the column's `values` translates; if there are any, a fault names them instead
 */
export function allowedConverter(
  convert: Convert,
  allowed: readonly AllowedValue[],
  words: Iterable<string> = [],
): Convert {
  const values = new Set<unknown>(allowed.map((it) => it.value));
  const listed = allowed.map((it) => String(it.value));
  const written = [...words];
  return (cell): Converted => {
    const converted = convert(cell);
    if (converted.kind !== 'value' || values.has(converted.value)) return converted;
    const text = excerpt(cell.text);
    const all = (written.length > 0 ? written : listed).join(', ');
    const near = nearest(text, [...written, ...listed]);
    return fault(
      near === undefined
        ? message('mapping.not_allowed', { text, allowed: all })
        : message('mapping.not_allowed_nearest', { text, nearest: near, allowed: all }),
    );
  };
}
