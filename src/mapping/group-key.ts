import { type Message, message } from '../errors/message.js';
import type { Cell, Row } from '../model/row.js';
import { groupedBy } from '../util/grouped-by.js';
import { isBlank } from '../util/text.js';
import type { BoundBranch, ElementSource } from './bound-entry.js';
import { cellFault } from './convert/conversion.js';
import { trimInvisible, withoutWidthless } from './convert/text.js';
import { groupingFault, identifierFault } from './convert/text-errors.js';
import { NO_JOIN_KEY } from './mapping.js';
import type { MappingPass } from './mapping-pass.js';

/** True if a column of a key is checked as an identifier: not if the map reads it only `asIs` or as other text. */
export type IsIdentifierColumn = (column: number) => boolean;

/** Keys of digits only, the usual case, have no errors. */
const DIGITS = /^[0-9]+$/;

/** A row's key: the visible texts of these columns; undefined if all are empty. */
export function rowKey(row: Row, columns: readonly number[]): string | undefined {
  return joined(columns, (column) => keyText(row.cell(column)));
}

/** The key by which rows are grouped; undefined also if one of its cells is invalid (`#N/A` is no key). */
export function groupingKey(
  row: Row,
  columns: readonly number[],
  isIdentifier: IsIdentifierColumn,
): string | undefined {
  let hasFault = false;
  const key = joined(columns, (column) => {
    const cell = row.cell(column);
    if (cell && faultOfKey(cell, isIdentifier)) hasFault = true;
    return keyText(cell);
  });
  return hasFault ? undefined : key;
}

/** Joins the texts of a key; undefined if all are empty. */
function joined(columns: readonly number[], text: (column: number) => string): string | undefined {
  if (columns.length === 1) return text(columns[0]!) || undefined;
  let key = '';
  let empty = true;
  for (const column of columns) {
    const part = text(column);
    if (part !== '') empty = false;
    // The length distinguishes `a|b` + `c` from `a` + `b|c`.
    key += `${part.length}:${part}`;
  }
  return empty ? undefined : key;
}

/** The error of a key cell: an error value, no result, a number that may have lost digits, or an invalid identifier. */
export function keyFault(row: Row, column: number, isIdentifier: IsIdentifierColumn): Message | undefined {
  const cell = row.cell(column);
  return cell && faultOfKey(cell, isIdentifier);
}

function faultOfKey(cell: Cell, isIdentifier: IsIdentifierColumn): Message | undefined {
  const fault = cellFault(cell);
  if (fault || cell.kind !== 'text' || DIGITS.test(cell.text) || !isIdentifier(cell.column)) return fault;
  const text = trimInvisible(cell.identifier ?? cell.text);
  return identifierFault(text) ?? groupingFault(text);
}

/** The texts of the key's cells in order, for digests. */
export function keyTexts(row: Row, columns: readonly number[]): readonly string[] {
  return columns.map((column) => keyText(row.cell(column)));
}

/**
 * The key texts of earlier versions of the program: version 0.1 included the literals of number formats and text markers, the
 * versions before it also invisible characters.
 */
export function formerKeyTexts(row: Row, columns: readonly number[]): readonly (readonly string[])[] {
  const texts = columns.map((column) => trimInvisible(row.cell(column)?.text ?? ''));
  return [texts.map(withoutWidthless), texts];
}

/** Invisible characters must not make two keys of one: an order would be sent in two halves. */
function keyText(cell: Cell | undefined): string {
  return cell === undefined ? '' : withoutWidthless(trimInvisible(cell.identifier ?? cell.text));
}

/**
 * The rows without those that have the same visible cells as an earlier row in all these columns. Such rows count once
 * (contract section 4), and a warning names them.
 */
export function distinctRows(
  rows: readonly Row[],
  columns: readonly number[],
  pass: MappingPass,
): readonly Row[] {
  if (!pass.mergesRows || rows.length < 2 || columns.length === 0) return rows;
  const groups = rowsByText(rows, columns);
  if (groups.size === rows.length) return rows;
  pass.merged = true;
  const distinct: Row[] = [];
  for (const same of groups.values()) {
    const first = same[0]!;
    distinct.push(first);
    if (same.length > 1) {
      pass.warnings.push(message('mapping.rows_agree', { sheet: first.sheet, rows: rowNumbers(same) }));
    }
  }
  return distinct;
}

/** Warns about equal elements from different rows. */
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
      // Kinds are compared too: the text `#N/A` must not hide the error value of another row.
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

/** True if any of these cells is filled, or if there are no columns. */
export function isFilled(rows: readonly Row[], columns: readonly number[]): boolean {
  return columns.length === 0 || filledColumn(rows, columns) !== undefined;
}

/** The first column with a filled cell in one of the rows. */
export function filledColumn(rows: readonly Row[], columns: readonly number[]): number | undefined {
  for (const row of rows) {
    for (const column of columns) {
      const cell = row.cell(column);
      // A cell without visible text may still be invalid, and then is not empty.
      if (cell && (cell.kind === 'no_result' || cell.kind === 'merged' || !isBlank(cell.text))) return column;
    }
  }
  return undefined;
}

/**
 * The key of a joined row; undefined if its mapped cells are empty. A row with content but no key gets a key that matches no
 * row, so that it is reported as unused.
 * @param read all columns of its sheet that the map reads
 */
export function joinKey(row: Row, columns: readonly number[], read: readonly number[]): string | undefined {
  return rowKey(row, columns) ?? (isFilled([row], read) ? NO_JOIN_KEY : undefined);
}

/**
 * Reports the invalid cells of a row's key, unless a leaf of the node or an outer key reports them.
 * @returns whether there are any
 */
export function reportKeyFaults(
  row: Row,
  columns: readonly number[],
  isIdentifier: IsIdentifierColumn,
  bound: { readonly path: string; readonly columns: readonly number[] },
  pass: MappingPass,
): boolean {
  let isInvalid = false;
  for (const column of columns) {
    const message = keyFault(row, column, isIdentifier);
    if (!message) continue;
    isInvalid = true;
    if (!bound.columns.includes(column) && !pass.hasFault(row, column)) {
      pass.fault(row, bound.path, { column, message });
    }
  }
  return isInvalid;
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

/** The key of the element that a row belongs to; undefined, with a report, if the row has none. */
function elementKey(
  bound: BoundBranch,
  source: ElementSource & { kind: 'columns' },
  row: Row,
  pass: MappingPass,
): string | undefined {
  const key = rowKey(row, source.columns);
  // Without a key there is no element whose leaves could report an invalid cell.
  const reporting = key === undefined ? { path: bound.path, columns: [] } : bound;
  const hasFault = reportKeyFaults(row, source.columns, source.isIdentifier, reporting, pass);
  if (key === undefined && !hasFault) pass.addRowWithoutKey(row, bound);
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
    const withheld = pass.lookup.held?.(source.join, key);
    if (withheld) pass.fault(row, bound.path, { column: source.columns[0]!, message: withheld });
    for (const joined of pass.lookup.rows(source.join, key)) {
      reportKeyFaults(joined, source.join.keyColumns, source.join.isIdentifier, bound, pass);
      found.push(joined);
    }
  }
  return found;
}
