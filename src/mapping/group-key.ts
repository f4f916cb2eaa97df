import type { Message } from '../errors/message.js';
import type { Row } from '../model/row.js';
import { cellFault } from './convert/conversion.js';
import { trimInvisible } from './convert/text.js';

/** A row's key over columns, compared on trimmed text; undefined when all of them are empty. */
export function rowKey(row: Row, columns: readonly number[]): string | undefined {
  if (columns.length === 1) return keyText(row, columns[0]!) || undefined;
  let key = '';
  let empty = true;
  for (const column of columns) {
    const text = keyText(row, column);
    if (text !== '') empty = false;
    // The length keeps `a|b` + `c` apart from `a` + `b|c`.
    key += `${text.length}:${text}`;
  }
  return empty ? undefined : key;
}

/** The key for gathering a sheet's rows: also undefined for a row whose key can't be told (`#N/A` is no key). */
export function gatheringKey(row: Row, columns: readonly number[]): string | undefined {
  return columns.some((column) => keyFault(row, column)) ? undefined : rowKey(row, columns);
}

/** Why a cell is no part of a key: an error value, no result, or a number whose digits may be lost. */
export function keyFault(row: Row, column: number): Message | undefined {
  const cell = row.cell(column);
  return cell && cellFault(cell);
}

/** Texts of the key's cells in order, for digests. */
export function keyTexts(row: Row, columns: readonly number[]): readonly string[] {
  return columns.map((column) => keyText(row, column));
}

function keyText(row: Row, column: number): string {
  const text = row.cell(column)?.text;
  return text === undefined ? '' : trimInvisible(text);
}
