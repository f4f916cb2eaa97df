import type { Message } from '../errors/message.js';
import type { Cell } from '../model/cell.js';
import type { Row } from '../model/row.js';
import { cellFault } from './convert/conversion.js';
import { trimInvisible } from './convert/text.js';

/** A row's key over columns, compared on trimmed text; undefined when all of them are empty. */
export function rowKey(row: Row, columns: readonly number[]): string | undefined {
  return joined(columns, (column) => keyText(row.cell(column)));
}

/** The key for gathering a sheet's rows: also undefined for a row whose key can't be told (`#N/A` is no key). */
export function gatheringKey(row: Row, columns: readonly number[]): string | undefined {
  let faulty = false;
  const key = joined(columns, (column) => {
    const cell = row.cell(column);
    if (cell && cellFault(cell)) faulty = true;
    return keyText(cell);
  });
  return faulty ? undefined : key;
}

/** The texts of a key in one; undefined when all are empty. */
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

/** Why a cell is no part of a key: an error value, no result, or a number whose digits may be lost. */
export function keyFault(row: Row, column: number): Message | undefined {
  const cell = row.cell(column);
  return cell && cellFault(cell);
}

/** Texts of the key's cells in order, for digests. */
export function keyTexts(row: Row, columns: readonly number[]): readonly string[] {
  return columns.map((column) => keyText(row.cell(column)));
}

function keyText(cell: Cell | undefined): string {
  return cell === undefined ? '' : trimInvisible(cell.text);
}
