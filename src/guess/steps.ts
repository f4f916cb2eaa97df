import { type Message, message } from '../errors/message.js';
import { isNeeded } from '../model/field.js';
import type { OperationName } from '../model/operation.js';
import { operationNamed } from '../platform/operations/index.js';
import { buildDraft, type Draft } from './build-draft.js';
import { headerName } from './column-leaf.js';
import { branchAt, type DraftBranch, type DraftLeaf, type DraftValue } from './draft.js';
import type { Join } from './joins.js';
import { type Match, sureness } from './match.js';
import { matchSheet } from './match-sheet.js';
import { holdsCounts, type Profile } from './profile.js';
import type { Fit } from './propose.js';
import type { SheetView } from './read-sheet.js';
import { targetsOf } from './targets.js';

/** A step of a job for a sheet that several operations read. */
export interface DraftStep {
  readonly name: string;
  readonly operation: OperationName;
  /** The column that is filled where the step isn't needed. */
  readonly unless?: string;
  readonly draft: Draft;
}

const NAMES: Readonly<Partial<Record<OperationName, string>>> = {
  'enterprise.bind': 'customer',
  'enterprise.create': 'customer',
  'order.new_buy': 'order',
};

/** What records of an earlier step fill, where the names differ. */
const FILLED_BY_RECORDS: Readonly<Record<string, string>> = {
  assetNos: 'assetNumber',
  assetNums: 'assetNumber',
};

/** The maps of several operations over one sheet; what an earlier one returns isn't looked for in columns again. */
export function draftSteps(
  operations: readonly OperationName[],
  main: SheetView,
  joinsOf: (operation: OperationName) => readonly Join[],
): readonly DraftStep[] {
  const names = stepNames(operations);
  const unless = new Map<number, string>();
  const drafts = operations.map((operation, index) => {
    const giver = (field: string) => giverOf(field, operations.slice(0, index));
    const targets = targetsOf(operationNamed(operation));
    // A column is taken for what an earlier step returns only where it is sure to be that.
    const sure = new Set(
      matchSheet(main.columns, targets)
        .filter((it) => sureness(it) === 'sure' && !holdsCounts(it.column))
        .map(({ target }) => target),
    );
    const wanted = targets.filter((it) => isNeeded(it.field) && giver(it.field.name) && !sure.has(it));
    const rest = targets.filter((it) => !wanted.includes(it));
    const draft = buildDraft(rest, main, joinsOf(operation));
    for (const target of wanted) {
      const parent = branchAt(draft.map, target.path.slice(0, -1));
      const value: DraftValue = { kind: 'lacking', column: '' };
      parent.members.push({ kind: 'leaf', name: target.field.name, notes: [], value });
    }
    fill(draft.map, (leaf) => {
      const found = giver(leaf.name);
      if (!found) return leaf;
      const from = `${names[found.step]}.${found.field}`;
      if (leaf.value.kind === 'lacking') {
        return { ...leaf, notes: [], value: { kind: 'from', from } };
      }
      const column = columnOf(leaf.value, main);
      if (!column || column.filled === column.rows) return leaf;
      unless.set(found.step, headerName(column));
      return { ...leaf, value: { kind: 'from', from, else: leaf.value } };
    });
    return draft;
  });
  return drafts.map((draft, index) => ({
    name: names[index]!,
    operation: operations[index]!,
    ...(unless.has(index) ? { unless: unless.get(index)! } : {}),
    draft,
  }));
}

function stepNames(operations: readonly OperationName[]): readonly string[] {
  const names: string[] = [];
  for (const operation of operations) {
    const own = NAMES[operation] ?? operation.slice(operation.indexOf('.') + 1).replaceAll('_', '-');
    const again = names.filter((it) => it === own || it.startsWith(`${own}-`)).length;
    names.push(again === 0 ? own : `${own}-${again + 1}`);
  }
  return names;
}

/** The last of the earlier operations that returns what the field is. */
function giverOf(
  field: string,
  earlier: readonly OperationName[],
): { readonly step: number; readonly field: string } | undefined {
  const returned = FILLED_BY_RECORDS[field] ?? field;
  const step = earlier.findLastIndex((it) =>
    operationNamed(it).returns.some(
      ({ name, many, single }) =>
        name === returned && (field in FILLED_BY_RECORDS || !many || single === true),
    ),
  );
  return step < 0 ? undefined : { step, field: returned };
}

function fill(at: DraftBranch, change: (leaf: DraftLeaf) => DraftLeaf): void {
  for (const [index, member] of at.members.entries()) {
    if (member.kind === 'branch') fill(member, change);
    else at.members[index] = change(member);
  }
}

function columnOf(value: DraftValue, main: SheetView): Profile | undefined {
  if (value.kind !== 'column') return undefined;
  return main.columns.find((it) => headerName(it) === value.column);
}

/** Ids that a customer has once it is bound. */
const IDS: readonly string[] = ['customerId', 'enterpriseGlobalId'];
const CUSTOMER: readonly string[] = ['channelCustomerId', 'customerName', 'branchName', 'passwordMobile'];
/** Below it a column is hardly meant. */
const NAMED = 0.7;

/**
 * Asks whether a sheet of orders is a sheet of customers, too: it has what binds a customer but not the ids that come of it,
 * or counts locks and has no numbers.
 */
export function askForSteps(fits: readonly Fit[]): readonly Message[] {
  const matchFor = (operation: OperationName, field: string): Match | undefined =>
    fits
      .find((it) => it.operation === operation)
      ?.matches.find((it) => it.target.field.name === field && it.by === 'name' && it.score >= NAMED);
  const ordered = (field: string) => matchFor('order.new_buy', field);
  /** Whether nothing is surely the id, or not in all rows. */
  const lacks = (match: Match | undefined) =>
    match === undefined || sureness(match) !== 'sure' || match.column.filled < match.column.rows;
  const customers =
    IDS.every((it) => lacks(ordered(it))) && CUSTOMER.every((it) => matchFor('enterprise.bind', it));
  const counted = matchFor('asset.numbers', 'size')?.column;
  const named = ordered('assetNos')?.column;
  const numbers = counted !== undefined && holdsCounts(counted) && (named === undefined || named === counted);
  if (!customers && !numbers) return [];
  const operations: readonly OperationName[] = [
    ...(customers ? (['enterprise.bind'] as const) : []),
    ...(numbers ? (['asset.numbers'] as const) : []),
    'order.new_buy',
  ];
  const params = { count: operations.length, operations: operations.join(',') };
  return [customers ? message('guess.steps_customers', params) : message('guess.steps_numbers', params)];
}
