import { message } from '../errors/message.js';
import type { Comparison } from '../model/comparison.js';
import type { Connection } from '../model/connection.js';
import type { Field } from '../model/field.js';
import { isObject, type Json, type JsonObject, member } from '../model/json.js';
import { expectationOf, keyOf } from './bind.js';
import { type CompareSettings, type Difference, differences, isEmpty } from './compare.js';
import type { ComparedRow } from './drift-store.js';
import type { Drift, DriftVerdict } from './services.js';

type Settings = Pick<Connection, 'timestamps' | 'timezone'>;

/** Records of a reply by the names that rows use; several may share a name. */
interface NamedRecords {
  readonly named: ReadonlyMap<string, { readonly label: string; readonly records: readonly JsonObject[] }>;
  /** Number of records without a recognisable name. */
  readonly nameless: number;
}

export function judgeRow(
  { body }: ComparedRow,
  { named, nameless }: NamedRecords,
  comparison: Comparison,
  settings: Settings,
): DriftVerdict {
  const names = comparison.names(keyOf(body));
  const expected = expectationOf(body);
  const several = names.length > 1;
  const missing: string[] = [];
  const found: Drift[] = [];
  let actual: JsonObject | undefined;
  let differing: JsonObject | undefined;
  let sameName: { readonly name: string; readonly count: number } | undefined;
  for (const { id, label } of names) {
    const records = named.get(id)?.records ?? [];
    const judged = closestRecord(expected, records, comparison, settings);
    if (!judged) {
      missing.push(label);
      continue;
    }
    actual ??= judged.record;
    if (judged.drift.length > 0) {
      differing ??= judged.record;
      if (records.length > 1 && !comparison.sharedNames) sameName ??= { name: label, count: records.length };
    }
    found.push(...judged.drift.map((drift) => (several ? { ...drift, label } : drift)));
  }
  // A record that exists but was reported as missing might be ordered again.
  if (missing.length > 0 && nameless > 0) {
    const reason = message('reconcile.nameless', { count: nameless, names: missing.join(', ') });
    return { status: 'error', differences: [], message: reason };
  }
  const shown = differing ?? actual;
  return {
    status: missing.length > 0 ? 'missing' : found.length > 0 ? 'different' : 'in_sync',
    differences: found,
    missing: several && missing.length > 0 ? missing : undefined,
    message: sameName && message('reconcile.several_records', sameName),
    actual: shown,
  };
}

/**
 * Chooses among several records with one name: the one with the fewest differences if the row means one of them,
 * otherwise the one with the most. The first if equal.
 */
function closestRecord(
  expected: JsonObject,
  records: readonly JsonObject[],
  comparison: Comparison,
  settings: Settings,
): { readonly record: JsonObject; readonly drift: readonly Difference[] } | undefined {
  let judged: { record: JsonObject; drift: readonly Difference[] } | undefined;
  for (const record of records) {
    const drift = differences(expected, record, comparison.record, settings);
    const further = judged ? drift.length - judged.drift.length : 0;
    if (!judged || (comparison.sharedNames ? further < 0 : further > 0)) judged = { record, drift };
  }
  return judged;
}

/** Groups records by name and counts those without one. */
export function byName(
  records: readonly JsonObject[],
  request: JsonObject,
  comparison: Comparison,
): NamedRecords {
  const named = new Map<string, { label: string; records: JsonObject[] }>();
  let nameless = 0;
  for (const record of records) {
    const name = comparison.nameOf(record, request);
    if (!name) {
      nameless += 1;
      continue;
    }
    const known = named.get(name.id);
    if (known) known.records.push(record);
    else named.set(name.id, { label: name.label, records: [record] });
  }
  return { named, nameless };
}

/** Another row with a different expectation of the same record. */
interface Contradiction {
  readonly other: number;
  /** By path. */
  readonly field: string;
  /** The record's name for users. */
  readonly record: string;
}

/**
 * Rows that expect conflicting values of one field of one record. If either value were set, the other row would differ
 * at the next comparison.
 * @param rows those of one request
 * @returns the conflicts by row number
 */
export function contradictions(
  rows: readonly ComparedRow[],
  comparison: Comparison,
  settings: CompareSettings,
): ReadonlyMap<number, Contradiction> {
  const found = new Map<number, Contradiction>();
  const first = new Map<string, { readonly row: number; readonly value: Json }>();
  for (const { row, body } of rows) {
    const expected = expectationOf(body);
    for (const { id, label } of comparison.names(keyOf(body))) {
      for (const { field, path, value } of leavesOf(expected, comparison.record, '')) {
        const key = JSON.stringify([id, path]);
        const before = first.get(key);
        if (!before) first.set(key, { row, value });
        else if (!canBothBe(field, before.value, value, settings)) {
          note(found, row, { other: before.row, field: path, record: label });
          note(found, before.row, { other: row, field: path, record: label });
        }
      }
    }
  }
  return found;
}

function note(found: Map<number, Contradiction>, row: number, contradiction: Contradiction): void {
  if (!found.has(row)) found.set(row, contradiction);
}

interface Leaf {
  readonly field: Field;
  readonly path: string;
  readonly value: Json;
}

function leavesOf(expected: JsonObject, fields: readonly Field[], prefix: string): readonly Leaf[] {
  return fields.flatMap((field): readonly Leaf[] => {
    const value = member(expected, field.name);
    if (isEmpty(value)) return [];
    const path = `${prefix}${field.name}`;
    if (field.type === 'object' && field.fields) {
      return isObject(value) ? leavesOf(value, field.fields, `${path}.`) : [];
    }
    return [{ field, path, value }];
  });
}

/** True if one value can meet both expectations, such as a day and an hour of that day. */
function canBothBe(field: Field, a: Json, b: Json, settings: CompareSettings): boolean {
  const differ = (expected: Json, actual: Json): boolean =>
    differences({ [field.name]: expected }, { [field.name]: actual }, [field], settings).length > 0;
  return !differ(a, b) || !differ(b, a);
}
