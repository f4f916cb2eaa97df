import type { Field } from '../../model/field.js';
import type { SingleRecordUse } from '../../model/job.js';
import type { LookupOperationName, SourceCondition } from '../../model/map.js';
import type { Operation, OperationName, ReturnedField } from '../../model/operation.js';
import { type CompiledCel, compileCel } from '../../util/cel.js';
import { nearestName } from '../../util/name-match.js';
import { fold } from '../../util/text.js';
import { type Problem, problemAt, refuse } from '../problem.js';
import { type Node, type Place, positionOf, type ScalarNode } from '../yaml/node.js';

export type DriftRecord = 'expected' | 'actual';

/** An operation that lookups may request. */
export interface LookupTarget {
  readonly name: LookupOperationName;
  /** Fields of its request. */
  readonly shape: readonly Field[];
  /** Fields of a record of its reply. */
  readonly record: readonly Field[];
}

/** The data that a map may read, and whether it may have `each`. */
export interface MapScope {
  /** columns: no other sheets, because only the rows of one sheet are available. */
  readonly each: 'any' | 'columns' | 'none';
  /** Records that expressions may read in addition to the row. */
  readonly records: readonly string[];
  /** The operations that lookups may request; absent if lookups are not allowed. */
  readonly lookups?: readonly LookupTarget[];
  /** The steps whose results a map may read with `from`; absent outside of steps. */
  readonly steps?: EarlierSteps;
  /** The rows are those of another sheet, which have no results of steps. */
  readonly otherSheet?: boolean;
  /** Checks the name of a column that a leaf or `each` reads. */
  column?(name: string, place: Place, problems: Problem[]): void;
  /** Checks the reads of an expression. @param placeAt position of an index into the expression */
  expression?(reads: CelReads, placeAt: (index: number) => Place, problems: Problem[]): void;
}

type CelReads = Pick<Extract<CompiledCel, { readonly ok: true }>, 'mentions' | 'fields'>;

/** The map of a job that sends rows. */
export const ROWS: MapScope = { each: 'any', records: [] };

/** The scope with lookups, which request those of the operations that list records. */
export function withLookups(
  scope: MapScope,
  operations: readonly Partial<Pick<Operation, 'name' | 'shape' | 'lists' | 'endpoint'>>[],
): MapScope {
  return { ...scope, lookups: lookupTargets(operations) };
}

export function lookupTargets(
  operations: readonly Partial<Pick<Operation, 'name' | 'shape' | 'lists' | 'endpoint'>>[],
): readonly LookupTarget[] {
  return operations.flatMap(({ name, shape, lists, endpoint }) => {
    const reply = endpoint?.reply;
    if (lists === undefined || !shape || reply?.kind !== 'object array') return [];
    return [{ name: name as LookupOperationName, shape, record: reply.fields }];
  });
}

/** `key` and `expect` of a comparison: each row is compared separately. */
export const SINGLE_ROW: MapScope = { each: 'none', records: [] };

/** Reads a condition; undefined if there is none, or if there are problems. */
export function readCondition(
  node: Node | undefined,
  key: string,
  scope: MapScope,
  problems: Problem[],
): SourceCondition | undefined {
  if (node?.kind !== 'scalar' || node.value === null || node.written.trim() === '') return undefined;
  const isValid = readExpression(node, key, scope, 'bool', problems);
  return isValid ? { source: node.written, at: positionOf(node.place) } : undefined;
}

/** Compiles an expression in its scope; false if there are problems. */
export function readExpression(
  node: ScalarNode,
  key: string,
  scope: MapScope,
  result: 'bool' | 'any',
  problems: Problem[],
): boolean {
  const records = Object.fromEntries(scope.records.map((name) => [name, 'record' as const]));
  const compiled = compileCel(node.written, { variables: { row: 'row', ...records }, result });
  if (!compiled.ok) {
    const place = node.placeAt(compiled.offset);
    problems.push(problemAt(place, 'job.bad_expression', { key, detail: compiled.detail }));
    return false;
  }
  const before = problems.length;
  for (const { record, path, offset } of scope.otherSheet ? compiled.fields : []) {
    const from = path.join('.');
    if (record === 'step')
      problems.push(problemAt(node.placeAt(offset), 'job.from_in_other_sheet', { from }));
  }
  scope.expression?.(compiled, (index) => node.placeAt(index), problems);
  return problems.length === before;
}

/** The properties of a step that are available while later steps are read. */
export interface NamedStep {
  readonly name: string;
  /** Undefined if the operation is unknown: reads of the step's results are then not checked. */
  readonly operation: OperationName | undefined;
  readonly returns: readonly ReturnedField[];
  /** Number of records for each row, if a constant of the map determines it; open: the sheet determines it. */
  readonly records: number | 'open' | 'unknown';
}

/** The steps whose results one step may read: those before it. */
export class EarlierSteps {
  /** By step: the first use of its records for a field with a single value. */
  readonly takenAsOne: Map<string, SingleRecordUse>;
  readonly #index: number;
  readonly #all: readonly NamedStep[];

  /** @param index index of the step that reads */
  constructor(all: readonly NamedStep[], index: number, takenAsOne: Map<string, SingleRecordUse>) {
    this.takenAsOne = takenAsOne;
    this.#all = all;
    this.#index = index;
  }

  /** The result of a step with this name; undefined, with a problem added, if it can't be read. */
  find(
    { step: name, field }: { readonly step: string; readonly field: string },
    place: Place,
    problems: Problem[],
  ): { readonly step: NamedStep; readonly returned: ReturnedField } | undefined {
    const step = this.#earlier(name, place, problems);
    if (!step?.operation) return undefined;
    const returned = step.returns.find((it) => it.name === field);
    if (returned) return { step, returned };
    const known = step.returns.map((it) => it.name);
    const params = { step: step.name, operation: step.operation, field, known: known.join(', ') || '-' };
    const near = nearestName(field, known);
    return near === undefined
      ? refuse(problems, place, 'job.step_returns_no', params)
      : refuse(problems, place, 'job.step_returns_no_nearest', { ...params, near });
  }

  #earlier(name: string, place: Place, problems: Problem[]): NamedStep | undefined {
    const at = this.#all.findIndex((it) => it.name === name);
    if (at >= 0 && at < this.#index) return this.#all[at];
    if (at === this.#index) return refuse(problems, place, 'job.step_itself', { step: name });
    if (at > this.#index) return refuse(problems, place, 'job.step_later', { step: name });
    const known = this.#all.slice(0, this.#index).map((it) => it.name);
    const near = known.find((it) => fold(it) === fold(name)) ?? nearestName(name, known);
    const params = { step: name, known: known.join(', ') || '-' };
    return near === undefined
      ? refuse(problems, place, 'job.step_unknown', params)
      : refuse(problems, place, 'job.step_unknown_nearest', { ...params, near });
  }
}
