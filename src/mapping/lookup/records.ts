import type { Message } from '../../errors/message.js';
import { type Json, type JsonObject, member, setAtPath } from '../../model/json.js';
import type { LookupOperationName } from '../../model/map.js';
import type { CompiledCel } from '../../util/cel.js';
import { budgetOfSelection } from '../../util/cel-budget.js';

/** A request of a lookup; equal requests are sent once. */
export interface LookupRequest {
  readonly operation: LookupOperationName;
  /** The request's fields, sorted by name. */
  readonly fields: JsonObject;
  /** Text that is the same for equal requests only. */
  readonly key: string;
}

/** The result of a lookup's request. */
export type LookupAnswer =
  | { readonly kind: 'records'; readonly records: LookupRecords }
  /** No valid reply after all retries. `detail`: the program's message, or the platform's text. */
  | { readonly kind: 'none'; readonly detail: Message | string }
  /** No request is sent (`--offline`): the field is treated as present. */
  | { readonly kind: 'unasked' };

/** The replies that are available while rows are mapped. */
export interface LookupAnswers {
  /** Undefined while the reply isn't available: the row must be mapped again once it is. */
  find(request: LookupRequest): LookupAnswer | undefined;
  /** Called for each field of a lookup, whether a value was found or not. */
  onUse?(use: LookupUse): void;
}

/** A field of a row that is looked up. */
export interface LookupUse {
  /** Wire path without indexes. */
  readonly field: string;
  readonly sheet: string;
  readonly row: number;
  readonly request: LookupRequest;
  /** Index (from 0) of the reply's record that contains the value. */
  readonly record?: number;
}

/** For maps without lookups. */
export const NO_ANSWERS: LookupAnswers = { find: () => undefined };

/** Estimated bytes of a stored value without its text, and of a record's entry in an index. */
const BYTES_A_VALUE = 16;
const BYTES_AN_ENTRY = 64;

/**
 * The records of a reply by column, restricted to the members that lookups read, so that a reply of a hundred thousand records
 * fits in memory. Texts that conditions compare are indexed on first use.
 */
export class LookupRecords {
  readonly count: number;
  /** Estimated bytes in memory. */
  readonly bytes: number;
  readonly #columns: ReadonlyMap<string, readonly (Json | undefined)[]>;
  readonly #indexes = new Map<string, ReadonlyMap<string, readonly number[]>>();

  /** @param paths paths of the members to store, with dots */
  constructor(records: readonly JsonObject[], paths: Iterable<string>) {
    this.count = records.length;
    let bytes = BYTES_AN_ENTRY;
    const columns = new Map<string, readonly (Json | undefined)[]>();
    for (const path of paths) {
      const steps = path.split('.');
      const column = records.map((record) => valueAt(record, steps));
      for (const value of column) bytes += BYTES_A_VALUE + BYTES_AN_ENTRY + sizeOf(value);
      columns.set(path, column);
    }
    this.#columns = columns;
    this.bytes = bytes;
  }

  /** The value of a record's member; undefined if the record doesn't have it. */
  value(record: number, path: string): Json | undefined {
    return this.#columns.get(path)?.[record];
  }

  /** Indexes of the records whose member is exactly this text, ascending. */
  withText(path: string, text: string): readonly number[] {
    let index = this.#indexes.get(path);
    if (!index) {
      index = indexOf(this.#columns.get(path) ?? []);
      this.#indexes.set(path, index);
    }
    return index.get(text) ?? [];
  }
}

function indexOf(column: readonly (Json | undefined)[]): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [record, value] of column.entries()) {
    if (typeof value !== 'string') continue;
    const places = index.get(value);
    if (places) places.push(record);
    else index.set(value, [record]);
  }
  return index;
}

function valueAt(record: JsonObject, steps: readonly string[]): Json | undefined {
  let value: Json | undefined = record;
  for (const step of steps) value = member(value, step);
  return value;
}

function sizeOf(value: Json | undefined): number {
  if (typeof value === 'string') return value.length * 2;
  return Array.isArray(value) ? value.reduce<number>((sum, it) => sum + BYTES_A_VALUE + sizeOf(it), 0) : 0;
}

/** The members of records that a map's lookups read, by operation. Only these are stored of a reply. */
export class ReadMembers {
  readonly #paths = new Map<LookupOperationName, Set<string>>();

  read(operation: LookupOperationName, paths: Iterable<string>): void {
    const known = this.#paths.get(operation) ?? new Set();
    for (const path of paths) known.add(path);
    this.#paths.set(operation, known);
  }

  /** Paths with dots; empty for an operation that no lookup requests. */
  of(operation: LookupOperationName): ReadonlySet<string> {
    return this.#paths.get(operation) ?? new Set();
  }

  /** False for a map without lookups. */
  get any(): boolean {
    return this.#paths.size > 0;
  }
}

type Compiled = Extract<CompiledCel, { readonly ok: true }>;

/** The records of a reply that a condition selects for a row. */
export type Selection =
  | { readonly kind: 'records'; readonly places: readonly number[] }
  /** The condition cannot be evaluated for a record. */
  | { readonly kind: 'failed'; readonly place: number; readonly detail: Message | string };

/** Maximum number of cached selections of one reply. */
const CACHED_SELECTIONS = 2000;

/**
 * A lookup's compiled condition. Rows with equal texts share a selection, and an index finds the records for a condition
 * `record["X"] == row["Y"]`: evaluating a hundred thousand records for each of as many rows would take too long.
 */
export class LookupWhere {
  readonly #compiled: Compiled;
  readonly #cache = new WeakMap<LookupRecords, Map<string, Selection>>();

  constructor(compiled: Compiled) {
    this.#compiled = compiled;
  }

  /** @param row the texts of the columns that it reads */
  select(records: LookupRecords, row: ReadonlyMap<string, string>): Selection {
    const key = JSON.stringify([...row.values()]);
    const cached = this.#cache.get(records) ?? new Map<string, Selection>();
    this.#cache.set(records, cached);
    let found = cached.get(key);
    if (!found) {
      found = this.#evaluate(records, row);
      if (cached.size >= CACHED_SELECTIONS) cached.clear();
      cached.set(key, found);
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

  /** The records that satisfy a required equality of the condition; all records without one. */
  #candidates(records: LookupRecords, row: ReadonlyMap<string, string>): Iterable<number> {
    const [equal] = this.#compiled.equalities;
    if (!equal) return Array(records.count).keys();
    return records.withText(equal.path.join('.'), row.get(equal.column) ?? '');
  }

  #record(records: LookupRecords, place: number): ReadonlyMap<string, unknown> {
    const record = new Map<string, unknown>();
    for (const { path } of this.#compiled.fields) {
      setAtPath(record, path, celValue(records.value(place, path.join('.')) ?? null));
    }
    return record;
  }
}

/** The value for CEL, whose integers are bigints. */
function celValue(value: Json): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (value === null || typeof value !== 'object') return value;
  return new Map(Object.entries(value).map(([name, it]) => [name, celValue(it as Json)]));
}
