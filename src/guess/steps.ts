import { type Message, message } from '../errors/message.js';
import { isNeeded } from '../model/field.js';
import type { OperationName } from '../model/operation.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { buildDraft, type Draft } from './build-draft.js';
import { headerName } from './column-leaf.js';
import type { Fit } from './decide.js';
import type { SheetView } from './find-tables.js';
import type { Join } from './joins.js';
import { type Match, matchSheet, sureness } from './match.js';
import { isCountColumn, type Profile } from './profile.js';
import { targetsOf } from './targets.js';
import { branchAt, type DraftBranch, type DraftLeaf, type DraftValue } from './write-yaml.js';

/** A step of a job for a sheet that several operations read. */
export interface DraftStep {
  readonly name: string;
  readonly operation: OperationName;
  /** The column that is filled if the step isn't needed. */
  readonly unless?: string;
  readonly draft: Draft;
}

const NAMES: Readonly<Partial<Record<OperationName, string>>> = {
  'enterprise.bind': 'customer',
  'enterprise.create': 'customer',
  'order.new_buy': 'order',
};

/** Members of an earlier step's records by the field that they fill, if the names differ. */
const FILLED_BY_RECORDS: Readonly<Record<string, string>> = {
  assetNos: 'assetNumber',
  assetNums: 'assetNumber',
};

/**
 * The maps of several operations for one sheet. Fields that an earlier step returns are matched with a column only if it is
 * sure.
 */
export function draftSteps(
  operations: readonly OperationName[],
  main: SheetView,
  joinsOf: (operation: OperationName) => readonly Join[],
): readonly DraftStep[] {
  const names = stepNames(operations);
  const unless = new Map<number, string>();
  const drafts = operations.map((operation, index) => {
    const sourceOf = (field: string) => returningStep(field, operations.slice(0, index));
    const targets = targetsOf(operationNamed(operation));
    const sure = new Set(
      matchSheet(main.columns, targets)
        .filter((it) => sureness(it) === 'sure' && !isCountColumn(it.column))
        .map(({ target }) => target),
    );
    const returned = targets.filter((it) => isNeeded(it.field) && sourceOf(it.field.name) && !sure.has(it));
    const rest = targets.filter((it) => !returned.includes(it));
    const draft = buildDraft(rest, main, joinsOf(operation));
    for (const target of returned) {
      const parent = branchAt(draft.map, target.path.slice(0, -1));
      const value: DraftValue = { kind: 'lacking', column: '' };
      parent.members.push({ kind: 'leaf', name: target.field.name, notes: [], value });
    }
    fill(draft.map, (leaf) => {
      const found = sourceOf(leaf.name);
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
    const base = NAMES[operation] ?? operation.slice(operation.indexOf('.') + 1).replaceAll('_', '-');
    const used = names.filter((it) => it === base || it.startsWith(`${base}-`)).length;
    names.push(used === 0 ? base : `${base}-${used + 1}`);
  }
  return names;
}

function returningStep(
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

/** Ids of a bound customer. */
const IDS: readonly string[] = ['customerId', 'enterpriseGlobalId'];
const CUSTOMER: readonly string[] = ['channelCustomerId', 'customerName', 'branchName', 'passwordMobile'];
/** Minimum score of a match by name. */
const NAMED = 0.7;

/**
 * Suggests several steps for a sheet of orders: if it has the fields for binding a customer but not the resulting ids, or counts
 * of locks but no lock numbers.
 */
export function suggestSteps(fits: readonly Fit[]): readonly Message[] {
  const matchFor = (operation: OperationName, field: string): Match | undefined =>
    fits
      .find((it) => it.operation === operation)
      ?.matches.find((it) => it.target.field.name === field && it.by === 'name' && it.score >= NAMED);
  const ordered = (field: string) => matchFor('order.new_buy', field);
  /** True if no column is surely the id, or if not all rows have it. */
  const lacks = (match: Match | undefined) =>
    match === undefined || sureness(match) !== 'sure' || match.column.filled < match.column.rows;
  const customers =
    IDS.every((it) => lacks(ordered(it))) && CUSTOMER.every((it) => matchFor('enterprise.bind', it));
  const counted = matchFor('asset.numbers', 'size')?.column;
  const named = ordered('assetNos')?.column;
  const numbers =
    counted !== undefined && isCountColumn(counted) && (named === undefined || named === counted);
  if (!customers && !numbers) return [];
  const operations: readonly OperationName[] = [
    ...(customers ? (['enterprise.bind'] as const) : []),
    ...(numbers ? (['asset.numbers'] as const) : []),
    'order.new_buy',
  ];
  const params = { count: operations.length, operations: operations.join(',') };
  return [customers ? message('guess.steps_customers', params) : message('guess.steps_numbers', params)];
}
