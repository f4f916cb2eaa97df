import { message } from '../../errors/message.js';
import type { AllowedValue } from '../../model/field.js';
import { nearest } from '../../util/nearest.js';
import { type Convert, type Converted, excerpt, fault } from './conversion.js';

/** What is said of a word in the place of a number or a truth value: nothing that would help where only some words are right. */
const IS_A_WORD: ReadonlySet<string> = new Set(['mapping.not_whole', 'mapping.not_boolean']);

/**
 * The conversion followed by the field's closed list; a fault names the nearest value of the list.
 * @param allowed absent: any value of its type
 * @param words texts that the column's `values` translates; if there are any, a fault names them instead
 */
export function allowedConverter(
  convert: Convert,
  allowed: readonly AllowedValue[] | undefined,
  words: Iterable<string> = [],
): Convert {
  const values = allowed && new Set<unknown>(allowed.map((it) => it.value));
  const listed = (allowed ?? []).map((it) => String(it.value));
  const written = [...words];
  return (cell): Converted => {
    const converted = convert(cell);
    if (converted.kind === 'value' ? !values || values.has(converted.value) : !isWord(converted))
      return converted;
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

function isWord(converted: Converted): boolean {
  return converted.kind === 'fault' && IS_A_WORD.has(converted.message.code);
}
