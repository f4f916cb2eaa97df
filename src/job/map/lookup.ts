import { type Field, isNeeded, isNested } from '../../model/field.js';
import type { LookupLeaf, MapLeaf } from '../../model/map.js';
import { compileCel } from '../../util/cel.js';
import { nearestName } from '../../util/name-match.js';
import { unknownKeyProblem, unknownValue } from '../check.js';
import { type Problem, problemAt, refuse } from '../problem.js';
import {
  type MapEntry,
  type MappingNode,
  type Place,
  positionOf,
  type ScalarNode,
  shown,
} from '../yaml/node.js';
import { readConstant } from './leaf-parts.js';
import { type LookupTarget, type MapScope, readCondition } from './scope.js';

const LOOKUP_KEYS = ['lookup', 'with', 'where', 'take', 'onNone', 'onMany'] as const;
const ON_NONE = ['fault', 'empty', '{ value: … }'] as const;
const ON_MANY = ['fault', 'first'] as const;
/** Sent if a lookup has no `defaultCustomer`: all records of a customer are requested. */
const ALL_CUSTOMERS = { field: 'defaultCustomer', value: 'N' } as const;

type ReadLeaf = (field: Field, entry: MapEntry, scope: MapScope, problems: Problem[]) => MapLeaf | undefined;

/** Reads `{ lookup }` (contract section 9); undefined if there are problems. */
export function readLookup(
  field: Field,
  entry: MapEntry,
  node: MappingNode,
  scope: MapScope,
  problems: Problem[],
  readLeaf: ReadLeaf,
): LookupLeaf | undefined {
  const before = problems.length;
  const named = node.entries.get('lookup')!;
  if (!scope.lookups) return refuse(problems, named.keyPlace, 'job.lookup_misplaced', { field: field.name });
  for (const { key, keyPlace } of node.entries.values())
    if (!LOOKUP_KEYS.some((it) => it === key)) problems.push(unknownKeyProblem(keyPlace, key, LOOKUP_KEYS));
  const target = readTarget(named, scope.lookups, problems);
  const request = target && readRequest(entry, node, target, scope, problems, readLeaf);
  const onNone = readOnNone(field, node.entries.get('onNone'), problems);
  const onMany = readOnMany(node.entries.get('onMany'), problems);
  const take = target && readTake(entry, node, target, problems);
  const where = target && readWhere(node.entries.get('where'), target, scope, problems);
  if (problems.length > before || !target || !request || take === undefined || !onNone) return undefined;
  const at = positionOf(node.place);
  return { kind: 'lookup', operation: target.name, with: request, where, take, onNone, onMany, at };
}

function readTarget(
  { value: node }: MapEntry,
  targets: readonly LookupTarget[],
  problems: Problem[],
): LookupTarget | undefined {
  const found = node.kind === 'scalar' ? targets.find(({ name }) => name === node.value) : undefined;
  if (!found) {
    const names = targets.map(({ name }) => name);
    problems.push(unknownValue(node.place, 'lookup', shown(node), names));
  }
  return found;
}

function readRequest(
  owner: MapEntry,
  node: MappingNode,
  { name: operation, shape }: LookupTarget,
  scope: MapScope,
  problems: Problem[],
  readLeaf: ReadLeaf,
): ReadonlyMap<string, MapLeaf> | undefined {
  const entry = node.entries.get('with');
  if (!entry) return refuse(problems, owner.keyPlace, 'job.missing_key', { key: 'with' });
  const { value } = entry;
  if (value.kind !== 'mapping') {
    return refuse(problems, value.place, 'job.expected_mapping', { key: 'with', value: shown(value) });
  }
  // Lookups are requested before the results of earlier steps are known.
  const records = scope.records.filter((it) => it !== 'step');
  const inner: MapScope = { ...scope, lookups: undefined, steps: undefined, records };
  const leaves = new Map<string, MapLeaf>();
  const misspelt = new Set<string | undefined>();
  const names = shape.map((it) => it.name);
  for (const member of value.entries.values()) {
    const { key, keyPlace } = member;
    const field = shape.find(({ name }) => name === key);
    if (!field) {
      const problem = unknownKeyProblem(keyPlace, key, names);
      misspelt.add(problem.unknownKey?.meant);
      problems.push(problem);
      continue;
    }
    const nested = nestedLookup(member);
    if (nested) {
      problems.push(problemAt(nested, 'job.lookup_in_lookup', { field: key }));
      continue;
    }
    const leaf = readLeaf(field, member, inner, problems);
    if (leaf) leaves.set(field.name, leaf);
  }
  if (!value.entries.has(ALL_CUSTOMERS.field) && names.includes(ALL_CUSTOMERS.field)) {
    const at = positionOf(value.place);
    leaves.set(ALL_CUSTOMERS.field, { kind: 'value', value: ALL_CUSTOMERS.value, at });
    misspelt.add(ALL_CUSTOMERS.field);
  }
  const missing = shape.filter((it) => isNeeded(it) && !value.entries.has(it.name) && !misspelt.has(it.name));
  if (missing.length > 0) {
    const fields = missing.map((it) => it.name).join(', ');
    problems.push(problemAt(entry.keyPlace, 'job.lookup_lacks', { operation, fields }));
  }
  return leaves;
}

/** The position of a `lookup` or `from` within a leaf of `with`, which is not allowed. */
function nestedLookup({ value }: MapEntry): Place | undefined {
  if (value.kind !== 'mapping') return undefined;
  return (value.entries.get('lookup') ?? value.entries.get('from'))?.keyPlace;
}

function readTake(
  owner: MapEntry,
  node: MappingNode,
  { name: operation, record }: LookupTarget,
  problems: Problem[],
): string | undefined {
  const entry = node.entries.get('take');
  if (!entry) return refuse(problems, owner.keyPlace, 'job.missing_key', { key: 'take' });
  const { value } = entry;
  if (value.kind !== 'scalar' || value.value === null || value.written.trim() === '') {
    return refuse(problems, value.place, 'job.expected_text', { key: 'take', value: shown(value) });
  }
  const path = value.written.trim();
  const problem = unknownMember(path, value.place, operation, record);
  if (!problem) return path;
  problems.push(problem);
  return undefined;
}

/** The problem of a member that records do not have, or that is an object. */
function unknownMember(
  path: string,
  place: Place,
  operation: string,
  record: readonly Field[],
): Problem | undefined {
  const found = memberAt(record, path.split('.'));
  if (found && !isNested(found)) return undefined;
  const known = valueMembers(record);
  const params = { operation, member: path, known: known.join(', ') };
  const near = found ? undefined : nearestName(path, known);
  return near === undefined
    ? problemAt(place, 'job.lookup_member', params)
    : problemAt(place, 'job.lookup_member_nearest', { ...params, near });
}

function memberAt(fields: readonly Field[], [name, ...rest]: readonly string[]): Field | undefined {
  const field = fields.find((it) => it.name === name);
  if (rest.length === 0) return field;
  return field?.type === 'object' ? memberAt(field.fields ?? [], rest) : undefined;
}

/** Paths of all members that are scalar values or lists of texts. */
export function valueMembers(fields: readonly Field[], prefix = ''): readonly string[] {
  return fields.flatMap((it) => {
    if (it.type === 'object') return valueMembers(it.fields ?? [], `${prefix}${it.name}.`);
    return it.type === 'object array' ? [] : [`${prefix}${it.name}`];
  });
}

function readWhere(
  entry: MapEntry | undefined,
  { name: operation, record }: LookupTarget,
  scope: MapScope,
  problems: Problem[],
): LookupLeaf['where'] {
  if (!entry) return undefined;
  const { value: node } = entry;
  if (node.kind !== 'scalar' || node.value === null || node.written.trim() === '') {
    return refuse(problems, node.place, 'job.expected_text', { key: 'where', value: shown(node) });
  }
  return readCondition(
    node,
    'where',
    {
      ...scope,
      records: ['record'],
      expression({ mentions, fields }, placeAt, found) {
        scope.expression?.({ mentions, fields: [] }, placeAt, found);
        for (const { path, offset } of fields) {
          if (memberAt(record, path)) continue;
          const problem = unknownMember(path.join('.'), placeAt(offset), operation, record);
          if (problem) found.push(problem);
        }
        found.push(...neverEqual(node, record, placeAt));
      },
    },
    problems,
  );
}

/** Reports a comparison of a number with a cell's text: they are never equal, so no record would ever be found. */
function neverEqual(
  node: ScalarNode,
  record: readonly Field[],
  placeAt: (index: number) => Place,
): readonly Problem[] {
  const compiled = compileCel(node.written, { variables: { row: 'row', record: 'record' }, result: 'bool' });
  if (!compiled.ok) return [];
  return compiled.equalities.flatMap(({ path, column }) => {
    const field = memberAt(record, path);
    if (!field || field.type === 'String') return [];
    const mentioned = compiled.fields.find((it) => it.path.join('.') === path.join('.'));
    const params = { member: path.join('.'), type: field.type, column };
    return [problemAt(placeAt(mentioned?.offset ?? 0), 'job.lookup_never_equal', params)];
  });
}

function readOnNone(
  field: Field,
  entry: MapEntry | undefined,
  problems: Problem[],
): LookupLeaf['onNone'] | undefined {
  if (!entry) return { kind: 'fault' };
  const { value: node } = entry;
  if (node.kind === 'scalar' && (node.value === 'fault' || node.value === 'empty'))
    return { kind: node.value };
  const inner = node.kind === 'mapping' ? node.entries.get('value') : undefined;
  if (node.kind !== 'mapping' || !inner || node.entries.size > 1 || inner.value.kind !== 'scalar') {
    problems.push(unknownValue(node.place, 'onNone', shown(node), ON_NONE));
    return undefined;
  }
  const value = readConstant(field, inner.value, problems);
  return value === undefined ? undefined : { kind: 'value', value };
}

function readOnMany(entry: MapEntry | undefined, problems: Problem[]): LookupLeaf['onMany'] {
  if (!entry) return 'fault';
  const { value: node } = entry;
  const found = node.kind === 'scalar' ? ON_MANY.find((it) => it === node.value) : undefined;
  if (!found) problems.push(unknownValue(node.place, 'onMany', shown(node), ON_MANY));
  return found ?? 'fault';
}
