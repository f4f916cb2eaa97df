import { message } from '../errors/message.js';
import type { Json } from '../model/json.js';
import type { Row } from '../model/row.js';
import { cellAddress } from '../util/address.js';
import { rowNumbers } from './agreeing-rows.js';
import { excerpt, type Warning } from './convert/conversion.js';
import { hasWidthless } from './convert/text.js';
import type { Pass } from './pass.js';
import type { LeafPlan } from './plan.js';

/** Grouped by the wrong column, a whole sheet is one group of conflicts: these are enough to see it. */
const CONFLICTS_TOLD = 20;

/** The value of a leaf over the rows of a group: gathered for String arrays, else the one on which all agree. */
export function leafValue(plan: LeafPlan, rows: readonly Row[], pass: Pass): Json | undefined {
  if (rows.length === 1 || plan.columns.length === 0) return rowValue(plan, rows[0]!, pass);
  return plan.field.type === 'String array' ? gathered(plan, rows, pass) : agreed(plan, rows, pass);
}

/** A field that the program would make up is mapped because the sheet's own value is meant: empty, it is lacking. */
function isNeeded(plan: LeafPlan): boolean {
  return plan.field.required || (plan.field.generated === true && plan.columns.length > 0);
}

function rowValue(plan: LeafPlan, row: Row, pass: Pass): Json | undefined {
  const reading = plan.read(row);
  if (reading.kind === 'value') {
    if (reading.warning !== undefined) tellWarning(plan, reading.warning, row, pass);
    return reading.value;
  }
  if (reading.kind === 'faults') for (const it of reading.faults) pass.fault(row, plan.path, it);
  else if (isNeeded(plan)) tellEmpty(plan, row, pass);
  return undefined;
}

/** Distinct texts of all rows in order of first appearance. */
function gathered(plan: LeafPlan, rows: readonly Row[], pass: Pass): Json | undefined {
  const found = new Set<Json>();
  let faulty = false;
  for (const row of rows) {
    const reading = plan.read(row);
    if (reading.kind === 'value') {
      if (reading.warning !== undefined) tellWarning(plan, reading.warning, row, pass);
      for (const text of reading.value as readonly Json[]) found.add(text);
    } else if (reading.kind === 'faults') {
      faulty = true;
      for (const it of reading.faults) pass.fault(row, plan.path, it);
    }
  }
  if (found.size > 0) return [...found];
  if (isNeeded(plan) && !faulty) tellEmpty(plan, rows[0]!, pass);
  return undefined;
}

/** One value for all rows. The first row that was read without fault is what the others are held against. */
function agreed(plan: LeafPlan, rows: readonly Row[], pass: Pass): Json | undefined {
  let first: { readonly row: Row; readonly value: Json | undefined } | undefined;
  let conflicts = 0;
  for (const row of rows) {
    const reading = plan.read(row);
    if (reading.kind === 'faults') {
      for (const it of reading.faults) pass.fault(row, plan.path, it);
      continue;
    }
    if (reading.kind === 'empty' && isNeeded(plan)) {
      tellEmpty(plan, row, pass);
      continue;
    }
    if (reading.kind === 'value' && reading.warning !== undefined) {
      tellWarning(plan, reading.warning, row, pass);
    }
    const value = reading.kind === 'value' ? reading.value : undefined;
    if (!first) first = { row, value };
    else if (first.value !== value && conflicts < CONFLICTS_TOLD) {
      if (conflicts === 0) tellConflict(plan, first.row, row, rows, pass);
      tellConflict(plan, row, first.row, rows, pass);
      conflicts += 1;
    }
  }
  return first?.value;
}

/** Of several cells that a value is made of, the one that holds more than the value is named. */
function tellWarning(plan: LeafPlan, warning: Warning, row: Row, pass: Pass): void {
  const holds = (column: number): boolean => {
    const cell = row.cell(column);
    return cell !== undefined && (cell.shown !== undefined || hasWidthless(cell.text));
  };
  const column = plan.columns.find(holds) ?? plan.columns[0];
  const address = column === undefined ? `${row.number}` : cellAddress(column, row.number);
  pass.warnings.push(warning({ cell: `${row.sheet}!${address}`, field: plan.name }));
}

function tellEmpty(plan: LeafPlan, row: Row, pass: Pass): void {
  const [column] = plan.columns;
  const [header] = plan.headers;
  if (column === undefined || header === undefined) {
    pass.fault(row, plan.path, { message: message('mapping.required_no_value') });
    return;
  }
  // Several cells came to nothing together (a template, an expression): only a single one can be called empty.
  const single = plan.columns.length === 1 && (row.cell(column)?.text ?? '').trim() === '';
  const told = single ? message('mapping.required_empty', { header }) : message('mapping.required_no_value');
  pass.fault(row, plan.path, { column, message: told });
}

function tellConflict(plan: LeafPlan, row: Row, other: Row, rows: readonly Row[], pass: Pass): void {
  const params = {
    value: shown(plan, row),
    row: other.number,
    other: shown(plan, other),
    rows: rowNumbers(rows),
  };
  const told = message('mapping.conflict', params);
  const [column] = plan.columns;
  pass.fault(row, plan.path, column === undefined ? { message: told } : { column, message: told });
}

function shown(plan: LeafPlan, row: Row): string {
  return plan.columns.map((column) => `"${excerpt(row.cell(column)?.text ?? '')}"`).join(' + ');
}
