import type { Message } from '../errors/message.js';
import type { Cell } from '../model/cell.js';
import type { Row } from '../model/row.js';
import { cellFault } from './convert/conversion.js';
import { trimInvisible, withoutWidthless } from './convert/text.js';

/** A row's key: the texts of these columns as they can be seen; undefined if all are empty. */
export function rowKey(row: Row, columns: readonly number[]): string | undefined {
  return joined(columns, (column) => keyText(row.cell(column)));
}

/** The key by which rows are grouped; undefined also if one of its cells is faulty (`#N/A` is no key). */
export function groupingKey(row: Row, columns: readonly number[]): string | undefined {
  let faulty = false;
  const key = joined(columns, (column) => {
    const cell = row.cell(column);
    if (cell && cellFault(cell)) faulty = true;
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

/** The fault of a key cell: an error value, no result, or a number that may have lost digits. */
export function keyFault(row: Row, column: number): Message | undefined {
  const cell = row.cell(column);
  return cell && cellFault(cell);
}

/** Texts of the key's cells in order, for digests. */
export function keyTexts(row: Row, columns: readonly number[]): readonly string[] {
  return columns.map((column) => keyText(row.cell(column)));
}

/** The same as earlier versions of the program had them, which heeded characters inside that nobody sees. */
export function formerKeyTexts(row: Row, columns: readonly number[]): readonly string[] {
  return columns.map((column) => trimInvisible(row.cell(column)?.text ?? ''));
}

/** What nobody can see parts no rows: half of an order would go without the other. */
function keyText(cell: Cell | undefined): string {
  return cell === undefined ? '' : withoutWidthless(trimInvisible(cell.text));
}
