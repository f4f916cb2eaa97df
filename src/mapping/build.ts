import { message } from '../errors/message.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Row } from '../model/row.js';
import { elementRows, isFilled } from './elements.js';
import { warnOfEqualElements } from './equal-rows.js';
import { leafValue } from './leaf-value.js';
import type { MappingPass } from './mapping-pass.js';
import type { BranchPlan, Members, Plan } from './plan.js';

/**
 * Builds an object from the rows of one group. Empty values are left out, faults go to the pass. Names are sorted at every
 * depth, so that the JSON text can be digested as it is.
 * @param rows at least one, all of the sheet that the members read
 */
export function buildObject({ plans, byName }: Members, rows: readonly Row[], pass: MappingPass): JsonObject {
  const built: (Json | undefined)[] = [];
  for (const plan of plans) built.push(buildMember(plan, rows, pass));
  const object: Record<string, Json> = {};
  for (const place of byName) {
    const value = built[place];
    if (value !== undefined) object[plans[place]!.name] = value;
  }
  return object;
}

/** The elements of an array with the rows they come from, in order. */
export function buildElements(
  plan: BranchPlan,
  rows: readonly Row[],
  pass: MappingPass,
): readonly { readonly rows: readonly Row[]; readonly element: JsonObject }[] {
  const built: { rows: readonly Row[]; element: JsonObject }[] = [];
  for (const group of elementRows(plan, rows, pass)) {
    const before = pass.faults.length;
    const element = buildObject(plan.members, group, pass);
    // An empty element is left out, unless faults made it empty.
    if (pass.faults.length > before || !isEmpty(element)) built.push({ rows: group, element });
  }
  if (plan.source.kind !== 'columns' && built.length > 1) {
    warnOfEqualElements(
      built.map((it) => it.rows[0]!),
      plan.columns,
      plan.path,
      pass,
    );
  }
  return built;
}

/** Reports a required array without elements. */
export function reportEmptyArray(plan: BranchPlan, rows: readonly Row[], pass: MappingPass): void {
  const row = rows[0]!;
  if (plan.source.kind !== 'sheet') {
    const column = plan.source.kind === 'columns' ? plan.source.columns[0] : plan.columns[0];
    pass.fault(row, plan.path, { column, message: message('mapping.array_empty') });
    return;
  }
  const { columns, join } = plan.source;
  const key = columns.map((column) => row.cell(column)?.text ?? '').join(' + ');
  const params = { sheet: join.sheet, on: join.on.join(' + '), key };
  pass.fault(row, plan.path, { column: columns[0], message: message('mapping.array_empty_joined', params) });
}

function buildMember(plan: Plan, rows: readonly Row[], pass: MappingPass): Json | undefined {
  if (plan.kind === 'leaf') return leafValue(plan, rows, pass);
  if (plan.kind === 'array') return buildArray(plan, rows, pass);
  if (!isFilled(rows, plan.columns)) {
    if (plan.field.required) reportEmptyArray(plan, rows, pass);
    return undefined;
  }
  const object = buildObject(plan.members, rows, pass);
  return isEmpty(object) ? undefined : object;
}

function buildArray(plan: BranchPlan, rows: readonly Row[], pass: MappingPass): Json | undefined {
  const before = pass.faults.length;
  const elements = buildElements(plan, rows, pass);
  if (elements.length > 0) return elements.map((it) => it.element);
  if (plan.field.default !== undefined) return plan.field.default;
  // With a faulty key the array may have elements after all; then only the key's fault is reported.
  if (plan.field.required && pass.faults.length === before) reportEmptyArray(plan, rows, pass);
  return undefined;
}

function isEmpty(object: JsonObject): boolean {
  for (const _name in object) return false;
  return true;
}
