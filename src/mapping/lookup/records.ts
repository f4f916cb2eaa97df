import { type Json, type JsonObject, member } from '../../model/json.js';

/** Estimated bytes of a value that is kept, without its text; and of a record's entry in an index. */
const BYTES_A_VALUE = 16;
const BYTES_AN_ENTRY = 64;

/**
 * The records of an answer, with those members only that look-ups read: an answer of a hundred thousand records takes as
 * much memory as its few columns. Texts that conditions compare are indexed when they are first asked for.
 */
export class LookupRecords {
  readonly count: number;
  /** Estimated bytes that it takes in memory. */
  readonly bytes: number;
  readonly #columns: ReadonlyMap<string, readonly (Json | undefined)[]>;
  readonly #indexes = new Map<string, ReadonlyMap<string, readonly number[]>>();

  /** @param paths of the members to keep, steps separated by dots */
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

  /** The value of a record's member; undefined where the record doesn't have it. */
  value(record: number, path: string): Json | undefined {
    return this.#columns.get(path)?.[record];
  }

  /** Places of the records whose member is exactly this text, ascending. */
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
