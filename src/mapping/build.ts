import { message } from '../errors/message.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Row } from '../model/row.js';
import { cellAddress } from '../util/spreadsheet-text.js';
import type { BoundBranch, BoundEntry, BoundLeaf, Members } from './bound-entry.js';
import { excerpt, type Warning } from './convert/conversion.js';
import { hasWidthless } from './convert/text.js';
import { elementRows, isFilled, rowNumbers, warnOfEqualElements } from './group-key.js';
import type { MappingPass } from './mapping-pass.js';
import { isSheetColumn, shownResult } from './steps/step-columns.js';

/** Conflicts reported for one group. A sheet grouped by the wrong column would have one for each row. */
const CONFLICTS_REPORTED = 20;

/** The value of a leaf for the rows of a group: the union for String arrays, otherwise the value that all rows must have. */
function leafValue(bound: BoundLeaf, rows: readonly Row[], pass: MappingPass): Json | undefined {
  if (rows.length === 1 || bound.columns.length === 0) return rowValue(bound, rows[0]!, pass);
  return bound.field.type === 'String array' ? union(bound, rows, pass) : agreed(bound, rows, pass);
}

/** True if an empty value is an error: for required fields, and for generated ones that the job maps to a column. */
function isNeeded(bound: BoundLeaf): boolean {
  return bound.field.required || (bound.field.generated === true && bound.columns.length > 0);
}

const FAILED = Symbol('failed');

/** A leaf's value in one row; undefined if it is empty. Warnings, errors and pending lookups are added to the pass. */
function readRow(bound: BoundLeaf, row: Row, pass: MappingPass): Json | undefined | typeof FAILED {
  const reading = bound.read(row, pass.answers);
  switch (reading.kind) {
    case 'value':
      if (reading.warning !== undefined) addWarning(bound, reading.warning, row, pass);
      if (reading.given) pass.stand(bound, reading.given);
      return pass.valueOf(reading);
    case 'empty':
      return undefined;
    case 'unanswered':
      pass.unanswered.push(reading.request);
      return FAILED;
    case 'faults':
      for (const fault of reading.faults) pass.fault(row, bound.path, fault);
      return FAILED;
  }
}

function rowValue(bound: BoundLeaf, row: Row, pass: MappingPass): Json | undefined {
  const value = readRow(bound, row, pass);
  if (value === undefined && isNeeded(bound)) reportEmpty(bound, row, pass);
  return value === FAILED ? undefined : value;
}

/** The distinct texts of all rows, in order of first appearance. */
function union(bound: BoundLeaf, rows: readonly Row[], pass: MappingPass): Json | undefined {
  const found = new Set<Json>();
  let failed = false;
  for (const row of rows) {
    const value = readRow(bound, row, pass);
    if (value === FAILED) failed = true;
    else if (value !== undefined) for (const text of value as readonly Json[]) found.add(text);
  }
  if (found.size > 0) return [...found];
  if (isNeeded(bound) && !failed) reportEmpty(bound, rows[0]!, pass);
  return undefined;
}

/** The common value of all rows. Each row is compared with the first one without an error. */
function agreed(bound: BoundLeaf, rows: readonly Row[], pass: MappingPass): Json | undefined {
  let first: { readonly row: Row; readonly value: Json | undefined } | undefined;
  let conflicts = 0;
  for (const row of rows) {
    const value = readRow(bound, row, pass);
    if (value === FAILED) continue;
    if (value === undefined && isNeeded(bound)) {
      reportEmpty(bound, row, pass);
      continue;
    }
    if (!first) first = { row, value };
    else if (first.value !== value && conflicts < CONFLICTS_REPORTED) {
      if (conflicts === 0) reportConflict(bound, first.row, row, rows, pass);
      reportConflict(bound, row, first.row, rows, pass);
      conflicts += 1;
    }
  }
  return first?.value;
}

/** Adds a warning at the cell that shows or contains something other than the value. */
function addWarning(bound: BoundLeaf, warning: Warning, row: Row, pass: MappingPass): void {
  const differs = (column: number): boolean => {
    const { text = '', seen, shown: shownText, identifier, hidesTime } = row.cell(column) ?? {};
    const isShownOtherwise = (seen ?? shownText ?? identifier) !== undefined;
    return isShownOtherwise || hidesTime === true || hasWidthless(text);
  };
  const columns = bound.columns.filter(isSheetColumn);
  const column = columns.find(differs) ?? columns[0];
  const address = column === undefined ? `${row.number}` : cellAddress(column, row.number);
  pass.warnings.push(warning({ cell: `${row.sheet}!${address}`, field: bound.name }));
}

function reportEmpty(bound: BoundLeaf, row: Row, pass: MappingPass): void {
  const [column] = bound.columns;
  const [header] = bound.headers;
  // With several columns the template or expression is empty, not necessarily its cells.
  const isSingle = bound.columns.length === 1 && (row.cell(column!)?.text ?? '').trim() === '';
  const why =
    bound.whyEmpty?.(row) ??
    (isSingle && header !== undefined
      ? message('mapping.required_empty', { header })
      : message('mapping.required_no_value'));
  pass.fault(row, bound.path, { column, message: why });
}

function reportConflict(
  bound: BoundLeaf,
  row: Row,
  conflicting: Row,
  rows: readonly Row[],
  pass: MappingPass,
): void {
  const values = { value: shown(bound, row), other: shown(bound, conflicting) };
  const params = { ...values, row: conflicting.number, rows: rowNumbers(rows) };
  const conflict = message('mapping.conflict', params);
  pass.fault(row, bound.path, { column: bound.columns[0], message: conflict });
}

function shown(bound: BoundLeaf, row: Row): string {
  const texts = bound.columns.map((column) => {
    const cell = row.cell(column);
    return isSheetColumn(column) ? (cell?.text ?? '') : shownResult(cell);
  });
  return texts.map((it) => `"${excerpt(it)}"`).join(' + ');
}

/**
 * Builds an object from the rows of one group. Empty values are omitted, errors are added to the pass. Names are sorted at every
 * depth, so that equal objects have the same JSON text and digest.
 * @param rows at least one, all of the sheet that the members read
 */
export function buildObject(
  { entries, byName }: Members,
  rows: readonly Row[],
  pass: MappingPass,
): JsonObject {
  const built: (Json | undefined)[] = [];
  for (const bound of entries) built.push(buildMember(bound, rows, pass));
  const object: Record<string, Json> = {};
  for (const place of byName) {
    const value = built[place];
    if (value !== undefined) object[entries[place]!.name] = value;
  }
  return object;
}

/** The elements of an array with the rows they come from, in order. */
export function buildElements(
  bound: BoundBranch,
  rows: readonly Row[],
  pass: MappingPass,
): readonly { readonly rows: readonly Row[]; readonly element: JsonObject }[] {
  const built: { rows: readonly Row[]; element: JsonObject }[] = [];
  for (const group of elementRows(bound, rows, pass)) {
    const before = pass.faults.length;
    const element = buildObject(bound.members, group, pass);
    // An empty element is omitted, unless errors made it empty.
    if (pass.faults.length > before || !isEmpty(element)) built.push({ rows: group, element });
  }
  if (bound.source.kind !== 'columns' && built.length > 1) {
    warnOfEqualElements(
      built.map((it) => it.rows[0]!),
      bound.columns,
      bound.path,
      pass,
    );
  }
  return built;
}

/** Reports a required array without elements. */
export function reportEmptyArray(bound: BoundBranch, rows: readonly Row[], pass: MappingPass): void {
  const row = rows[0]!;
  if (bound.source.kind !== 'sheet') {
    const column = bound.source.kind === 'columns' ? bound.source.columns[0] : bound.columns[0];
    pass.fault(row, bound.path, { column, message: message('mapping.array_empty') });
    return;
  }
  const { columns, join } = bound.source;
  const key = columns.map((column) => row.cell(column)?.text ?? '').join(' + ');
  const params = { sheet: join.sheet, on: join.on.join(' + '), key };
  pass.fault(row, bound.path, { column: columns[0], message: message('mapping.array_empty_joined', params) });
}

function buildMember(bound: BoundEntry, rows: readonly Row[], pass: MappingPass): Json | undefined {
  if (bound.kind === 'leaf') return leafValue(bound, rows, pass);
  if (bound.kind === 'array') return buildArray(bound, rows, pass);
  if (!isFilled(rows, bound.columns)) {
    if (bound.field.required) reportEmptyArray(bound, rows, pass);
    return undefined;
  }
  const object = buildObject(bound.members, rows, pass);
  return isEmpty(object) ? undefined : object;
}

function buildArray(bound: BoundBranch, rows: readonly Row[], pass: MappingPass): Json | undefined {
  const before = pass.faults.length;
  const elements = buildElements(bound, rows, pass);
  if (elements.length > 0) return elements.map((it) => it.element);
  if (bound.field.default !== undefined) return bound.field.default;
  // With an invalid key it is unknown whether the array has elements, so that only the key's error is reported.
  if (bound.field.required && pass.faults.length === before) reportEmptyArray(bound, rows, pass);
  return undefined;
}

function isEmpty(object: JsonObject): boolean {
  for (const _name in object) return false;
  return true;
}
