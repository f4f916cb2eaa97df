import type { Row } from '../model/row.js';
import { buildElements } from './build.js';
import type { Pass } from './pass.js';
import type { LeafPlan, Plan } from './plan.js';

/** Where a value of a request came from. */
export interface Origin {
  readonly row: Row;
  /** 1-based; absent when no cell is behind it. */
  readonly column?: number;
}

/**
 * Finds the cell behind a wire path with indexes. Only asked when a rule is broken, so the elements are worked out
 * once more instead of being remembered for every item.
 * @param members plans of the object that `steps` start from, and `rows` it was built from
 */
export function locate(
  members: readonly Plan[],
  rows: readonly Row[],
  steps: readonly PathStep[],
  pass: Pass,
): Origin {
  const row = rows[0]!;
  const [step, ...rest] = steps;
  const plan = step && members.find((it) => it.name === step.name);
  if (!plan) return { row };
  if (plan.kind === 'leaf') return leafOrigin(plan, rows, step.index);
  if (plan.kind === 'object') return locate(plan.members.plans, rows, rest, pass);
  const element = step.index === undefined ? undefined : buildElements(plan, rows, pass.again())[step.index];
  if (element) {
    return rest.length > 0
      ? locate(plan.members.plans, element.rows, rest, pass)
      : origin(element.rows[0]!, plan.columns[0]);
  }
  // An array that is empty or missing: the cells of the group that would have filled it.
  return origin(row, plan.source.kind === 'rows' ? plan.columns[0] : plan.source.columns[0]);
}

export interface PathStep {
  readonly name: string;
  readonly index?: number;
}

/** `assets[1].products` to its steps. */
export function pathSteps(path: string): readonly PathStep[] {
  return path.split('.').map((part) => {
    const match = /^(.*)\[(\d+)\]$/.exec(part);
    return match ? { name: match[1]!, index: Number(match[2]) } : { name: part };
  });
}

function leafOrigin(plan: LeafPlan, rows: readonly Row[], index: number | undefined): Origin {
  if (index === undefined || rows.length === 1) return origin(rows[0]!, plan.columns[0]);
  // An array of strings is gathered from all rows: the one that first brought the value.
  const seen = new Set<unknown>();
  for (const row of rows) {
    const reading = plan.read(row);
    if (reading.kind !== 'value' || !Array.isArray(reading.value)) continue;
    for (const text of reading.value) seen.add(text);
    if (seen.size > index) return origin(row, plan.columns[0]);
  }
  return origin(rows[0]!, plan.columns[0]);
}

function origin(row: Row, column: number | undefined): Origin {
  return column === undefined ? { row } : { row, column };
}
