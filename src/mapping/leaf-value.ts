import { message } from '../errors/message.js';
import type { Json } from '../model/json.js';
import type { Row } from '../model/row.js';
import { cellAddress } from '../util/address.js';
import type { BoundLeaf } from './bound-entry.js';
import { excerpt, type Warning } from './convert/conversion.js';
import { hasWidthless } from './convert/text.js';
import { rowNumbers } from './equal-rows.js';
import type { MappingPass } from './mapping-pass.js';
import { isSheetColumn, shownResult } from './steps/step-columns.js';

/** Conflicts reported for one group. A sheet grouped by the wrong column would have one for each row. */
const CONFLICTS_REPORTED = 20;

/** The value of a leaf for the rows of a group: their union for String arrays, else the value on which all agree. */
export function leafValue(bound: BoundLeaf, rows: readonly Row[], pass: MappingPass): Json | undefined {
  if (rows.length === 1 || bound.columns.length === 0) return rowValue(bound, rows[0]!, pass);
  return bound.field.type === 'String array' ? union(bound, rows, pass) : agreed(bound, rows, pass);
}

/** Whether an empty value is a fault: for required fields, and for generated ones that the job maps to a column. */
function isNeeded(bound: BoundLeaf): boolean {
  return bound.field.required || (bound.field.generated === true && bound.columns.length > 0);
}

function rowValue(bound: BoundLeaf, row: Row, pass: MappingPass): Json | undefined {
  const reading = bound.read(row, pass.answers);
  if (reading.kind === 'value') {
    if (reading.warning !== undefined) addWarning(bound, reading.warning, row, pass);
    if (reading.given) pass.stand(bound, reading.given);
    return pass.valueOf(reading);
  }
  if (reading.kind === 'unanswered') pass.unanswered.push(reading.request);
  else if (reading.kind === 'faults') for (const it of reading.faults) pass.fault(row, bound.path, it);
  else if (isNeeded(bound)) reportEmpty(bound, row, pass);
  return undefined;
}

/** The distinct texts of all rows, in order of first appearance. */
function union(bound: BoundLeaf, rows: readonly Row[], pass: MappingPass): Json | undefined {
  const found = new Set<Json>();
  let faulty = false;
  for (const row of rows) {
    const reading = bound.read(row, pass.answers);
    if (reading.kind === 'value') {
      if (reading.warning !== undefined) addWarning(bound, reading.warning, row, pass);
      if (reading.given) pass.stand(bound, reading.given);
      for (const text of pass.valueOf(reading) as readonly Json[]) found.add(text);
    } else if (reading.kind === 'unanswered') pass.unanswered.push(reading.request);
    else if (reading.kind === 'faults') {
      faulty = true;
      for (const it of reading.faults) pass.fault(row, bound.path, it);
    }
  }
  if (found.size > 0) return [...found];
  if (isNeeded(bound) && !faulty) reportEmpty(bound, rows[0]!, pass);
  return undefined;
}

/** The one value of all rows. Each row is compared with the first one without a fault. */
function agreed(bound: BoundLeaf, rows: readonly Row[], pass: MappingPass): Json | undefined {
  let first: { readonly row: Row; readonly value: Json | undefined } | undefined;
  let conflicts = 0;
  for (const row of rows) {
    const reading = bound.read(row, pass.answers);
    if (reading.kind === 'faults') {
      for (const it of reading.faults) pass.fault(row, bound.path, it);
      continue;
    }
    if (reading.kind === 'unanswered') {
      pass.unanswered.push(reading.request);
      continue;
    }
    if (reading.kind === 'empty' && isNeeded(bound)) {
      reportEmpty(bound, row, pass);
      continue;
    }
    if (reading.kind === 'value' && reading.warning !== undefined) {
      addWarning(bound, reading.warning, row, pass);
    }
    if (reading.kind === 'value' && reading.given) pass.stand(bound, reading.given);
    const value = reading.kind === 'value' ? pass.valueOf(reading) : undefined;
    if (!first) first = { row, value };
    else if (first.value !== value && conflicts < CONFLICTS_REPORTED) {
      if (conflicts === 0) reportConflict(bound, first.row, row, rows, pass);
      reportConflict(bound, row, first.row, rows, pass);
      conflicts += 1;
    }
  }
  return first?.value;
}

/** Adds a warning that names the cell which contains more than the value. */
function addWarning(bound: BoundLeaf, warning: Warning, row: Row, pass: MappingPass): void {
  const holds = (column: number): boolean => {
    const cell = row.cell(column);
    return (
      cell !== undefined &&
      (cell.seen !== undefined ||
        cell.shown !== undefined ||
        cell.identifier !== undefined ||
        hasWidthless(cell.text))
    );
  };
  const columns = bound.columns.filter(isSheetColumn);
  const column = columns.find(holds) ?? columns[0];
  const address = column === undefined ? `${row.number}` : cellAddress(column, row.number);
  pass.warnings.push(warning({ cell: `${row.sheet}!${address}`, field: bound.name }));
}

function reportEmpty(bound: BoundLeaf, row: Row, pass: MappingPass): void {
  const [column] = bound.columns;
  const [header] = bound.headers;
  const why = bound.whyEmpty?.(row);
  if (why) {
    pass.fault(row, bound.path, { column, message: why });
    return;
  }
  if (column === undefined || header === undefined) {
    pass.fault(row, bound.path, { message: message('mapping.required_no_value') });
    return;
  }
  // Only a single cell can be called empty; several made an empty template or expression together.
  const single = bound.columns.length === 1 && (row.cell(column)?.text ?? '').trim() === '';
  const detail = single
    ? message('mapping.required_empty', { header })
    : message('mapping.required_no_value');
  pass.fault(row, bound.path, { column, message: detail });
}

function reportConflict(
  bound: BoundLeaf,
  row: Row,
  other: Row,
  rows: readonly Row[],
  pass: MappingPass,
): void {
  const values = { value: shown(bound, row), other: shown(bound, other) };
  const conflict = message('mapping.conflict', { ...values, row: other.number, rows: rowNumbers(rows) });
  pass.fault(row, bound.path, { column: bound.columns[0], message: conflict });
}

function shown(bound: BoundLeaf, row: Row): string {
  const texts = bound.columns.map((column) => {
    const cell = row.cell(column);
    return isSheetColumn(column) ? (cell?.text ?? '') : shownResult(cell);
  });
  return texts.map((it) => `"${excerpt(it)}"`).join(' + ');
}
