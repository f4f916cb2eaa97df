import type { JobStep, TakenAsOne } from '../model/job.js';
import type { Json } from '../model/json.js';
import type { MapBranch } from '../model/map.js';
import { fold } from '../util/fold.js';
import { batchProblems, type JobOperation, operationOf } from './actions.js';
import { EarlierSteps, type NamedStep } from './map/earlier-steps.js';
import { readMap } from './map/read.js';
import { type MapScope, ROWS, readCondition, withLookups } from './map/scope.js';
import { type Problem, problemAt } from './problem.js';
import { type Node, nodeAt } from './yaml/node.js';
import { positionOf } from './yaml/text.js';

/** The parts of a step that its schema leaves open. */
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
  const takenAsOne = new Map<string, TakenAsOne>();
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
  return read.map((it, index) => {
    const taken = takenAsOne.get(known[index]!.name);
    return taken ? { ...it, takenAsOne: taken } : it;
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

/** Names are compared as headers are, as the result has columns named by them. */
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

/** What a step's map and `when` read: the row, and what the steps before it returned. */
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
