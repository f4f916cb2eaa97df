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
import { cleanIdentifier, cleanText } from './text.js';
import {
  assetNumberFault,
  beginsWithMarker,
  booleanInIdentifier,
  faultOfDitto,
  faultOfDuration,
  faultOfTime,
  groupingFault,
  identifierFault,
  isNoValueText,
  mangledIdentifier,
  mangledNumber,
  phoneFault,
} from './text-errors.js';

/** Identifiers of digits only, the usual case, have no errors. */
const DIGITS = /^[0-9]+$/;

/** Options for reading a column's texts. */
export interface TextOptions {
  /** The text is sent as the cell shows it, without the checks of identifiers. */
  readonly asIs?: boolean | undefined;
  /** The text comes from the job or the platform, so that it isn't checked for changes by users and spreadsheets. */
  readonly trusted?: boolean | undefined;
}

/** String: the cell's text, so that `007` keeps its zeros. A text that a spreadsheet changed is an error. */
export function stringConverter(field: Field, options: TextOptions = {}): Convert {
  const clean = textCleaner(field, options);
  return (cell: CellValue): Converted => {
    const source = cellText(cell, field, options);
    if (source.kind !== 'value') return source;
    const text = source.value as string;
    const isChecked = isIdentifier(field) && cell.kind === 'text' && options.trusted !== true;
    const grouped = isChecked ? groupingFault(text) : undefined;
    if (grouped) return fault(grouped);
    const cleaned = clean(text);
    if (cleaned.kind !== 'value' || (source.warning === undefined && source.former === undefined))
      return cleaned;
    return { ...cleaned, warning: source.warning ?? cleaned.warning, former: source.former };
  };
}

/** The function that cleans a text for a field and checks the field's requirements. */
export function textCleaner(field: Field, { asIs, trusted }: TextOptions = {}): (text: string) => Converted {
  // The closed list determines the allowed values.
  if (field.values !== undefined) return cleanIdentifier;
  if (field.form) {
    const faultOf = field.form === 'duration' ? faultOfDuration : faultOfTime;
    return (text) => checked(cleanIdentifier(text), faultOf);
  }
  if (asIs === true) return field.identifier === true ? cleanIdentifier : cleanText;
  const withWarning = trusted === true ? (converted: Converted) => converted : warnOfDoubtfulText;
  if (field.identifier !== true) return (text) => withWarning(checked(cleanText(text), faultOfDitto));
  const { unbroken } = field;
  const isFree = field.freeText === true || trusted === true;
  return (text) => {
    if (DIGITS.test(text)) return value(text);
    const cleaned = checked(checked(cleanIdentifier(text), faultOfDitto), mangledIdentifier);
    const whole = unbroken === true ? checked(checked(cleaned, mangledNumber), faultOfBlank) : cleaned;
    if (isFree) return withWarning(whole);
    const named = checked(whole, identifierFault);
    if (field.phone === true) return checked(named, phoneFault);
    return unbroken === true ? checked(named, assetNumberFault) : named;
  };
}

/** The text of a cell for a field; an error if it may differ from the typed text. */
export function cellText(cell: CellValue, field: Field, { asIs }: TextOptions = {}): Converted {
  switch (cell.kind) {
    case 'number':
      if (isTooLong(cell)) return fault(tooLong(cell));
      if (asIs === true) return value(shownNumber(cell));
      return field.identifier === true ? identifierOfNumber(cell, field) : numberText(cell);
    case 'boolean':
      return field.identifier === true && asIs !== true
        ? fault(booleanInIdentifier(cell.text))
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
 * The digits of a whole number with the leading zeros of its format, but without decimals, separators and literals: the format
 * must not change the identifier.
 */
function identifierOfNumber(cell: CellValue, field: Field): Converted {
  const { text, shown = text, seen = shown, identifier = text } = cell;
  if (text.includes('.')) {
    if (Number(shown) !== Number(text)) return fault(message('mapping.hidden_digits', { text, shown }));
    return fault(
      field.unbroken === true
        ? message('mapping.point_in_number', { text: shown })
        : message('mapping.fraction_in_identifier', { text: shown }),
    );
  }
  if (text.startsWith('-')) return fault(message('mapping.negative_identifier', { text }));
  // The text already contains the zeros of the format `0000`.
  const warning = seen === identifier ? undefined : shownOtherwise('number', identifier, seen);
  return { kind: 'value', value: identifier, warning, former: shown === identifier ? undefined : shown };
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

/** A number as its format shows it, without separators of thousands. */
function shownNumber({ text, shown = text, seen = shown }: CellValue): string {
  return bare(seen) === bare(shown) ? shown : seen.trim().replace(/(?<=\d),(?=\d{3})/g, '');
}

function withoutMarker({ text }: CellValue, identifier: string): Converted {
  const params = { text: excerpt(text), taken: excerpt(identifier) };
  return {
    kind: 'value',
    value: identifier,
    warning: (place) => message('mapping.marker_dropped', { ...place, ...params }),
    former: text.trim(),
  };
}

/** Adds a warning to a text that may mean "no value" or that begins with a text marker. The text is sent unchanged. */
function warnOfDoubtfulText(cleaned: Converted): Converted {
  if (cleaned.kind !== 'value' || cleaned.warning) return cleaned;
  const text = cleaned.value as string;
  const code = isNoValueText(text)
    ? 'mapping.nothing_in_text'
    : beginsWithMarker(text)
      ? 'mapping.marker_in_text'
      : undefined;
  if (code === undefined) return cleaned;
  return { ...cleaned, warning: (place) => message(code, { ...place, text: excerpt(text) }) };
}

function checked(cleaned: Converted, faultOf: (text: string) => Message | undefined): Converted {
  if (cleaned.kind !== 'value') return cleaned;
  const invalid = faultOf(cleaned.value as string);
  return invalid ? fault(invalid) : cleaned;
}

function faultOfBlank(text: string): Message | undefined {
  return /\s/.test(text) ? message('mapping.blank_in_number', { text: excerpt(text) }) : undefined;
}
