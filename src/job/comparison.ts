import type { ComparisonShape } from '../model/comparison.js';
import type { Field } from '../model/field.js';
import type { MapBranch } from '../model/map.js';
import { readFields } from './map/read.js';
import { SINGLE_ROW } from './map/scope.js';
import { type Problem, problemAt } from './problem.js';
import type { MapEntry, MappingNode } from './yaml/node.js';
import { positionOf } from './yaml/text.js';

/** What a job compares, checked; parts are undefined where there are problems. */
export interface ReadComparison {
  readonly key: MapBranch | undefined;
  readonly expect: MapBranch | undefined;
}

/** Reads `key` and `expect` (contract section 8) against the fields of what is compared. */
export function readComparison(
  root: MappingNode,
  shape: ComparisonShape,
  problems: Problem[],
): ReadComparison {
  const keyEntry = root.entries.get('key');
  if (!keyEntry) problems.push(problemAt(root.place, 'job.missing_key', { key: 'key' }));
  const key = keyEntry && sound(problems, () => readFields(keyEntry, shape.key, SINGLE_ROW, problems));
  const entry = root.entries.get('expect');
  if (!entry) return { key, expect: { kind: 'branch', fields: new Map(), at: positionOf(root.place) } };
  const expect = sound(problems, () => {
    const left = withoutUncomparable(entry, shape.record, problems);
    return readFields(left, comparableFields(shape.record), SINGLE_ROW, problems);
  });
  return { key, expect };
}

function sound<T>(problems: readonly Problem[], read: () => T | undefined): T | undefined {
  const before = problems.length;
  const result = read();
  return problems.length > before ? undefined : result;
}

/** Fields whose values can be held against one cell: not arrays of objects, nor objects of unknown form. */
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

/** Tells the fields that can't be compared, and leaves them out so that they are not told as unknown too. */
function withoutUncomparable(entry: MapEntry, fields: readonly Field[], problems: Problem[]): MapEntry {
  const node = entry.value;
  if (node.kind !== 'mapping') return entry;
  const kept = new Map<string, MapEntry>();
  for (const inner of node.entries.values()) {
    const field = fields.find((one) => one.name === inner.key);
    if (field && !isComparable(field)) {
      const params = { field: field.name, type: field.type };
      problems.push(problemAt(inner.keyPlace, 'job.not_comparable', params));
    } else {
      kept.set(inner.key, field ? withoutUncomparable(inner, field.fields ?? [], problems) : inner);
    }
  }
  return { ...entry, value: { ...node, entries: kept } };
}
