import type { Comparison } from '../model/comparison.js';
import type { Connection } from '../model/connection.js';
import type { JsonObject } from '../model/json.js';
import { expectationOf, keyOf } from './bind.js';
import { type Difference, differences } from './compare.js';
import type { Drift, Verdict } from './contract.js';
import type { ComparedRow } from './drift-store.js';

type Settings = Pick<Connection, 'timestamps' | 'timezone'>;

/** Records of a reply under the names that rows know them by; several may share one. */
export type NamedRecords = ReadonlyMap<
  string,
  { readonly label: string; readonly records: readonly JsonObject[] }
>;

/** How a row stands against the records that came for its request. */
export function judgeRow(
  { body }: ComparedRow,
  records: NamedRecords,
  comparison: Comparison,
  settings: Settings,
): Verdict {
  const names = comparison.names(keyOf(body));
  const expected = expectationOf(body);
  const several = names.length > 1;
  const missing: string[] = [];
  const found: Drift[] = [];
  let actual: JsonObject | undefined;
  let differing: JsonObject | undefined;
  for (const { id, label } of names) {
    const nearest = nearestRecord(expected, records.get(id)?.records ?? [], comparison, settings);
    if (!nearest) {
      missing.push(label);
      continue;
    }
    actual ??= nearest.record;
    if (nearest.drift.length > 0) differing ??= nearest.record;
    found.push(...nearest.drift.map((it) => (several ? { ...it, label } : it)));
  }
  const shown = differing ?? actual;
  return {
    status: missing.length > 0 ? 'missing' : found.length > 0 ? 'different' : 'in_sync',
    differences: found,
    ...(several && missing.length > 0 ? { missing } : {}),
    ...(shown ? { actual: shown } : {}),
  };
}

/** Of several records with one name (a default customer and another) the one that differs least; the first of equals. */
function nearestRecord(
  expected: JsonObject,
  records: readonly JsonObject[],
  comparison: Comparison,
  settings: Settings,
): { readonly record: JsonObject; readonly drift: readonly Difference[] } | undefined {
  let best: { record: JsonObject; drift: readonly Difference[] } | undefined;
  for (const record of records) {
    const drift = differences(expected, record, comparison.record, settings);
    if (!best || drift.length < best.drift.length) best = { record, drift };
  }
  return best;
}

/** Records by name; those whose name can't be told are left out. */
export function byName(
  records: readonly JsonObject[],
  request: JsonObject,
  comparison: Comparison,
): NamedRecords {
  const named = new Map<string, { label: string; records: JsonObject[] }>();
  for (const record of records) {
    const name = comparison.nameOf(record, request);
    if (!name) continue;
    const there = named.get(name.id);
    if (there) there.records.push(record);
    else named.set(name.id, { label: name.label, records: [record] });
  }
  return named;
}
