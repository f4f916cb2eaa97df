import type { Message } from '../errors/message.js';
import type { Cell } from '../model/cell.js';
import type { Row } from '../model/row.js';
import { cellFault } from './convert/conversion.js';
import { trimInvisible, withoutWidthless } from './convert/text.js';
import { groupingFault, identifierFault } from './convert/text-faults.js';

/** Whether a column of a key is checked as an identifier: not one that the map reads only as it is, or as other text. */
export type IsIdentifierColumn = (column: number) => boolean;

/** Most keys consist of digits only; these have no errors. */
const DIGITS = /^[0-9]+$/;

/** A row's key: the texts of these columns as they can be seen; undefined if all are empty. */
export function rowKey(row: Row, columns: readonly number[]): string | undefined {
  return joined(columns, (column) => keyText(row.cell(column)));
}

/** The key by which rows are grouped; undefined also if one of its cells is invalid (`#N/A` is no key). */
export function groupingKey(
  row: Row,
  columns: readonly number[],
  isIdentifier: IsIdentifierColumn,
): string | undefined {
  let faulty = false;
  const key = joined(columns, (column) => {
    const cell = row.cell(column);
    if (cell && faultOfKey(cell, isIdentifier)) faulty = true;
    return keyText(cell);
  });
  return faulty ? undefined : key;
}

/** Joins the texts of a key; undefined if all are empty. */
function joined(columns: readonly number[], text: (column: number) => string): string | undefined {
  if (columns.length === 1) return text(columns[0]!) || undefined;
  let key = '';
  let empty = true;
  for (const column of columns) {
    const part = text(column);
    if (part !== '') empty = false;
    // The length keeps `a|b` + `c` apart from `a` + `b|c`.
    key += `${part.length}:${part}`;
  }
  return empty ? undefined : key;
}

/** The error of a key cell: an error value, no result, a number that may have lost digits, or a text that is no identifier. */
export function keyFault(row: Row, column: number, isIdentifier: IsIdentifierColumn): Message | undefined {
  const cell = row.cell(column);
  return cell && faultOfKey(cell, isIdentifier);
}

function faultOfKey(cell: Cell, isIdentifier: IsIdentifierColumn): Message | undefined {
  const wrong = cellFault(cell);
  if (wrong || cell.kind !== 'text' || DIGITS.test(cell.text) || !isIdentifier(cell.column)) return wrong;
  const text = trimInvisible(cell.identifier ?? cell.text);
  return identifierFault(text) ?? groupingFault(text);
}

/** Texts of the key's cells in order, for digests. */
export function keyTexts(row: Row, columns: readonly number[]): readonly string[] {
  return columns.map((column) => keyText(row.cell(column)));
}

/**
 * The same as earlier versions of the program had them: version 0.1 with the literals of number formats and text markers, the
 * ones before it with invisible characters inside.
 */
export function formerKeyTexts(row: Row, columns: readonly number[]): readonly (readonly string[])[] {
  const texts = columns.map((column) => trimInvisible(row.cell(column)?.text ?? ''));
  return [texts.map(withoutWidthless), texts];
}

/** What nobody can see parts no rows: half of an order would be sent without the other. */
function keyText(cell: Cell | undefined): string {
  return cell === undefined ? '' : withoutWidthless(trimInvisible(cell.identifier ?? cell.text));
}
