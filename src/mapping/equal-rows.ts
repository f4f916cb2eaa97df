import { message } from '../errors/message.js';
import type { Row } from '../model/row.js';
import { groupedBy } from '../util/grouped-by.js';
import type { MappingPass } from './mapping-pass.js';

/**
 * The rows without those that show the same as an earlier row in all these columns: such rows count once (contract
 * section 4), and a warning names them.
 */
export function distinctRows(
  rows: readonly Row[],
  columns: readonly number[],
  pass: MappingPass,
): readonly Row[] {
  if (!pass.mergesRows || rows.length < 2 || columns.length === 0) return rows;
  const alike = rowsByText(rows, columns);
  if (alike.size === rows.length) return rows;
  pass.merged = true;
  const distinct: Row[] = [];
  for (const same of alike.values()) {
    const first = same[0]!;
    distinct.push(first);
    if (same.length > 1) {
      pass.warnings.push(message('mapping.rows_agree', { sheet: first.sheet, rows: rowNumbers(same) }));
    }
  }
  return distinct;
}

/** Warns of equal elements that come from different rows. */
export function warnOfEqualElements(
  rows: readonly Row[],
  columns: readonly number[],
  field: string,
  pass: MappingPass,
): void {
  if (rows.length < 2 || columns.length === 0) return;
  for (const same of rowsByText(rows, columns).values()) {
    if (same.length < 2) continue;
    const sheet = same[0]!.sheet;
    pass.warnings.push(message('mapping.elements_agree', { sheet, rows: rowNumbers(same), field }));
  }
}

function rowsByText(rows: readonly Row[], columns: readonly number[]): ReadonlyMap<string, readonly Row[]> {
  return groupedBy(rows, (row) => {
    let text = '';
    for (const column of columns) {
      const cell = row.cell(column);
      // Kinds count too: `#N/A` typed as text must not hide the error value of another row, which is a fault.
      const shown = cell === undefined ? '' : (cell.identifier ?? cell.text).trim();
      const plain = cell === undefined || cell.kind === 'text' || cell.kind === 'number';
      text += `${shown.length}${plain ? ':' : cell.kind}${shown}`;
    }
    return text;
  });
}

const NAMED = 20;

/** Row numbers as messages list them. */
export function rowNumbers(rows: readonly Row[]): string {
  const named = rows.slice(0, NAMED).map((it) => it.number);
  return rows.length > NAMED ? `${named.join(', ')}, …` : named.join(', ');
}
