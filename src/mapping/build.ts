import { message } from '../errors/message.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Row } from '../model/row.js';
import type { BoundBranch, BoundEntry, Members } from './bound-entry.js';
import { elementRows, isFilled } from './elements.js';
import { warnOfEqualElements } from './equal-rows.js';
import { leafValue } from './leaf-value.js';
import type { MappingPass } from './mapping-pass.js';

/**
 * Builds an object from the rows of one group. Empty values are left out, faults go to the pass. Names are sorted at every
 * depth, so that the JSON text can be digested as it is.
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
    // An empty element is left out, unless faults made it empty.
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
  // With a faulty key the array may have elements after all; then only the key's fault is reported.
  if (bound.field.required && pass.faults.length === before) reportEmptyArray(bound, rows, pass);
  return undefined;
}

function isEmpty(object: JsonObject): boolean {
  for (const _name in object) return false;
  return true;
}
