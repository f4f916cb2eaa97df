import type { Message } from '../../errors/message.js';
import type { Json } from '../../model/json.js';
import type { CompiledCel } from '../../util/cel.js';
import { budgetOfSelection } from '../../util/cel-budget.js';
import type { LookupRecords } from './records.js';

type Compiled = Extract<CompiledCel, { readonly ok: true }>;

/** Which records of an answer a row means. */
export type Selection =
  | { readonly kind: 'records'; readonly places: readonly number[] }
  /** The condition can't be worked out for a record. */
  | { readonly kind: 'failed'; readonly place: number; readonly detail: Message | string };

/** Selections that are remembered of one answer. */
const REMEMBERED = 2000;

/**
 * A look-up's condition, compiled. Rows with equal texts share a selection, and records are found by index where the
 * condition says `record["X"] == row["Y"]`: a hundred thousand records times as many rows would never end.
 */
export class LookupWhere {
  readonly #compiled: Compiled;
  readonly #remembered = new WeakMap<LookupRecords, Map<string, Selection>>();

  constructor(compiled: Compiled) {
    this.#compiled = compiled;
  }

  /** @param row the texts of the columns that it reads */
  select(records: LookupRecords, row: ReadonlyMap<string, string>): Selection {
    const key = JSON.stringify([...row.values()]);
    const known = this.#remembered.get(records) ?? new Map<string, Selection>();
    this.#remembered.set(records, known);
    let found = known.get(key);
    if (!found) {
      found = this.#evaluate(records, row);
      if (known.size >= REMEMBERED) known.clear();
      known.set(key, found);
    }
    return found;
  }

  #evaluate(records: LookupRecords, row: ReadonlyMap<string, string>): Selection {
    const places: number[] = [];
    const budget = budgetOfSelection();
    for (const place of this.#candidates(records, row)) {
      const result = this.#compiled.evaluate({ row, record: this.#record(records, place) }, budget);
      if (!result.ok) return { kind: 'failed', place, detail: result.detail };
      if (result.value === true) places.push(place);
    }
    return { kind: 'records', places };
  }

  /** The records that a required equality leaves; all where there is none. */
  #candidates(records: LookupRecords, row: ReadonlyMap<string, string>): Iterable<number> {
    const [equal] = this.#compiled.equalities;
    if (!equal) return Array(records.count).keys();
    return records.withText(equal.path.join('.'), row.get(equal.column) ?? '');
  }

  #record(records: LookupRecords, place: number): ReadonlyMap<string, unknown> {
    const record = new Map<string, unknown>();
    for (const { path } of this.#compiled.fields) {
      put(record, path, celValue(records.value(place, path.join('.')) ?? null));
    }
    return record;
  }
}

function put(owner: Map<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (rest.length === 0) {
    if (!owner.has(name!)) owner.set(name!, value);
    return;
  }
  const inner = owner.get(name!);
  const next = inner instanceof Map ? (inner as Map<string, unknown>) : new Map<string, unknown>();
  owner.set(name!, next);
  put(next, rest, value);
}

/** CEL's integers are bigints. */
function celValue(value: Json): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (value === null || typeof value !== 'object') return value;
  return new Map(Object.entries(value).map(([name, it]) => [name, celValue(it as Json)]));
}
