import { describe, expect, it } from 'vitest';
import { LookupRecords, LookupWhere } from '../../src/mapping/lookup/records.js';
import type { JsonObject } from '../../src/model/json.js';
import { compileCel } from '../../src/util/cel.js';

function where(source: string) {
  const compiled = compileCel(source, { variables: { row: 'row', record: 'record' }, result: 'bool' });
  if (!compiled.ok) throw new Error(String(compiled.detail));
  const paths = compiled.fields.map((it) => it.path.join('.'));
  return (records: Parameters<typeof table>[0], row: Record<string, string>) =>
    new LookupWhere(compiled).select(table(records, paths), new Map(Object.entries(row)));
}

function table(records: ConstructorParameters<typeof LookupRecords>[0], paths: readonly string[]) {
  return new LookupRecords(records, paths);
}

const CUSTOMERS: readonly JsonObject[] = [
  { name: 'A', number: 7, state: { id: 'x' } },
  { name: 'B', number: 8 },
  { name: 'A', number: 9, state: null },
];

describe('the condition of a lookup', () => {
  it.each([
    ['record["name"] == row["Group"]', [0, 2]],
    ['row["Group"] == record.name', [0, 2]],
    ['record["name"] == row["Group"] && record["number"] > 7', [2]],
    ['record["number"] > 7 && row["Group"] == record["name"]', [2]],
    ['record["name"] == row["Group"] || record["number"] == 8', [0, 1, 2]],
    ['!(record["name"] == row["Group"])', [1]],
    ['record.state.id == "x"', [0]],
    ['string(record["number"]) == row["No"]', [1]],
    ['record["gone"] == row["Group"]', []],
  ])('%s', (source, places) => {
    expect(where(source)(CUSTOMERS, { Group: 'A', No: '8' })).toEqual({ kind: 'records', places });
  });

  it('an index finds what going through all records finds', () => {
    const records = Array.from({ length: 500 }, (_, n) => ({ name: `N${n % 37}`, number: n }));
    const byIndex = where('record["name"] == row["Group"] && record["number"] > 100');
    const byAll = where('!(record["name"] != row["Group"]) && record["number"] > 100');
    for (const Group of ['N0', 'N36', 'N37', '', 'n0']) {
      expect(byIndex(records, { Group })).toEqual(byAll(records, { Group }));
    }
  });

  it('what cannot be worked out names the record', () => {
    expect(where('int(record["name"]) > 0')(CUSTOMERS, {})).toMatchObject({ kind: 'failed', place: 0 });
  });
});
