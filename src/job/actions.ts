import type { ReconcileAction } from '../model/job.js';
import type { MapBranch, Position } from '../model/map.js';
import type { Operation } from '../model/operation.js';
import { readMap } from './map/read.js';
import { type MapScope, readCondition } from './map/scope.js';
import { type Problem, problemAt } from './problem.js';
import { ACTION_OCCASIONS } from './schema/reconcile.js';
import { type MappingNode, type Node, nodeAt, shown } from './yaml/node.js';
import { positionOf } from './yaml/text.js';

export type JobOperation = Pick<
  Operation,
  'name' | 'shape' | 'place' | 'batch' | 'returns' | 'recordsExpected'
> &
  Partial<Pick<Operation, 'lists' | 'endpoint'>>;

/** The parts of an action that its schema leaves open; a map is undefined where there are problems. */
export interface ReadAction {
  readonly when: ReconcileAction['when'];
  readonly map: MapBranch | undefined;
  readonly at: Position;
}

/** What an action may read, by what it is about; undefined where the file doesn't say so rightly. */
export type ScopeOf = (on: ReconcileAction['on'] | undefined) => MapScope;

/** Reads the conditions and maps of `actions` (contract section 8), in order. */
export function readActions(
  list: Node | undefined,
  operations: readonly JobOperation[],
  scopeOf: ScopeOf,
  problems: Problem[],
): readonly ReadAction[] {
  const items = list?.kind === 'list' ? list.items : [];
  return items.map((item) => {
    const at = positionOf(item.place);
    if (item.kind !== 'mapping') return { when: undefined, map: undefined, at };
    const on = nodeAt(item, ['on'])?.node;
    const scope = scopeOf(ACTION_OCCASIONS.find((it) => on?.kind === 'scalar' && on.value === it));
    const when = readCondition(item.entries.get('when')?.value, 'when', scope, problems);
    const operation = operationOf(item, operations);
    const map = item.entries.get('map');
    if (!map) problems.push(problemAt(item.place, 'job.missing_key', { key: 'map' }));
    if (operation) problems.push(...batchProblems(item, operation));
    return { when, map: map && operation && readMap(map, operation, problems, scope), at };
  });
}

/** The operation that a job or an action names; undefined when it names none that there is. */
export function operationOf(
  owner: MappingNode,
  operations: readonly JobOperation[],
): JobOperation | undefined {
  const node = owner.entries.get('operation')?.value;
  return node?.kind === 'scalar' ? operations.find(({ name }) => name === node.value) : undefined;
}

/** Some operations take one item a request, whatever the job would like. */
export function batchProblems(owner: MappingNode, operation: JobOperation): readonly Problem[] {
  const size = nodeAt(owner, ['batch', 'size'])?.node;
  if (!operation.batch.fixed || size?.kind !== 'scalar' || typeof size.value !== 'number') return [];
  if (size.value === operation.batch.size || size.value < 1) return [];
  const params = { operation: operation.name, size: operation.batch.size, value: shown(size) };
  return [problemAt(size.place, 'job.batch_fixed', params)];
}
