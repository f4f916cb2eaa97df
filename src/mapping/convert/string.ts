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
  withSeen,
} from './conversion.js';
import {
  faultOfDitto,
  faultOfDuration,
  faultOfTime,
  mangledIdentifier,
  mangledNumber,
  truthInIdentifier,
} from './mangled-text.js';
import { cleanIdentifier, cleanText } from './text.js';

/** Most identifiers consist of digits only; these have no faults. */
const DIGITS = /^[0-9]+$/;

/** String: the cell's text as shown, so that `007` stays `007`. Text that a spreadsheet changed is a fault. */
export function stringConverter(field: Field): Convert {
  const clean = textCleaner(field);
  return (cell: CellValue): Converted => {
    if (cell.kind === 'text') return withSeen(clean(cell.text), cell);
    const taken = nonTextCell(cell, field);
    if (taken.kind !== 'value') return taken;
    const cleaned = clean(taken.value as string);
    return taken.warning && cleaned.kind === 'value' ? { ...cleaned, warning: taken.warning } : cleaned;
  };
}

/** Cleans a text for a field and checks everything that the field demands of a text. */
export function textCleaner(field: Field): (text: string) => Converted {
  // The closed list itself says which values are allowed.
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

/** The text of a cell that isn't a text cell; a fault if it may differ from what was typed. */
export function nonTextCell(cell: CellValue, field: Field): Converted {
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
      return withSeen(value(cell.text), cell);
  }
}

function numberText(cell: CellValue, field: Field): Converted {
  if (isTooLong(cell)) return fault(tooLong(cell));
  const { text, shown = text } = cell;
  if (field.unbroken === true && shown.includes('.')) {
    return fault(message('mapping.point_in_number', { text: shown }));
  }
  if (shown === text || Number(shown) === Number(text)) return withSeen(value(shown), cell);
  const params = { text, shown };
  // In an identifier every digit counts, also hidden ones.
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
