import type { Message } from '../errors/message.js';
import { compileKeys } from '../mapping/compile.js';
import type { Mapping } from '../mapping/mapping.js';
import type { Comparison } from '../model/comparison.js';
import type { Connection } from '../model/connection.js';
import type { Field } from '../model/field.js';
import type { ReconcileJob } from '../model/job.js';
import { isObject, type JsonObject, member } from '../model/json.js';
import type { ColumnUse, MapBranch } from '../model/map.js';
import type { Fault, Header, Row } from '../model/row.js';
import { operationNamed } from '../platform/operations/catalogue.js';

/** The key and the expectation of a row. */
type BoundRow =
  | { readonly kind: 'row'; readonly body: JsonObject; readonly warnings: readonly Message[] }
  /** `key`: the row's key, if at least that can be read. */
  | { readonly kind: 'faults'; readonly faults: readonly Fault[]; readonly key: JsonObject | undefined };

export interface BoundKeys {
  /** Columns of keys and expectations. */
  readonly use: ColumnUse;
  read(row: Row): BoundRow;
  /** The key alone, for excluded rows; undefined if it cannot be read. */
  key(row: Row): JsonObject | undefined;
}

interface Place {
  readonly sheet: string;
  readonly headers: readonly Header[];
}

const NO_JOINS = { rows: () => [] };

/**
 * Binds a reconciliation's `key` and `expect` to the headers, so that cells are converted as they are for requests.
 * @throws ProductError usage or input as `compileMapping` does
 */
export function bindKeys(
  job: ReconcileJob,
  comparison: Comparison,
  connection: Connection,
  place: Place,
): BoundKeys {
  const options = { comparison, connection, ...place, operationOf: operationNamed };
  const fields = [...comparison.key, expectField(comparison)];
  const full = compileKeys({ ...options, shape: fields, map: wholeMap(job) });
  const keyOnly = compileKeys({ ...options, shape: comparison.key, map: job.key });
  const key = (row: Row): JsonObject | undefined => {
    const read = mapRow(keyOnly, row);
    return read.kind === 'row' ? read.body : undefined;
  };
  return {
    use: { ...full.use, key: keyOnly.columns },
    key,
    read(row) {
      const read = mapRow(full, row);
      return read.kind === 'row' ? read : { ...read, key: key(row) };
    },
  };
}

function mapRow(mapping: Mapping, row: Row): BoundRow {
  const mapped = mapping.map([row], NO_JOINS);
  if (mapped.kind === 'invalid') return { kind: 'faults', faults: mapped.faults, key: undefined };
  const [item] = mapped.items;
  return { kind: 'row', body: (item?.body ?? {}) as JsonObject, warnings: mapped.warnings };
}

/** The key and `expect` as one map; no key field is named `expect`. */
function wholeMap(job: ReconcileJob): MapBranch {
  if (job.expect.fields.size === 0) return job.key;
  return { ...job.key, fields: new Map([...job.key.fields, ['expect', job.expect]]) };
}

function expectField({ record }: Comparison): Field {
  const meaning = 'What the record should be.';
  return { name: 'expect', type: 'object', required: false, meaning, section: '§2', fields: record };
}

/** The key fields of a row's body. */
export function keyOf(body: JsonObject): JsonObject {
  const { expect: _, ...key } = body;
  return key;
}

/** The expectation in a row's body. */
export function expectationOf(body: JsonObject): JsonObject {
  const expect = member(body, 'expect');
  return isObject(expect) ? expect : {};
}
