import type { Field } from '../../model/field.js';
import type { Each, MapBranch, MapNode } from '../../model/map.js';
import type { Operation } from '../../model/operation.js';
import { unknownKeyProblem } from '../check.js';
import { type Problem, problemAt } from '../problem.js';
import type { Entry, MappingNode } from '../yaml/node.js';
import { shown } from '../yaml/node.js';
import { type Place, positionOf } from '../yaml/text.js';
import { readEach } from './each.js';
import { LEAF_KEYS, readLeaf } from './leaf.js';
import { normaliseMap } from './normalise.js';
import { type MapScope, ROWS } from './scope.js';

export type MapTarget = Pick<Operation, 'name' | 'shape' | 'place'>;

/** The map of an operation, checked against the operation's fields (contract section 4). */
export function readMap(
  entry: Entry,
  target: MapTarget,
  problems: Problem[],
  scope: MapScope = ROWS,
): MapBranch | undefined {
  const node = mappingOf(entry, problems);
  if (!node) return undefined;
  const map = normaliseMap(node, entry, target.shape, target.place, problems);
  const { place } = target;
  const inItems =
    place.kind === 'array' ? target.shape.find((field) => field.name === place.field)?.fields : [];
  const shorthand = (inItems ?? []).map((field) => field.name);
  const top: BranchContext = {
    path: '',
    top: true,
    owner: entry.key,
    place: entry.keyPlace,
    list: false,
    shorthand,
    misspelt: new Set(),
    scope,
  };
  return readBranch(map, target.shape, top, problems);
}

/** A branch that stands by itself and no request is made of, checked against its fields (contract section 8). */
export function readFields(
  entry: Entry,
  shape: readonly Field[],
  scope: MapScope,
  problems: Problem[],
): MapBranch | undefined {
  const node = mappingOf(entry, problems);
  const { key, keyPlace: place } = entry;
  const context: BranchContext = {
    path: '',
    top: false,
    owner: key,
    place,
    list: false,
    shorthand: [],
    misspelt: new Set(),
    scope,
  };
  return node && readBranch(node, shape, context, problems);
}

function mappingOf(entry: Entry, problems: Problem[]): MappingNode | undefined {
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
  /** Stands at the map's top level, by the shorthand too. */
  readonly top: boolean;
  /** Key that the whole map stands under. */
  readonly owner: string;
  /** Where what it lacks is told. */
  readonly place: Place;
  /** Becomes an array, so that it may have `each`. */
  readonly list: boolean;
  /** Further names that would have been right here. */
  readonly shorthand: readonly string[];
  /** Fields that an unknown key was probably meant for: they are not told as lacking as well. */
  readonly misspelt: Set<unknown>;
  readonly scope: MapScope;
}

function readBranch(
  node: MappingNode,
  shape: readonly Field[],
  context: BranchContext,
  problems: Problem[],
): MapBranch {
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
      const problem = unknownKeyProblem(entry.keyPlace, entry.key, all);
      context.misspelt.add(problem.message.params.near);
      problems.push(problem);
    }
  }
  const lacking = shape.filter(
    (field) =>
      field.required &&
      !field.generated &&
      field.default === undefined &&
      !node.entries.has(field.name) &&
      !context.misspelt.has(field.name),
  );
  if (lacking.length > 0) {
    const names = lacking.map((field) => field.name).join(', ');
    problems.push(
      context.top
        ? problemAt(context.place, 'job.map_lacks', { fields: names })
        : problemAt(context.place, 'job.branch_lacks', {
            branch: context.path || context.owner,
            fields: names,
          }),
    );
  }
  return { kind: 'branch', fields, at: positionOf(node.place), ...(each ? { each } : {}) };
}

function readNode(
  entry: Entry,
  field: Field,
  context: BranchContext,
  problems: Problem[],
): MapNode | undefined {
  if (field.type !== 'object' && field.type !== 'object array')
    return readLeaf(field, entry, context.scope, problems);
  const { value: node } = entry;
  const shape = field.fields ?? [];
  const names = shape.map((one) => one.name);
  const leaf =
    node.kind !== 'mapping' || LEAF_KEYS.some((key) => node.entries.has(key) && !names.includes(key));
  if (leaf) {
    const empty = node.kind === 'scalar' && node.value === null;
    const fields = names.join(', ');
    problems.push(
      problemAt(empty ? entry.keyPlace : node.place, 'job.map_leaf_for_object', {
        field: field.name,
        fields,
      }),
    );
    return undefined;
  }
  // Only the shorthand gives a branch the place of the map itself.
  const moved = context.top && entry.keyPlace === context.place;
  const inner: BranchContext = {
    path: context.path === '' ? field.name : `${context.path}.${field.name}`,
    top: moved,
    owner: context.owner,
    place: entry.keyPlace,
    list: field.type === 'object array',
    shorthand: [],
    misspelt: moved ? context.misspelt : new Set(),
    scope: context.scope,
  };
  return readBranch(node, shape, inner, problems);
}

function readScopedEach(entry: Entry, scope: MapScope, problems: Problem[]): Each | undefined {
  const each = readEach(entry, problems);
  if (each?.kind === 'sheet' && scope.each === 'columns') {
    problems.push(problemAt(entry.keyPlace, 'job.each_sheet_in_action', {}));
    return undefined;
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
