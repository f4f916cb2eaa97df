import { message } from '../errors/message.js';
import type { Row } from '../model/row.js';
import { cellAddress } from '../util/address.js';
import { filledColumn } from './elements.js';
import type { MappingPass } from './mapping-pass.js';
import type { BranchPlan, Plan } from './plan.js';
import { isSheetColumn } from './steps/step-columns.js';

/*
 * The invariant of mapping: every mapped and filled cell of a row that is neither `invalid` nor `skipped` is in that row's
 * request. A row without a key gives a node no element, so its cells below that node would be lost silently.
 */

/** Reports rows with cells that are in no request, because the nodes that read them got no element from the row. */
export function reportLostCells(plans: readonly Plan[], pass: MappingPass): void {
  for (const [row, without] of pass.rowsWithoutKey) {
    for (const plan of without) {
      if (plan.source.kind !== 'columns') continue;
      const readElsewhere = columnsReadElsewhere(plans, without, plan);
      const below = columnsBelow(plan).filter((column) => !readElsewhere.has(column));
      const lost = filledColumn([row], below);
      if (lost === undefined) continue;
      pass.withdraw(row, plan.path, 'mapping.array_empty');
      reportEmptyKey(row, plan, lost, pass);
    }
  }
}

/** Reports a row with an empty key and a filled cell that belongs under that key. */
export function reportEmptyKey(
  row: Row,
  plan: BranchPlan,
  filled: number | undefined,
  pass: MappingPass,
): void {
  if (plan.source.kind !== 'columns') return;
  const { columns, headers } = plan.source;
  const named = headers.map((it) => `"${it}"`).join(', ');
  const empty = columns.map((column) => cellAddress(column, row.number)).join(', ');
  const detail =
    filled === undefined
      ? message('mapping.key_empty', { headers: named })
      : message('mapping.key_empty_below', {
          headers: named,
          empty,
          filled: cellAddress(filled, row.number),
          field: plan.name,
          columns: headers.join(', '),
        });
  pass.fault(row, plan.path, { column: columns[0]!, message: detail });
}

/** Columns of the node's own sheet that it and the nodes within it read, without its key. */
function columnsBelow(plan: BranchPlan): readonly number[] {
  const key = plan.source.kind === 'columns' ? plan.source.columns : [];
  const found = new Set<number>();
  for (const it of plan.members.plans) addColumns(it, new Set(), found);
  return [...found].filter((column) => isSheetColumn(column) && !key.includes(column));
}

/** Adds the columns that a plan reads from its sheet, without those of the nodes in `without`. */
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

/** Columns of the same sheet that other nodes read for this row: their cells are in the request anyway. */
function columnsReadElsewhere(
  plans: readonly Plan[],
  without: ReadonlySet<Plan>,
  wanted: BranchPlan,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const it of plansOfSheet(plans, wanted, plans) ?? plans) addColumns(it, without, found);
  return found;
}

/** The plans that read the same sheet as the wanted node: all of them, or the members of its join. */
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
