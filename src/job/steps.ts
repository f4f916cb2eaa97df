import type { JobStep, ReconcileAction, SingleRecordUse } from '../model/job.js';
import type { Json } from '../model/json.js';
import type { MapBranch, Position } from '../model/map.js';
import type { Operation } from '../model/operation.js';
import { fold } from '../util/text.js';
import { readMap } from './map/read.js';
import {
  EarlierSteps,
  type MapScope,
  type NamedStep,
  ROWS,
  readCondition,
  withLookups,
} from './map/scope.js';
import { type Problem, problemAt } from './problem.js';
import { ACTION_OCCASIONS } from './schema/sections.js';
import { type MappingNode, type Node, nodeAt, positionOf, shown } from './yaml/node.js';

export type JobOperation = Pick<
  Operation,
  'name' | 'shape' | 'place' | 'batch' | 'returns' | 'recordsExpected'
> &
  Partial<Pick<Operation, 'lists' | 'endpoint'>>;

/** The parts of an action that its schema does not check. A map is undefined if it has problems. */
export interface ReadAction {
  readonly when: ReconcileAction['when'];
  readonly map: MapBranch | undefined;
  readonly at: Position;
}

/** The scope of an action by its `on`, which is undefined if it is invalid in the file. */
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

/** The operation of a job or an action; undefined if it is unknown. */
export function operationOf(
  owner: MappingNode,
  operations: readonly JobOperation[],
): JobOperation | undefined {
  const node = owner.entries.get('operation')?.value;
  return node?.kind === 'scalar' ? operations.find(({ name }) => name === node.value) : undefined;
}

/** Reports a batch size other than the operation's fixed size. */
export function batchProblems(owner: MappingNode, operation: JobOperation): readonly Problem[] {
  const size = nodeAt(owner, ['batch', 'size'])?.node;
  if (!operation.batch.fixed || size?.kind !== 'scalar' || typeof size.value !== 'number') return [];
  if (size.value === operation.batch.size || size.value < 1) return [];
  const params = { operation: operation.name, size: operation.batch.size, value: shown(size) };
  return [problemAt(size.place, 'job.batch_fixed', params)];
}

/** The parts of a step that its schema does not check. */
export type ReadStep = Pick<JobStep, 'when' | 'map' | 'at' | 'takenAsOne'>;

/** Reads the conditions and maps of `steps` (contract section 9), in order. */
export function readSteps(
  list: Node | undefined,
  operations: readonly JobOperation[],
  problems: Problem[],
): readonly ReadStep[] {
  const items = list?.kind === 'list' ? list.items : [];
  const known: NamedStep[] = [];
  for (const item of items) known.push(namedStep(item, operations));
  problems.push(...nameProblems(items));
  const takenAsOne = new Map<string, SingleRecordUse>();
  const read = items.map((item, index): ReadStep => {
    const at = positionOf(item.place);
    if (item.kind !== 'mapping') return { at };
    const scope = withLookups(stepScope(new EarlierSteps(known, index, takenAsOne)), operations);
    const when = readCondition(item.entries.get('when')?.value, 'when', scope, problems);
    const operation = operationOf(item, operations);
    if (operation) problems.push(...batchProblems(item, operation));
    const entry = item.entries.get('map');
    const map = entry && operation && readMap(entry, operation, problems, scope);
    known[index] = { ...known[index]!, records: recordsOf(operation, map) };
    return { when, map, at };
  });
  return read.map((step, index) => {
    const use = takenAsOne.get(known[index]!.name);
    return use ? { ...step, takenAsOne: use } : step;
  });
}

function namedStep(item: Node, operations: readonly JobOperation[]): NamedStep {
  const operation = item.kind === 'mapping' ? operationOf(item, operations) : undefined;
  return {
    name: nameOf(item)?.written ?? '',
    operation: operation?.name,
    returns: operation?.returns ?? [],
    records: 'unknown',
  };
}

function nameOf(item: Node) {
  const node = nodeAt(item, ['name'])?.node;
  return node?.kind === 'scalar' && node.value !== null ? node : undefined;
}

/** Names are compared in folded form, as headers are: the result has columns with these names. */
function nameProblems(items: readonly Node[]): readonly Problem[] {
  const lines = new Map<string, number>();
  return items.flatMap((item) => {
    const node = nameOf(item);
    if (!node || node.written.trim() === '') return [];
    const first = lines.get(fold(node.written));
    if (first !== undefined) {
      return [problemAt(node.place, 'job.step_twice', { step: node.written, line: first })];
    }
    lines.set(fold(node.written), positionOf(node.place).line);
    return [];
  });
}

function recordsOf(operation: JobOperation | undefined, map: MapBranch | undefined): NamedStep['records'] {
  if (!operation?.recordsExpected) return 'unknown';
  const constants: Record<string, Json> = {};
  for (const [name, node] of map?.fields ?? []) {
    if (node.kind === 'value' && typeof node.value !== 'object') constants[name] = node.value;
  }
  return operation.recordsExpected(constants) ?? 'open';
}

/** The scope of a step's map and `when`: the row and the results of earlier steps. */
function stepScope(steps: EarlierSteps): MapScope {
  return {
    ...ROWS,
    records: ['step'],
    steps,
    expression({ fields }, placeAt, problems) {
      for (const { path, offset } of fields) {
        const [step = '', ...rest] = path;
        const place = placeAt(offset);
        if (rest.length > 0) steps.find({ step, field: rest.join('.') }, place, problems);
        else problems.push(problemAt(place, 'job.step_whole', { step }));
      }
    },
  };
}
