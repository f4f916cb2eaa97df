import type { Field } from '../../model/field.js';
import type { LookupOperationName, SourceCondition } from '../../model/map.js';
import type { Operation } from '../../model/operation.js';
import { type CompiledCel, compileCel } from '../../util/cel.js';
import { type Problem, problemAt } from '../problem.js';
import type { Node, ScalarNode } from '../yaml/node.js';
import { type Place, positionOf } from '../yaml/text.js';
import type { EarlierSteps } from './earlier-steps.js';

export type DriftRecord = 'expected' | 'actual';

/** An operation that look-ups may ask. */
export interface LookupTarget {
  readonly name: LookupOperationName;
  /** Fields of its request. */
  readonly shape: readonly Field[];
  /** Fields of a record of its reply. */
  readonly record: readonly Field[];
}

/** What a map may read from, and where it may have `each`. */
export interface MapScope {
  /** columns: not of other sheets, as only the rows of one are at hand. */
  readonly each: 'any' | 'columns' | 'none';
  /** Records that expressions may read beside the row. */
  readonly records: readonly string[];
  /** The operations that look-ups may ask; absent where there may be none. */
  readonly lookups?: readonly LookupTarget[];
  /** The steps whose results a map may take with `from`; absent outside of steps. */
  readonly steps?: EarlierSteps;
  /** The rows are those of another sheet, to which no step's results belong. */
  readonly otherSheet?: boolean;
  /** Checks the name of a column that a leaf or `each` reads. */
  column?(name: string, place: Place, problems: Problem[]): void;
  /** Checks what an expression reads; `placeAt` takes an index into it. */
  expression?(reads: CelReads, placeAt: (index: number) => Place, problems: Problem[]): void;
}

type CelReads = Pick<Extract<CompiledCel, { readonly ok: true }>, 'mentions' | 'fields'>;

/** The map of a job that sends rows. */
export const ROWS: MapScope = { each: 'any', records: [] };

/** The same, where fields may be looked up by those operations that list what is there. */
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

/** `key` and `expect`: each row is compared by itself. */
export const SINGLE_ROW: MapScope = { each: 'none', records: [] };

/** Reads a condition; undefined when there is none, or there are problems. */
export function readCondition(
  node: Node | undefined,
  key: string,
  scope: MapScope,
  problems: Problem[],
): SourceCondition | undefined {
  if (node?.kind !== 'scalar' || node.value === null || node.written.trim() === '') return undefined;
  const sound = readExpression(node, key, scope, 'bool', problems);
  return sound ? { source: node.written, at: positionOf(node.place) } : undefined;
}

/** Compiles an expression in its scope; false when there are problems. */
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
