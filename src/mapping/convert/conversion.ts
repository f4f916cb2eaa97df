import { type Message, message } from '../../errors/message.js';
import type { Json } from '../../model/json.js';
import type { Cell } from '../../model/row.js';

/** The parts of a cell that a conversion reads. */
export type CellValue = Pick<Cell, 'kind' | 'text' | 'raw' | 'shown' | 'seen' | 'identifier' | 'hidesTime'>;

/** A warning that a value differs from its cell. The caller adds the address, which a conversion doesn't know. */
export type Warning = (place: { readonly cell: string; readonly field: string }) => Message;

/** A cell's value for a field. */
export type Converted =
  | {
      readonly kind: 'value';
      readonly value: Json;
      readonly warning?: Warning | undefined;
      /** The value that version 0.1 read from the cell, if it is different: ledgers contain items with it. */
      readonly former?: Json | undefined;
    }
  /** `leftOut`: the cell's text means "no value", so that no default replaces it. */
  | { readonly kind: 'empty'; readonly leftOut?: true }
  | ConversionFault;

export type ConversionFault = { readonly kind: 'fault'; readonly message: Message };

/** Converts a cell. The caller handles blank cells, error values and formulas without a result. */
export type Convert = (cell: CellValue) => Converted;

export const EMPTY: Converted = { kind: 'empty' };

export function value(json: Json): Converted {
  return { kind: 'value', value: json };
}

export function fault(detail: Message): ConversionFault {
  return { kind: 'fault', message: detail };
}

/** Adds a warning if the sheet shows something other than the converted value. */
export function withSeen(converted: Converted, { kind, text, shown, seen }: CellValue): Converted {
  if (seen === undefined || converted.kind !== 'value' || converted.warning) return converted;
  if (kind === 'number' && seen !== '' && bare(seen) === bare(shown ?? text)) return converted;
  return { ...converted, warning: shownOtherwise(kind, shown ?? text, seen) };
}

/** The warning that the sheet shows something other than the value, or nothing. */
export function shownOtherwise(kind: Cell['kind'], valueText: string, seen: string): Warning {
  const text = excerpt(valueText);
  if (seen === '') {
    const code = kind === 'date' ? 'mapping.date_not_shown' : 'mapping.not_shown';
    return (place) => message(code, { ...place, text });
  }
  const code = kind === 'date' ? 'mapping.date_shown_partly' : 'mapping.shown_otherwise';
  return (place) => message(code, { ...place, text, shown: excerpt(seen) });
}

/** Blanks, currency signs and separators of thousands do not change a number. */
const ADORNMENT = /[\s\p{Sc}]|(?<=\d),(?=\d{3})/gu;

/** The text of a number without blanks, currency signs and separators of thousands. */
export function bare(text: string): string {
  return text.replace(ADORNMENT, '');
}

/** Text of a constant, a template or an expression, to be converted like a cell. */
export function textCell(text: string): CellValue {
  return { kind: 'text', text, raw: text };
}

/** The distinct values of several texts for a list field, or the first error. */
export function convertAll(texts: readonly string[], convert: Convert): Converted {
  const found = new Set<Json>();
  for (const text of texts) {
    const converted = convert(textCell(text));
    if (converted.kind === 'fault') return converted;
    if (converted.kind === 'value') for (const part of converted.value as readonly Json[]) found.add(part);
  }
  return found.size === 0 ? EMPTY : value([...found]);
}

/** The error of a cell that no field accepts; undefined if there is none. */
export function cellFault(cell: CellValue): Message | undefined {
  if (cell.kind === 'text') {
    const unreadable = cell.text.includes(UNREADABLE);
    return unreadable ? message('mapping.unreadable', { text: excerpt(cell.text) }) : undefined;
  }
  if (cell.kind === 'number') return isTooLong(cell) ? tooLong(cell) : undefined;
  if (cell.kind === 'error') return message('mapping.error_value', { text: cell.text });
  if (cell.kind === 'no_result')
    return message(cell.raw === '0' ? 'mapping.not_calculated' : 'mapping.no_result');
  if (cell.kind === 'merged') return message('mapping.merged_over', { range: cell.raw });
  return undefined;
}

/** U+FFFD, which replaces a character that a program couldn't decode. */
const UNREADABLE = '\ufffd';

/**
 * True for a number that may have lost typed digits: Excel keeps 15 digits and replaces the others by zeros.
 */
export function isTooLong(cell: CellValue): boolean {
  return cell.kind === 'number' && Math.abs(Number(cell.raw)) >= 1e15;
}

export function tooLong(cell: CellValue): Message {
  return message('mapping.number_too_long', { text: excerpt(cell.text) });
}

const SHOWN = 60;

/** A cell's text for a message: on one line, and shortened. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  const letters = line.length > SHOWN ? [...line] : [];
  return letters.length > SHOWN ? `${letters.slice(0, SHOWN).join('')}…` : line;
}
