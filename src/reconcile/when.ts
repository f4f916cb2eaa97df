import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Field } from '../model/field.js';
import { isObject, type Json, type JsonObject, member } from '../model/json.js';
import { compileCel } from '../util/cel.js';
import { booleanOf, isEmpty, wholeOf } from './field-values.js';

export type WhenResult =
  | { readonly ok: true; readonly value: boolean }
  /** It can't be decided (a field that it needs is empty); `detail`: one English sentence. */
  | { readonly ok: false; readonly detail: Message | string };

/** An action's condition, ready to be asked of a row. */
interface When {
  /** @param row texts by the names of `columns`; the empty text where the cell is empty */
  (row: ReadonlyMap<string, string>, expected: JsonObject, actual: JsonObject): WhenResult;
  /** The source's columns that it reads, spelled as in the condition. */
  readonly columns: readonly string[];
}

/**
 * Compiles an action's condition over `row`, `expected` and `actual`. Every field of a record is there, typed by its
 * table whatever the platform sent it as, `null` where it is empty; whole numbers are CEL's `int`.
 * @param fields of a record
 * @throws ProductError usage when it is no condition
 */
export function compileWhen(source: string, fields: readonly Field[]): When {
  const compiled = compileCel(source, {
    variables: { row: 'row', expected: 'record', actual: 'record' },
    result: 'bool',
  });
  // The job's loading has checked it already; a ledger from elsewhere may still hold one that doesn't compile.
  if (!compiled.ok) {
    throw new ProductError(
      'usage',
      message('reconcile.when_undecided', { condition: source, detail: compiled.detail }),
    );
  }
  const decide = (row: ReadonlyMap<string, string>, expected: JsonObject, actual: JsonObject): WhenResult => {
    const records = { expected: record(expected, fields), actual: record(actual, fields) };
    const result = compiled.evaluate({ row, ...records });
    if (!result.ok) return result;
    if (typeof result.value === 'boolean') return { ok: true, value: result.value };
    return { ok: false, detail: message('expression.neither', { value: String(result.value) }) };
  };
  return Object.assign(decide, { columns: compiled.columns });
}

function record(object: JsonObject, fields: readonly Field[]): ReadonlyMap<string, unknown> {
  return new Map(fields.map((field) => [field.name, typed(member(object, field.name), field)]));
}

function typed(value: Json | undefined, field: Field): unknown {
  // Its members are there whether it is or not, so that no condition has to ask for it first.
  if (field.type === 'object' && field.fields) return record(isObject(value) ? value : {}, field.fields);
  if (isEmpty(value)) return null;
  if (field.type === 'object array') {
    const list = Array.isArray(value) ? (value as readonly Json[]) : [];
    return list.filter((it) => isObject(it)).map((it) => record(it, field.fields ?? []));
  }
  switch (field.type) {
    case 'Boolean':
      return booleanOf(value) ?? plain(value);
    case 'Integer':
    case 'Long':
      return wholeOf(value) ?? plain(value);
    case 'String':
      return typeof value === 'object' ? plain(value) : String(value);
    default:
      return plain(value);
  }
}

/** Whole numbers as CEL's int: a bare JavaScript number is its double. */
function plain(value: Json): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((it) => plain(it));
  if (isObject(value)) return new Map(Object.entries(value).map(([name, it]) => [name, plain(it)]));
  return value;
}
