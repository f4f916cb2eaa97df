import type { Comparison } from '../model/comparison.js';
import type { Field } from '../model/field.js';
import { isObject, type Json, type JsonObject, member } from '../model/json.js';
import { expectationOf, keyOf } from './bind.js';
import { type CompareSettings, differences } from './compare.js';
import type { ComparedRow } from './drift-store.js';
import { isEmpty } from './field-values.js';

/** Another row that expects something else of the same record. */
interface Contradiction {
  readonly other: number;
  /** By path. */
  readonly field: string;
  /** What people call the record. */
  readonly record: string;
}

/**
 * Rows that expect contradicting values of one field of one record. Whichever value was set, the other row would
 * differ, night after night. `rows`: those of one request. By row number.
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

function note(found: Map<number, Contradiction>, row: number, it: Contradiction): void {
  if (!found.has(row)) found.set(row, it);
}

interface Leaf {
  readonly field: Field;
  readonly path: string;
  readonly value: Json;
}

function leavesOf(expected: JsonObject, fields: readonly Field[], at: string): readonly Leaf[] {
  return fields.flatMap((field): readonly Leaf[] => {
    const value = member(expected, field.name);
    if (isEmpty(value)) return [];
    const path = `${at}${field.name}`;
    if (field.type === 'object' && field.fields) {
      return isObject(value) ? leavesOf(value, field.fields, `${path}.`) : [];
    }
    return [{ field, path, value }];
  });
}

/** True when one value can meet both expectations, such as a day and an hour of that day. */
function canBothBe(field: Field, one: Json, other: Json, settings: CompareSettings): boolean {
  const differ = (expected: Json, actual: Json): boolean =>
    differences({ [field.name]: expected }, { [field.name]: actual }, [field], settings).length > 0;
  return !differ(one, other) || !differ(other, one);
}
