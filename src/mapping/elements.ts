import type { Row } from '../model/row.js';
import { isBlank } from '../util/blank.js';
import { groupedBy } from '../util/grouped-by.js';
import type { BoundBranch, ElementSource } from './bound-entry.js';
import { NO_JOIN_KEY } from './contract.js';
import { distinctRows } from './equal-rows.js';
import { type IsIdentifierColumn, keyFault, rowKey } from './group-key.js';
import type { MappingPass } from './mapping-pass.js';

/** The rows of each element of an array, in order; rows of another sheet if the array joins one. */
export function elementRows(
  bound: BoundBranch,
  rows: readonly Row[],
  pass: MappingPass,
): readonly (readonly Row[])[] {
  switch (bound.source.kind) {
    case 'rows':
      return single(bound, rows);
    case 'columns':
      return grouped(bound, bound.source, rows, pass);
    case 'sheet': {
      const joined = distinctRows(joinedRows(bound, bound.source, rows, pass), bound.source.read, pass);
      return single(bound, joined);
    }
  }
}

/** Whether any of these cells is filled; true if there are no columns. */
export function isFilled(rows: readonly Row[], columns: readonly number[]): boolean {
  return columns.length === 0 || filledColumn(rows, columns) !== undefined;
}

/** The first column with a filled cell in one of the rows. */
export function filledColumn(rows: readonly Row[], columns: readonly number[]): number | undefined {
  for (const row of rows) {
    for (const column of columns) {
      const cell = row.cell(column);
      // A cell without visible text may still be a fault, and then isn't empty.
      if (cell && (cell.kind === 'no_result' || cell.kind === 'merged' || !isBlank(cell.text))) return column;
    }
  }
  return undefined;
}

/**
 * The key of a joined row; undefined if its mapped cells are empty. A row with content but no key gets a key that no other
 * row has, so that it is found among the unused rows and reported.
 * @param read all columns of its sheet that the map reads
 */
export function joinKey(row: Row, columns: readonly number[], read: readonly number[]): string | undefined {
  return rowKey(row, columns) ?? (isFilled([row], read) ? NO_JOIN_KEY : undefined);
}

/**
 * Reports the cells that make a row's key unusable, unless a leaf of the node reads and reports them, or an outer key did.
 * @returns whether there are any
 */
export function reportKeyFaults(
  row: Row,
  columns: readonly number[],
  isIdentifier: IsIdentifierColumn,
  bound: { readonly path: string; readonly columns: readonly number[] },
  pass: MappingPass,
): boolean {
  let any = false;
  for (const column of columns) {
    const wrong = keyFault(row, column, isIdentifier);
    if (!wrong) continue;
    any = true;
    if (!bound.columns.includes(column) && !pass.hasFault(row, column)) {
      pass.fault(row, bound.path, { column, message: wrong });
    }
  }
  return any;
}

function single(bound: BoundBranch, rows: readonly Row[]): readonly (readonly Row[])[] {
  const groups = rows.map((row) => [row]);
  return bound.skipsEmpty ? groups.filter((group) => isFilled(group, bound.columns)) : groups;
}

function grouped(
  bound: BoundBranch,
  source: ElementSource & { kind: 'columns' },
  rows: readonly Row[],
  pass: MappingPass,
): readonly (readonly Row[])[] {
  const [only] = rows;
  if (only && rows.length === 1) return elementKey(bound, source, only, pass) === undefined ? [] : [rows];
  return [...groupedBy(rows, (row) => elementKey(bound, source, row, pass)).values()];
}

/** The key of the element that a row belongs to; undefined, with a report, if it has none. */
function elementKey(
  bound: BoundBranch,
  source: ElementSource & { kind: 'columns' },
  row: Row,
  pass: MappingPass,
): string | undefined {
  const key = rowKey(row, source.columns);
  // Without a key there is no element whose leaves could report a faulty cell.
  const reporting = key === undefined ? { path: bound.path, columns: [] } : bound;
  const faulty = reportKeyFaults(row, source.columns, source.isIdentifier, reporting, pass);
  if (key === undefined && !faulty) pass.addRowWithoutKey(row, bound);
  return key;
}

function joinedRows(
  bound: BoundBranch,
  source: ElementSource & { kind: 'sheet' },
  rows: readonly Row[],
  pass: MappingPass,
): readonly Row[] {
  const keys = new Set<string>();
  const found: Row[] = [];
  for (const row of rows) {
    // The node's leaves read the other sheet, so none of them reports this cell.
    const { path } = bound;
    if (reportKeyFaults(row, source.columns, source.isIdentifier, { path, columns: [] }, pass)) continue;
    const key = rowKey(row, source.columns);
    if (key === undefined || keys.has(key)) continue;
    keys.add(key);
    const held = pass.lookup.held?.(source.join, key);
    if (held) pass.fault(row, bound.path, { column: source.columns[0]!, message: held });
    for (const joined of pass.lookup.rows(source.join, key)) {
      reportKeyFaults(joined, source.join.keyColumns, source.join.isIdentifier, bound, pass);
      found.push(joined);
    }
  }
  return found;
}
