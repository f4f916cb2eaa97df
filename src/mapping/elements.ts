import type { Row } from '../model/row.js';
import { isBlank } from '../util/blank.js';
import { distinctRows } from './agreeing-rows.js';
import { NO_JOIN_KEY } from './contract.js';
import { keyFault, rowKey } from './group-key.js';
import type { Pass } from './pass.js';
import type { BranchPlan, ElementSource } from './plan.js';

/** The rows of each element of an array, in order; of another sheet where the array joins one. */
export function elementRows(plan: BranchPlan, rows: readonly Row[], pass: Pass): readonly (readonly Row[])[] {
  switch (plan.source.kind) {
    case 'rows':
      return single(plan, rows);
    case 'columns':
      return grouped(plan, plan.source, rows, pass);
    case 'sheet': {
      const joined = distinctRows(joinedRows(plan, plan.source, rows, pass), plan.source.read, pass);
      return single(plan, joined);
    }
  }
}

/** Whether any of the columns holds something in any of the rows; true where there are no columns to be empty. */
export function isFilled(rows: readonly Row[], columns: readonly number[]): boolean {
  return columns.length === 0 || filledColumn(rows, columns) !== undefined;
}

/** The first of the columns that holds something in one of the rows. */
export function filledColumn(rows: readonly Row[], columns: readonly number[]): number | undefined {
  for (const row of rows) {
    for (const column of columns) {
      const cell = row.cell(column);
      // What shows nothing may be a fault nevertheless, and no empty cell.
      if (cell && (cell.kind === 'no_result' || cell.kind === 'merged' || !isBlank(cell.text))) return column;
    }
  }
  return undefined;
}

/**
 * The key of a joined row; undefined when there is nothing in it to lose. A row without a key but with content gets
 * one that belongs to nobody, so that it is found among the rows that nobody asked for.
 * @param read all columns of its sheet that the map reads
 */
export function joinKey(row: Row, columns: readonly number[], read: readonly number[]): string | undefined {
  return rowKey(row, columns) ?? (isFilled([row], read) ? NO_JOIN_KEY : undefined);
}

/** Tells the cells that make a row's key unusable, unless a leaf of the node reads them too and tells it, or a key around it did. */
export function tellKeyFaults(
  row: Row,
  columns: readonly number[],
  plan: { readonly path: string; readonly columns: readonly number[] },
  pass: Pass,
): boolean {
  let any = false;
  for (const column of columns) {
    const wrong = keyFault(row, column);
    if (!wrong) continue;
    any = true;
    if (!plan.columns.includes(column) && !pass.hasTold(row, column)) {
      pass.fault(row, plan.path, { column, message: wrong });
    }
  }
  return any;
}

function single(plan: BranchPlan, rows: readonly Row[]): readonly (readonly Row[])[] {
  const groups = rows.map((row) => [row]);
  return plan.skipsEmpty ? groups.filter((group) => isFilled(group, plan.columns)) : groups;
}

function grouped(
  plan: BranchPlan,
  source: ElementSource & { kind: 'columns' },
  rows: readonly Row[],
  pass: Pass,
): readonly (readonly Row[])[] {
  const [only] = rows;
  if (only && rows.length === 1) return elementKey(plan, source, only, pass) === undefined ? [] : [rows];
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = elementKey(plan, source, row, pass);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

/** The key of the element that a row belongs to; undefined where it has none, and what is wrong with that is told. */
function elementKey(
  plan: BranchPlan,
  source: ElementSource & { kind: 'columns' },
  row: Row,
  pass: Pass,
): string | undefined {
  const key = rowKey(row, source.columns);
  // A formula without a result is an empty text: then there is no element whose leaves could tell it.
  const tellers = key === undefined ? { path: plan.path, columns: [] } : plan;
  const faulty = tellKeyFaults(row, source.columns, tellers, pass);
  if (key === undefined && !faulty) pass.withoutKey(row, plan);
  return key;
}

function joinedRows(
  plan: BranchPlan,
  source: ElementSource & { kind: 'sheet' },
  rows: readonly Row[],
  pass: Pass,
): readonly Row[] {
  const keys = new Set<string>();
  const found: Row[] = [];
  for (const row of rows) {
    // The node's columns are those of the other sheet: none of its leaves reads this cell.
    if (tellKeyFaults(row, source.columns, { path: plan.path, columns: [] }, pass)) continue;
    const key = rowKey(row, source.columns);
    if (key === undefined || keys.has(key)) continue;
    keys.add(key);
    const held = pass.lookup.held?.(source.join, key);
    if (held) pass.fault(row, plan.path, { column: source.columns[0]!, message: held });
    for (const joined of pass.lookup.rows(source.join, key)) {
      tellKeyFaults(joined, source.join.keyColumns, plan, pass);
      found.push(joined);
    }
  }
  return found;
}
