import { message } from '../errors/message.js';
import type { Row } from '../model/row.js';
import { cellAddress } from '../util/address.js';
import { filledColumn } from './elements.js';
import type { Pass } from './pass.js';
import type { BranchPlan, Plan } from './plan.js';

/*
 * The invariant of mapping: every mapped, filled cell of a row that is neither `invalid` nor `skipped` stands in that
 * row's request. A row without a key for a node gives no element there, so its cells below that node would be lost.
 */

/** Tells the rows whose cells would stand nowhere, because the nodes that read them got no element from the row. */
export function tellLostCells(plans: readonly Plan[], pass: Pass): void {
  for (const [row, without] of pass.keyless) {
    for (const plan of without) {
      if (plan.source.kind !== 'columns') continue;
      const carried = carriedBeside(plans, without, plan);
      const below = columnsBelow(plan).filter((column) => !carried.has(column));
      const lost = filledColumn([row], below);
      if (lost === undefined) continue;
      pass.retract(row, plan.path, 'mapping.array_empty');
      tellKeyEmpty(row, plan, lost, pass);
    }
  }
}

/** The fault of a row whose key is empty while it fills a cell that belongs under that key. */
export function tellKeyEmpty(row: Row, plan: BranchPlan, filled: number | undefined, pass: Pass): void {
  if (plan.source.kind !== 'columns') return;
  const { columns, headers } = plan.source;
  const named = headers.map((it) => `"${it}"`).join(', ');
  const empty = columns.map((column) => cellAddress(column, row.number)).join(', ');
  const told =
    filled === undefined
      ? message('mapping.key_empty', { headers: named })
      : message('mapping.key_empty_below', {
          headers: named,
          empty,
          filled: cellAddress(filled, row.number),
          field: plan.name,
          columns: headers.join(', '),
        });
  pass.fault(row, plan.path, { column: columns[0]!, message: told });
}

/** Columns of the node's own sheet that it or a node within it reads; its key is left out. */
function columnsBelow(plan: BranchPlan): readonly number[] {
  const key = plan.source.kind === 'columns' ? plan.source.columns : [];
  const found = new Set<number>();
  for (const it of plan.members.plans) addColumns(it, new Set(), found);
  return [...found].filter((column) => !key.includes(column));
}

/** Columns that the plan reads of the sheet it stands in, but for what the nodes left out read. */
function addColumns(plan: Plan, without: ReadonlySet<Plan>, found: Set<number>): void {
  if (without.has(plan)) return;
  if (plan.kind === 'leaf') {
    for (const column of plan.columns) found.add(column);
    return;
  }
  if (plan.source.kind !== 'rows') for (const column of plan.source.columns) found.add(column);
  if (plan.source.kind === 'sheet') return;
  for (const it of plan.members.plans) addColumns(it, without, found);
}

/** Columns that the row's other nodes read, those of the same sheet: what stands there is in the request already. */
function carriedBeside(
  plans: readonly Plan[],
  without: ReadonlySet<Plan>,
  wanted: BranchPlan,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const it of plansOfSheet(plans, wanted, plans) ?? plans) addColumns(it, without, found);
  return found;
}

/** The plans that read the sheet of the wanted node: all of them, or the members of the join that it stands in. */
function plansOfSheet(
  plans: readonly Plan[],
  wanted: BranchPlan,
  sheet: readonly Plan[],
): readonly Plan[] | undefined {
  for (const plan of plans) {
    if (plan === wanted) return sheet;
    if (plan.kind === 'leaf') continue;
    const { plans: members } = plan.members;
    const found = plansOfSheet(members, wanted, plan.source.kind === 'sheet' ? members : sheet);
    if (found) return found;
  }
  return undefined;
}
