import { type Message, message } from '../../errors/message.js';
import type { Cell } from '../../model/cell.js';
import type { Json } from '../../model/json.js';

/** The parts of a cell that a conversion reads. */
export type CellValue = Pick<Cell, 'kind' | 'text' | 'raw' | 'shown' | 'seen' | 'identifier' | 'hidesTime'>;

/** A warning that a value lacks something of its cell. The caller adds the place, which a conversion doesn't know. */
export type Warning = (place: { readonly cell: string; readonly field: string }) => Message;

/** A cell's value for a field. */
export type Converted =
  | {
      readonly kind: 'value';
      readonly value: Json;
      readonly warning?: Warning | undefined;
      /** The value that version 0.1 read from the cell, if it is another one: ledgers have items with it. */
      readonly former?: Json | undefined;
    }
  /** `leftOut`: the cell's text says that there is no value, so that no default takes its place. */
  | { readonly kind: 'empty'; readonly leftOut?: true }
  | { readonly kind: 'fault'; readonly message: Message };

/** Converts a cell. Blank cells, error values and formulas without a result are handled before. */
export type Convert = (cell: CellValue) => Converted;

export const EMPTY: Converted = { kind: 'empty' };

export function value(it: Json): Converted {
  return { kind: 'value', value: it };
}

export function fault(it: Message): Converted {
  return { kind: 'fault', message: it };
}

/** The value of a cell of which the sheet shows something else, with a warning if that is so. */
export function withSeen(converted: Converted, { kind, text, shown, seen }: CellValue): Converted {
  if (seen === undefined || converted.kind !== 'value' || converted.warning) return converted;
  if (kind === 'number' && seen !== '' && bare(seen) === bare(shown ?? text)) return converted;
  return { ...converted, warning: shownOtherwise(kind, shown ?? text, seen) };
}

/** The warning that the sheet shows something else than what is taken, or nothing. */
export function shownOtherwise(kind: Cell['kind'], taken: string, seen: string): Warning {
  const text = excerpt(taken);
  if (seen === '') {
    const code = kind === 'date' ? 'mapping.date_not_shown' : 'mapping.not_shown';
    return (place) => message(code, { ...place, text });
  }
  const code = kind === 'date' ? 'mapping.date_shown_partly' : 'mapping.shown_otherwise';
  return (place) => message(code, { ...place, text, shown: excerpt(seen) });
}

/** Blanks, currencies and separators of thousands say nothing else than the number does. */
const ADORNMENT = /[\s\p{Sc}]|(?<=\d),(?=\d{3})/gu;

/** A number without what its format adds to make it easier to read. */
export function bare(text: string): string {
  return text.replace(ADORNMENT, '');
}

/** Text of a constant, a template or an expression, to be converted like a cell. */
export function textCell(text: string): CellValue {
  return { kind: 'text', text, raw: text };
}

/** The fault of a cell that no field can use; undefined if there is none. */
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

/** U+FFFD stands in place of a character that some program couldn't read. */
const UNREADABLE = '\ufffd';

/**
 * Whether a number is too long to be trusted: Excel keeps 15 digits and replaces the rest by zeros, so a longer number may
 * have lost digits that were typed.
 */
export function isTooLong(cell: CellValue): boolean {
  return cell.kind === 'number' && Math.abs(Number(cell.raw)) >= 1e15;
}

export function tooLong(cell: CellValue): Message {
  return message('mapping.number_too_long', { text: excerpt(cell.text) });
}

const SHOWN = 60;

/** A cell's text for a message: on one line, and cut. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  const letters = line.length > SHOWN ? [...line] : [];
  return letters.length > SHOWN ? `${letters.slice(0, SHOWN).join('')}…` : line;
}
