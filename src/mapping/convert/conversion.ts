import { type Message, message } from '../../errors/message.js';
import type { Cell } from '../../model/cell.js';
import type { Json } from '../../model/json.js';

/** What a conversion reads of a cell. */
export type CellValue = Pick<Cell, 'kind' | 'text' | 'raw' | 'shown'>;

/** What a value doesn't hold of its cell, told once the cell is known: a conversion sees neither sheet nor row. */
export type Warning = (place: { readonly cell: string; readonly field: string }) => Message;

/** What a cell became for its field. */
export type Converted =
  | { readonly kind: 'value'; readonly value: Json; readonly warning?: Warning }
  | { readonly kind: 'empty' }
  | { readonly kind: 'fault'; readonly message: Message };

/** Never sees blank cells, error values or formulas without a result: those are dealt with before. */
export type Convert = (cell: CellValue) => Converted;

export const EMPTY: Converted = { kind: 'empty' };

export function value(it: Json): Converted {
  return { kind: 'value', value: it };
}

export function fault(it: Message): Converted {
  return { kind: 'fault', message: it };
}

/** Text from elsewhere than a cell (a constant, a template, an expression), to be converted like a cell's. */
export function textCell(text: string): CellValue {
  return { kind: 'text', text, raw: text };
}

/** What makes a cell unusable wherever it is used; undefined when nothing does. */
export function cellFault(cell: CellValue): Message | undefined {
  if (cell.kind === 'text') return cell.text.includes(UNREADABLE) ? unreadable(cell.text) : undefined;
  if (cell.kind === 'number') return isTooLong(cell) ? tooLong(cell) : undefined;
  if (cell.kind === 'error') return message('mapping.error_value', { text: cell.text });
  if (cell.kind === 'no_result') return message('mapping.no_result');
  if (cell.kind === 'merged') return message('mapping.merged_over', { range: cell.raw });
  return undefined;
}

/** Stands where a program could not read a character: which one it was is lost. */
const UNREADABLE = '\ufffd';

function unreadable(text: string): Message {
  return message('mapping.unreadable', { text: excerpt(text) });
}

/**
 * Excel keeps 15 digits of a number and fills up with zeros, so a longer one may already have lost what was typed,
 * however it looks now.
 */
export function isTooLong(cell: CellValue): boolean {
  return cell.kind === 'number' && Math.abs(Number(cell.raw)) >= 1e15;
}

export function tooLong(cell: CellValue): Message {
  return message('mapping.number_too_long', { text: excerpt(cell.text) });
}

const SHOWN = 60;

/** A cell's text as messages quote it: on one line, not endless. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  const letters = line.length > SHOWN ? [...line] : [];
  return letters.length > SHOWN ? `${letters.slice(0, SHOWN).join('')}…` : line;
}
