import { type Field, isNeeded, isNested } from '../../model/field.js';
import type { Each, MapBranch, MapNode } from '../../model/map.js';
import type { ItemPlace, Operation } from '../../model/operation.js';
import { nearestName } from '../../util/name-match.js';
import { fold } from '../../util/text.js';
import { unknownKeyProblem } from '../check.js';
import { type Problem, problemAt, refuse } from '../problem.js';
import { type MapEntry, type MappingNode, type Node, type Place, positionOf, shown } from '../yaml/node.js';
import { LEAF_KEYS, readLeaf } from './leaf.js';
import { type MapScope, ROWS } from './scope.js';

/** Reads `[columns]` or `{ sheet: S, on: [columns] }`; undefined if there are problems. */
function readEach(entry: MapEntry, problems: Problem[]): Each | undefined {
  const node = entry.value;
  const at = positionOf(node.place);
  if (node.kind === 'list') {
    const columns = readColumns(entry, problems);
    return columns && { kind: 'columns', columns, at };
  }
  if (node.kind !== 'mapping') {
    return refuse(problems, node.place, 'job.bad_each', { value: shown(node) });
  }
  const before = problems.length;
  for (const { key, keyPlace } of node.entries.values())
    if (key !== 'sheet' && key !== 'on') problems.push(unknownKeyProblem(keyPlace, key, ['sheet', 'on']));
  const sheet = node.entries.get('sheet');
  const on = node.entries.get('on');
  for (const [key, found] of [
    ['sheet', sheet],
    ['on', on],
  ] as const)
    if (!found) problems.push(problemAt(entry.keyPlace, 'job.missing_key', { key }));
  const name = sheet && nameOf(sheet.value);
  if (sheet && name === undefined)
    problems.push(
      problemAt(sheet.value.place, 'job.expected_text', { key: 'sheet', value: shown(sheet.value) }),
    );
  const columns = on && readColumns(on, problems);
  if (problems.length > before || name === undefined || columns === undefined) return undefined;
  return { kind: 'sheet', sheet: name, on: columns, at };
}

function readColumns(entry: MapEntry, problems: Problem[]): readonly string[] | undefined {
  const node = entry.value;
  if (node.kind !== 'list' || node.items.length === 0) {
    return refuse(problems, node.place, 'job.bad_each', { value: shown(node) });
  }
  const columns: string[] = [];
  const seen = new Set<string>();
  let isValid = true;
  for (const item of node.items) {
    const name = nameOf(item);
    if (name === undefined) {
      problems.push(problemAt(item.place, 'job.expected_text', { key: entry.key, value: shown(item) }));
      isValid = false;
    } else if (seen.has(fold(name))) {
      problems.push(problemAt(item.place, 'job.each_repeats', { column: name }));
      isValid = false;
    } else {
      seen.add(fold(name));
      columns.push(name);
    }
  }
  return isValid ? columns : undefined;
}

function nameOf(node: Node): string | undefined {
  if (node.kind !== 'scalar' || node.value === null) return undefined;
  const name = node.written.trim();
  return name === '' ? undefined : name;
}

/**
 * The short form of an array operation's map has the fields of the items and their `each` at the top level (`assets` for
 * `orderList.assets`). Moves them into the items' field. Both forms in one map are a problem.
 */
function moveItemFields(
  map: MappingNode,
  owner: MapEntry,
  shape: readonly Field[],
  place: ItemPlace,
  problems: Problem[],
): MappingNode {
  if (place.kind !== 'array') return map;
  const items = shape.find((field) => field.name === place.field);
  const top = new Set(shape.map((field) => field.name));
  const inner = new Set((items?.fields ?? []).map((field) => field.name));
  const rest = new Map<string, MapEntry>();
  const moved = new Map<string, MapEntry>();
  for (const entry of map.entries.values()) {
    const moves = !top.has(entry.key) && (inner.has(entry.key) || entry.key === 'each');
    (moves ? moved : rest).set(entry.key, entry);
  }
  const [first] = moved.values();
  if (!first) return map;
  const explicit = rest.get(place.field);
  if (explicit) {
    const key = first.key;
    problems.push(problemAt(first.keyPlace, 'job.map_mixed', { key, items: place.field }));
    return { ...map, entries: rest };
  }
  const value: MappingNode = { kind: 'mapping', place: map.place, entries: moved };
  rest.set(place.field, { key: place.field, keyPlace: owner.keyPlace, value });
  return { ...map, entries: rest };
}

type MapTarget = Pick<Operation, 'name' | 'shape' | 'place'>;

/** Reads the map of an operation and checks it against the operation's fields (contract section 4). */
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

/** Reads a branch that is not part of a request, such as the `key` of a comparison (contract section 8). */
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
  /** True for the map's top level, and for the items' branch that was moved from there. */
  readonly top: boolean;
  /** Key of the whole map. */
  readonly owner: string;
  /** Position at which missing fields are reported. */
  readonly place: Place;
  /** The field is an array, so that `each` is allowed. */
  readonly list: boolean;
  /** Further names to suggest for an unknown key. */
  readonly shorthand: readonly string[];
  /** Fields that probably have a misspelt key, so that they are not reported as missing too. */
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
  // `each` determines the rows that all keys of the branch read, in whatever order the keys are.
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
      // Fragments were inserted before, so that only a misspelt "use" reaches this point.
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
  const names = shape.map(({ name }) => name);
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
  // Only the items' branch that was moved has the position of the map itself.
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
