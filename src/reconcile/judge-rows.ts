import { message } from '../errors/message.js';
import type { Comparison } from '../model/comparison.js';
import type { Connection } from '../model/connection.js';
import type { JsonObject } from '../model/json.js';
import { expectationOf, keyOf } from './bind.js';
import { type Difference, differences } from './compare.js';
import type { Drift, DriftVerdict } from './contract.js';
import type { ComparedRow } from './drift-store.js';

type Settings = Pick<Connection, 'timestamps' | 'timezone'>;

/** Records of a reply by the name that rows know them by; several may share one. */
interface NamedRecords {
  readonly named: ReadonlyMap<string, { readonly label: string; readonly records: readonly JsonObject[] }>;
  /** How many records have no recognisable name. */
  readonly nameless: number;
}

/** Compares a row with the records that came for its request. */
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
  let alike: { readonly name: string; readonly count: number } | undefined;
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
      if (records.length > 1 && !comparison.sharedNames) alike ??= { name: label, count: records.length };
    }
    found.push(...judged.drift.map((it) => (several ? { ...it, label } : it)));
  }
  // If it were called missing although it is there, it might be ordered again.
  if (missing.length > 0 && nameless > 0) {
    const told = message('reconcile.nameless', { count: nameless, names: missing.join(', ') });
    return { status: 'error', differences: [], message: told };
  }
  const shown = differing ?? actual;
  return {
    status: missing.length > 0 ? 'missing' : found.length > 0 ? 'different' : 'in_sync',
    differences: found,
    missing: several && missing.length > 0 ? missing : undefined,
    message: alike && message('reconcile.several_records', alike),
    actual: shown,
  };
}

/**
 * Of several records with one name: the one that differs least if the row means one of them, otherwise the one that
 * differs most. The first of equals.
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
    const there = named.get(name.id);
    if (there) there.records.push(record);
    else named.set(name.id, { label: name.label, records: [record] });
  }
  return { named, nameless };
}
