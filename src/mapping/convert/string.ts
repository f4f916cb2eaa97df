import { type Message, message } from '../../errors/message.js';
import type { Field } from '../../model/field.js';
import {
  bare,
  type CellValue,
  type Convert,
  type Converted,
  excerpt,
  fault,
  isTooLong,
  shownOtherwise,
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
import {
  assetNumberFault,
  beginsWithMarker,
  groupingFault,
  identifierFault,
  phoneFault,
  saysNothing,
} from './text-faults.js';

/** Most identifiers consist of digits only; these have no errors. */
const DIGITS = /^[0-9]+$/;

/** How a column's texts are read. */
export interface TextOptions {
  /** The text is sent as the cell shows it, without the checks of identifiers. */
  readonly asIs?: boolean | undefined;
  /** The text is the job's own, or the platform's: it isn't checked for what people and programs do to cells. */
  readonly trusted?: boolean | undefined;
}

/** String: the cell's text, so that `007` stays `007`. Text that a spreadsheet changed is an error. */
export function stringConverter(field: Field, options: TextOptions = {}): Convert {
  const clean = textCleaner(field, options);
  return (cell: CellValue): Converted => {
    const taken = cellText(cell, field, options);
    if (taken.kind !== 'value') return taken;
    const text = taken.value as string;
    const isChecked = isIdentifier(field) && cell.kind === 'text' && options.trusted !== true;
    const grouped = isChecked ? groupingFault(text) : undefined;
    if (grouped) return fault(grouped);
    const cleaned = clean(text);
    if (cleaned.kind !== 'value' || (taken.warning === undefined && taken.former === undefined))
      return cleaned;
    return { ...cleaned, warning: taken.warning ?? cleaned.warning, former: taken.former };
  };
}

/** Cleans a text for a field and checks everything that the field demands of a text. */
export function textCleaner(field: Field, { asIs, trusted }: TextOptions = {}): (text: string) => Converted {
  // The closed list itself says which values are allowed.
  if (field.values !== undefined) return cleanIdentifier;
  if (field.form) {
    const faultOf = field.form === 'duration' ? faultOfDuration : faultOfTime;
    return (text) => checked(cleanIdentifier(text), faultOf);
  }
  if (asIs === true) return field.identifier === true ? cleanIdentifier : cleanText;
  const doubted = trusted === true ? (it: Converted) => it : withDoubt;
  if (field.identifier !== true) return (text) => doubted(checked(cleanText(text), faultOfDitto));
  const { unbroken } = field;
  const isFree = field.freeText === true || trusted === true;
  return (text) => {
    if (DIGITS.test(text)) return value(text);
    const cleaned = checked(checked(cleanIdentifier(text), faultOfDitto), mangledIdentifier);
    const whole = unbroken === true ? checked(checked(cleaned, mangledNumber), faultOfBlank) : cleaned;
    if (isFree) return doubted(whole);
    const named = checked(whole, identifierFault);
    if (field.phone === true) return checked(named, phoneFault);
    return unbroken === true ? checked(named, assetNumberFault) : named;
  };
}

/** The text of a cell for a field; an error if it may differ from what was typed. */
export function cellText(cell: CellValue, field: Field, { asIs }: TextOptions = {}): Converted {
  switch (cell.kind) {
    case 'number':
      if (isTooLong(cell)) return fault(tooLong(cell));
      if (asIs === true) return value(shownNumber(cell));
      return field.identifier === true ? identifierOfNumber(cell, field) : numberText(cell);
    case 'boolean':
      return field.identifier === true && asIs !== true
        ? fault(truthInIdentifier(cell.text))
        : value(cell.text);
    case 'date':
    case 'time':
    case 'duration': {
      const text = excerpt(cell.text);
      if (field.form) return fault(message('mapping.date_in_duration', { text }));
      return fault(message('mapping.date_in_text', { text }));
    }
    default:
      if (cell.identifier !== undefined && field.identifier === true && asIs !== true)
        return withoutMarker(cell, cell.identifier);
      return withSeen(value(cell.text), cell);
  }
}

/** A field whose texts are checked as identifiers. */
function isIdentifier({ identifier, freeText }: Field): boolean {
  return identifier === true && freeText !== true;
}

/**
 * A whole number's digits, with the leading zeros of its format but without decimals, separators and literals: a format must
 * not make another identifier of the same number.
 */
function identifierOfNumber(cell: CellValue, field: Field): Converted {
  const { text, shown = text, seen = shown, identifier: taken = text } = cell;
  if (text.includes('.')) {
    if (Number(shown) !== Number(text)) return fault(message('mapping.hidden_digits', { text, shown }));
    return fault(
      field.unbroken === true
        ? message('mapping.point_in_number', { text: shown })
        : message('mapping.fraction_in_identifier', { text: shown }),
    );
  }
  // The format `0000` shows its zeros in the text itself.
  const warning = seen === taken ? undefined : shownOtherwise('number', taken, seen);
  return { kind: 'value', value: taken, warning, former: shown === taken ? undefined : shown };
}

function numberText(cell: CellValue): Converted {
  const { text, shown = text } = cell;
  if (shown === text || Number(shown) === Number(text)) return withSeen(value(shown), cell);
  const params = { text, shown };
  return {
    kind: 'value',
    value: shown,
    warning: (place) => message('mapping.decimals_dropped', { ...place, ...params }),
  };
}

/** A number as its format shows it, but for separators of thousands. */
function shownNumber({ text, shown = text, seen = shown }: CellValue): string {
  return bare(seen) === bare(shown) ? shown : seen.trim().replace(/(?<=\d),(?=\d{3})/g, '');
}

function withoutMarker({ text }: CellValue, taken: string): Converted {
  const params = { text: excerpt(text), taken: excerpt(taken) };
  return {
    kind: 'value',
    value: taken,
    warning: (place) => message('mapping.marker_dropped', { ...place, ...params }),
    former: text.trim(),
  };
}

/** Text that is sent as it is, with a warning if it may stand for nothing or begins with a text marker. */
function withDoubt(cleaned: Converted): Converted {
  if (cleaned.kind !== 'value' || cleaned.warning) return cleaned;
  const text = cleaned.value as string;
  const code = saysNothing(text)
    ? 'mapping.nothing_in_text'
    : beginsWithMarker(text)
      ? 'mapping.marker_in_text'
      : undefined;
  if (code === undefined) return cleaned;
  return { ...cleaned, warning: (place) => message(code, { ...place, text: excerpt(text) }) };
}

function checked(cleaned: Converted, faultOf: (text: string) => Message | undefined): Converted {
  if (cleaned.kind !== 'value') return cleaned;
  const wrong = faultOf(cleaned.value as string);
  return wrong ? fault(wrong) : cleaned;
}

function faultOfBlank(text: string): Message | undefined {
  return /\s/.test(text) ? message('mapping.blank_in_number', { text: excerpt(text) }) : undefined;
}
