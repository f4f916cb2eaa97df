import { type Message, message } from '../../errors/message.js';
import type { Field } from '../../model/field.js';
import {
  type CellValue,
  type Convert,
  type Converted,
  excerpt,
  fault,
  isTooLong,
  tooLong,
  value,
} from './conversion.js';
import {
  faultOfDitto,
  faultOfDuration,
  faultOfTime,
  mangledIdentifier,
  mangledNumber,
  truthInIdentifier,
} from './mangled.js';
import { cleanIdentifier, cleanText } from './text.js';

/** What most identifiers are: nothing can be wrong with them. */
const DIGITS = /^[0-9]+$/;

/** String: the cell's text as it is shown, so that `007` stays `007`; what a spreadsheet made of it is a fault. */
export function stringConverter(field: Field): Convert {
  const clean = textCleaner(field);
  return (cell: CellValue): Converted => {
    if (cell.kind === 'text') return clean(cell.text);
    const taken = takenText(cell, field);
    if (taken.kind !== 'value' || taken.warning !== undefined) return taken;
    return clean(taken.value as string);
  };
}

/** The cleaning of a text for a field, and all that such a text is held to. */
export function textCleaner(field: Field): (text: string) => Converted {
  // A value of a closed list is a word, not prose, and not an identifier either: its list says what it may be.
  if (field.values !== undefined) return cleanIdentifier;
  if (field.form) {
    const faultOf = field.form === 'duration' ? faultOfDuration : faultOfTime;
    return (text) => checked(cleanIdentifier(text), faultOf);
  }
  if (field.identifier !== true) return (text) => checked(cleanText(text), faultOfDitto);
  const unbroken = field.unbroken === true;
  return (text) => {
    if (DIGITS.test(text)) return value(text);
    const cleaned = checked(checked(cleanIdentifier(text), faultOfDitto), mangledIdentifier);
    return unbroken ? checked(checked(cleaned, mangledNumber), faultOfBlank) : cleaned;
  };
}

/** The text that a cell other than a text cell stands for in a text field: a fault where it isn't what was typed. */
export function takenText(cell: CellValue, field: Field): Converted {
  switch (cell.kind) {
    case 'number':
      return numberText(cell, field);
    case 'boolean':
      return field.identifier === true ? fault(truthInIdentifier(cell.text)) : value(cell.text);
    case 'date':
    case 'time':
    case 'duration': {
      const text = excerpt(cell.text);
      if (field.form) return fault(message('mapping.date_in_duration', { text }));
      return fault(message('mapping.date_in_text', { text }));
    }
    default:
      return value(cell.text);
  }
}

function numberText(cell: CellValue, field: Field): Converted {
  if (isTooLong(cell)) return fault(tooLong(cell));
  const { text, shown = text } = cell;
  if (field.unbroken === true && shown.includes('.')) {
    return fault(message('mapping.point_in_number', { text: shown }));
  }
  if (shown === text || Number(shown) === Number(text)) return value(shown);
  const params = { text, shown };
  // Of an identifier every digit counts, seen or not.
  if (field.identifier === true) return fault(message('mapping.hidden_digits', params));
  return {
    kind: 'value',
    value: shown,
    warning: (place) => message('mapping.decimals_dropped', { ...place, ...params }),
  };
}

function checked(cleaned: Converted, faultOf: (text: string) => Message | undefined): Converted {
  if (cleaned.kind !== 'value') return cleaned;
  const wrong = faultOf(cleaned.value as string);
  return wrong ? fault(wrong) : cleaned;
}

function faultOfBlank(text: string): Message | undefined {
  return /\s/.test(text) ? message('mapping.blank_in_number', { text: excerpt(text) }) : undefined;
}
