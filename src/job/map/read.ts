import { type Field, isNeeded, isNested } from '../../model/field.js';
import type { Each, MapBranch, MapNode } from '../../model/map.js';
import type { Operation } from '../../model/operation.js';
import { nearestName } from '../../util/nearest.js';
import { unknownKeyProblem } from '../check.js';
import { type Problem, problemAt, refuse } from '../problem.js';
import type { MapEntry, MappingNode } from '../yaml/node.js';
import { shown } from '../yaml/node.js';
import { type Place, positionOf } from '../yaml/text.js';
import { readEach } from './each.js';
import { LEAF_KEYS, readLeaf } from './leaf.js';
import { moveItemFields } from './move-item-fields.js';
import { type MapScope, ROWS } from './scope.js';

type MapTarget = Pick<Operation, 'name' | 'shape' | 'place'>;

/** The map of an operation, checked against the operation's fields (contract section 4). */
export function readMap(
  entry: MapEntry,
  target: MapTarget,
  problems: Problem[],
  scope: MapScope = ROWS,
): MapBranch | undefined {
  const node = mappingOf(entry, problems);
  if (!node) return undefined;
  const map = moveItemFields(node, entry, target.shape, target.place, problems);
  const { place } = target;
  const items = place.kind === 'array' ? target.shape.find(({ name }) => name === place.field) : undefined;
  const shorthand = (items?.fields ?? []).map((field) => field.name);
  const top = { ...contextOf(entry, scope), top: true, shorthand };
  return readBranch(map, target.shape, top, problems);
}

/** A branch that isn't part of a request, such as `key` of a comparison (contract section 8). */
export function readFields(
  entry: MapEntry,
  shape: readonly Field[],
  scope: MapScope,
  problems: Problem[],
): MapBranch | undefined {
  const node = mappingOf(entry, problems);
  return node && readBranch(node, shape, contextOf(entry, scope), problems);
}

function mappingOf(entry: MapEntry, problems: Problem[]): MappingNode | undefined {
  const { key, keyPlace, value } = entry;
  if (value.kind === 'mapping') return value;
  const empty = value.kind === 'scalar' && value.value === null;
  problems.push(
    empty
      ? problemAt(keyPlace, 'job.empty_value', { key })
      : problemAt(value.place, 'job.expected_mapping', { key, value: shown(value) }),
  );
  return undefined;
}

interface BranchContext {
  /** Wire path, empty at the top. */
  readonly path: string;
  /** It is the map's top level, or was moved from there. */
  readonly top: boolean;
  /** Key of the whole map. */
  readonly owner: string;
  /** Where missing fields are reported. */
  readonly place: Place;
  /** It becomes an array, so it may have `each`. */
  readonly list: boolean;
  /** Further names that are allowed here. */
  readonly shorthand: readonly string[];
  /** Fields that a misspelt key probably meant; they aren't reported as missing too. */
  readonly misspelt: Set<string | undefined>;
  readonly scope: MapScope;
}

function contextOf({ key, keyPlace: place }: MapEntry, scope: MapScope): BranchContext {
  return { path: '', top: false, owner: key, place, list: false, shorthand: [], misspelt: new Set(), scope };
}

function readBranch(
  node: MappingNode,
  shape: readonly Field[],
  around: BranchContext,
  problems: Problem[],
): MapBranch {
  // Whatever the order of the keys: `each` says whose rows all of them read.
  const joins = node.entries.get('each')?.value.kind === 'mapping';
  const context = joins ? { ...around, scope: { ...around.scope, otherSheet: true } } : around;
  const byName = new Map(shape.map((field) => [field.name, field]));
  const fields = new Map<string, MapNode>();
  let each: Each | undefined;
  for (const entry of node.entries.values()) {
    const field = byName.get(entry.key);
    if (field) {
      const read = readNode(entry, field, context, problems);
      if (read) fields.set(field.name, read);
    } else if (entry.key === 'each') {
      if (context.scope.each === 'none')
        problems.push(problemAt(entry.keyPlace, 'job.each_in_comparison', { key: context.owner }));
      else if (context.list) each = readScopedEach(entry, context.scope, problems);
      else problems.push(problemAt(entry.keyPlace, 'job.each_misplaced', { arrays: arraysOf(shape) }));
    } else {
      const known = [...byName.keys(), ...context.shorthand];
      const all = context.list ? [...known, 'each'] : known;
      // "use" is put in before, so only a misspelt one comes here.
      const use = nearestName(entry.key, ['use']);
      const problem = unknownKeyProblem(entry.keyPlace, entry.key, use ? [...all, use] : all);
      context.misspelt.add(problem.unknownKey?.meant);
      problems.push(problem);
    }
  }
  const missing = shape.filter(
    (field) => isNeeded(field) && !node.entries.has(field.name) && !context.misspelt.has(field.name),
  );
  if (missing.length > 0) {
    const names = missing.map((field) => field.name).join(', ');
    problems.push(
      context.top
        ? problemAt(context.place, 'job.map_lacks', { fields: names })
        : problemAt(context.place, 'job.branch_lacks', {
            branch: context.path || context.owner,
            fields: names,
          }),
    );
  }
  return { kind: 'branch', fields, at: positionOf(node.place), each };
}

function readNode(
  entry: MapEntry,
  field: Field,
  context: BranchContext,
  problems: Problem[],
): MapNode | undefined {
  if (!isNested(field)) return readLeaf(field, entry, context.scope, problems);
  const { value: node } = entry;
  const shape = field.fields ?? [];
  const names = shape.map((one) => one.name);
  const leaf =
    node.kind !== 'mapping' || LEAF_KEYS.some((key) => node.entries.has(key) && !names.includes(key));
  if (leaf) {
    const empty = node.kind === 'scalar' && node.value === null;
    const fields = names.join(', ');
    return refuse(problems, empty ? entry.keyPlace : node.place, 'job.map_leaf_for_object', {
      field: field.name,
      fields,
    });
  }
  // Only a branch that was moved has the place of the map itself.
  const moved = context.top && entry.keyPlace === context.place;
  const inner: BranchContext = {
    ...context,
    path: context.path === '' ? field.name : `${context.path}.${field.name}`,
    top: moved,
    place: entry.keyPlace,
    list: field.type === 'object array',
    shorthand: [],
    misspelt: moved ? context.misspelt : new Set(),
  };
  return readBranch(node, shape, inner, problems);
}

function readScopedEach(entry: MapEntry, scope: MapScope, problems: Problem[]): Each | undefined {
  const each = readEach(entry, problems);
  if (each?.kind === 'sheet' && scope.each === 'columns') {
    return refuse(problems, entry.keyPlace, 'job.each_sheet_in_action', {});
  }
  const items = entry.value.kind === 'list' ? entry.value.items : [];
  for (const item of items)
    if (item.kind === 'scalar') scope.column?.(item.written.trim(), item.place, problems);
  return each;
}

function arraysOf(shape: readonly Field[]): string {
  const names = shape.filter((field) => field.type === 'object array').map((field) => field.name);
  return names.length > 0 ? names.join(', ') : '-';
}
