import type { ComparisonShape } from '../model/comparison.js';
import type { Field } from '../model/field.js';
import type { ReconcileAction } from '../model/job.js';
import type { MapBranch } from '../model/map.js';
import { nearestName } from '../util/name-match.js';
import { fold } from '../util/text.js';
import { readFields } from './map/read.js';
import { type DriftRecord, type MapScope, SINGLE_ROW } from './map/scope.js';
import { type Problem, problemAt } from './problem.js';
import { type MapEntry, type MappingNode, type Place, positionOf } from './yaml/node.js';

/** The checked maps of a comparison; a map is undefined if it has problems. */
export interface ReadComparison {
  readonly key: MapBranch | undefined;
  readonly expect: MapBranch | undefined;
}

/** Reads `key` and `expect` (contract section 8) and checks them against the fields of the comparison. */
export function readComparison(
  root: MappingNode,
  shape: ComparisonShape,
  problems: Problem[],
): ReadComparison {
  const keyEntry = root.entries.get('key');
  if (!keyEntry) problems.push(problemAt(root.place, 'job.missing_key', { key: 'key' }));
  const key = keyEntry && ifValid(problems, () => readFields(keyEntry, shape.key, SINGLE_ROW, problems));
  const entry = root.entries.get('expect');
  if (!entry) return { key, expect: { kind: 'branch', fields: new Map(), at: positionOf(root.place) } };
  const expect = ifValid(problems, () => {
    const comparable = withoutUncomparable(entry, shape.record, problems);
    return readFields(comparable, comparableFields(shape.record), SINGLE_ROW, problems);
  });
  return { key, expect };
}

function ifValid<T>(problems: readonly Problem[], read: () => T | undefined): T | undefined {
  const before = problems.length;
  const result = read();
  return problems.length > before ? undefined : result;
}

/** Fields whose values can be compared with one cell: no arrays of objects and no objects without known fields. */
export function comparableFields(fields: readonly Field[]): readonly Field[] {
  return fields
    .filter(isComparable)
    .map((field) =>
      field.type === 'object' ? { ...field, fields: comparableFields(field.fields!) } : field,
    );
}

function isComparable(field: Field): boolean {
  return field.type === 'object' ? (field.fields ?? []).length > 0 : field.type !== 'object array';
}

/** Reports the fields that cannot be compared, and removes them so that they are not reported as unknown too. */
function withoutUncomparable(entry: MapEntry, fields: readonly Field[], problems: Problem[]): MapEntry {
  const node = entry.value;
  if (node.kind !== 'mapping') return entry;
  const comparable = new Map<string, MapEntry>();
  for (const inner of node.entries.values()) {
    const field = fields.find(({ name }) => name === inner.key);
    if (field && !isComparable(field)) {
      const params = { field: field.name, type: field.type };
      problems.push(problemAt(inner.keyPlace, 'job.not_comparable', params));
    } else {
      comparable.set(inner.key, field ? withoutUncomparable(inner, field.fields ?? [], problems) : inner);
    }
  }
  return { ...entry, value: { ...node, entries: comparable } };
}

const RECORDS: readonly DriftRecord[] = ['expected', 'actual'];

/** Variables available to an action if the comparison's kind is unknown. */
export const UNKNOWN_DRIFT: MapScope = { each: 'columns', records: RECORDS };

/**
 * What an action's map and condition may read: the source's columns, the fields of `expected` (those that `key` and `expect`
 * map) and of `actual` (the record's and the key's, because a list of assets does not name their customer).
 */
export function driftScope(
  on: ReconcileAction['on'] | undefined,
  shape: ComparisonShape,
  { key, expect }: ReadComparison,
): MapScope {
  const comparable = pathsOf(comparableFields(shape.record));
  const keys = pathsOf(shape.key);
  const known = [...new Set([...keys, ...comparable])];
  const mapped = key && expect && new Set([...mappedPaths(key), ...mappedPaths(expect)]);
  const inBoth = keys.findLast((path) => comparable.includes(path)) ?? comparable[0];
  const examples = { expected: `expected.${mapped ? [...mapped][0] : keys[0]}`, actual: `actual.${inBoth}` };

  /** The problem of a field that this action cannot read. @param path one of `known`, or an object that contains some */
  const unreadable = (name: DriftRecord, path: string, place: Place): Problem | undefined => {
    const field = `${name}.${path}`;
    if (name === 'expected' && on === 'extra') return noRow(field, place);
    if (name === 'actual' && on === 'missing')
      return problemAt(place, 'job.missing_has_no_record', { column: field, example: examples.expected });
    if (name === 'actual' || !mapped || includes([...mapped], path)) return undefined;
    return problemAt(place, 'job.field_not_expected', { field, actual: `actual.${path}` });
  };
  const noRow = (column: string, place: Place): Problem =>
    problemAt(place, 'job.extra_has_no_row', { column, example: examples.actual });
  const unknown = (name: DriftRecord, path: string, place: Place): Problem => {
    const near = nearestName(path, known);
    const field = `${name}.${path}`;
    const list = known.join(', ');
    return near === undefined
      ? problemAt(place, 'job.unknown_field_far', { field, known: list })
      : problemAt(place, 'job.unknown_field', { field, near: `${name}.${near}`, known: list });
  };
  const column = (name: string, place: Place, problems: Problem[]): void => {
    const read = RECORDS.find((it) => fold(name).startsWith(`${it}.`));
    if (!read) {
      if (on === 'extra') problems.push(noRow(name, place));
      return;
    }
    // Compared as headers are: case and width are ignored.
    const fieldName = name
      .trim()
      .slice(read.length + 1)
      .trim();
    const path = known.find((it) => fold(it) === fold(fieldName));
    const problem = path === undefined ? unknown(read, fieldName, place) : unreadable(read, path, place);
    if (problem) problems.push(problem);
  };
  return {
    ...UNKNOWN_DRIFT,
    column,
    expression({ mentions, fields }, placeAt, problems) {
      for (const mention of mentions) column(mention.column, placeAt(mention.offset), problems);
      for (const { record, path: steps, offset } of fields) {
        const name = record as DriftRecord;
        const path = steps.join('.');
        const place = placeAt(offset);
        // A list of a record can be read, although it can't be compared.
        const exists = includes(known, path) || isWithin([...shape.key, ...shape.record], steps);
        const problem = exists ? unreadable(name, path, place) : unknown(name, path, place);
        if (problem) problems.push(problem);
      }
    },
  };
}

/** True if the path is one of `paths`, or contains some of them. */
function includes(paths: readonly string[], path: string): boolean {
  return paths.some((it) => it === path || it.startsWith(`${path}.`));
}

function isWithin(fields: readonly Field[], [first, ...rest]: readonly string[]): boolean {
  const field = fields.find((it) => it.name === first);
  if (!field) return false;
  if (rest.length === 0 || field.type === 'object array') return true;
  return field.type === 'object' && isWithin(field.fields ?? [], rest);
}

function pathsOf(fields: readonly Field[]): readonly string[] {
  return fields.flatMap((field) =>
    field.type === 'object' ? pathsOf(field.fields ?? []).map((it) => `${field.name}.${it}`) : [field.name],
  );
}

function mappedPaths(branch: MapBranch): readonly string[] {
  return [...branch.fields].flatMap(([name, node]) =>
    node.kind === 'branch' ? mappedPaths(node).map((it) => `${name}.${it}`) : [name],
  );
}
