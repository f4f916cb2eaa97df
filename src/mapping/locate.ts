import type { Row } from '../model/row.js';
import { buildElements } from './build.js';
import type { MappingPass } from './mapping-pass.js';
import type { LeafPlan, Plan } from './plan.js';

/** Where a value of a request comes from. */
interface ValueOrigin {
  readonly row: Row;
  /** 1-based; absent if the value comes from no cell. */
  readonly column?: number;
}

/**
 * Finds the cell behind a wire path with indexes. Needed only when a rule is broken, so the elements are built again here
 * instead of being stored for every item.
 * @param members plans of the object that `steps` start from, and `rows` it was built from
 */
export function locate(
  members: readonly Plan[],
  rows: readonly Row[],
  steps: readonly PathStep[],
  pass: MappingPass,
): ValueOrigin {
  const row = rows[0]!;
  const [step, ...rest] = steps;
  const plan = step && members.find((it) => it.name === step.name);
  if (!plan) return { row };
  if (plan.kind === 'leaf') return leafOrigin(plan, rows, step.index, pass);
  if (plan.kind === 'object') return locate(plan.members.plans, rows, rest, pass);
  const element = step.index === undefined ? undefined : buildElements(plan, rows, pass.again())[step.index];
  if (element) {
    return rest.length > 0
      ? locate(plan.members.plans, element.rows, rest, pass)
      : { row: element.rows[0]!, column: plan.columns[0] };
  }
  // An empty or missing array: the cell that would have filled it.
  return { row, column: plan.source.kind === 'rows' ? plan.columns[0] : plan.source.columns[0] };
}

export interface PathStep {
  readonly name: string;
  readonly index?: number;
}

/** The steps of a path such as `assets[1].products`. */
export function pathSteps(path: string): readonly PathStep[] {
  return path.split('.').map((part) => {
    const match = /^(.*)\[(\d+)\]$/.exec(part);
    return match ? { name: match[1]!, index: Number(match[2]) } : { name: part };
  });
}

function leafOrigin(
  plan: LeafPlan,
  rows: readonly Row[],
  index: number | undefined,
  pass: MappingPass,
): ValueOrigin {
  if (index === undefined || rows.length === 1) return { row: rows[0]!, column: plan.columns[0] };
  // An array of strings comes from all rows; the first row with the value counts.
  const seen = new Set<unknown>();
  for (const row of rows) {
    const reading = plan.read(row, pass.answers);
    if (reading.kind !== 'value' || !Array.isArray(reading.value)) continue;
    for (const text of reading.value) seen.add(text);
    if (seen.size > index) return { row, column: plan.columns[0] };
  }
  return { row: rows[0]!, column: plan.columns[0] };
}
