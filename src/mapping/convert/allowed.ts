import { message } from '../../errors/message.js';
import type { AllowedValue } from '../../model/field.js';
import { nearest } from '../../util/nearest.js';
import { type Convert, type Converted, excerpt, fault } from './conversion.js';

/** The conversion, and then the field's closed list; a fault names the nearest of its values. */
export function allowedConverter(convert: Convert, allowed: readonly AllowedValue[]): Convert {
  const values = new Set<unknown>(allowed.map((it) => it.value));
  const listed = allowed.map((it) => String(it.value));
  return (cell): Converted => {
    const converted = convert(cell);
    if (converted.kind !== 'value' || values.has(converted.value)) return converted;
    const text = excerpt(cell.text);
    const all = listed.join(', ');
    const near = nearest(text, listed);
    return fault(
      near === undefined
        ? message('mapping.not_allowed', { text, allowed: all })
        : message('mapping.not_allowed_nearest', { text, nearest: near, allowed: all }),
    );
  };
}
