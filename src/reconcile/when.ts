import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { compileMapping } from '../mapping/compile.js';
import type { Comparison } from '../model/comparison.js';
import type { Field } from '../model/field.js';
import type { ReconcileAction, ReconcileJob } from '../model/job.js';
import { isObject, type Json, type JsonObject, member } from '../model/json.js';
import { expressionText, type Row } from '../model/row.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import type { Table } from '../source/table.js';
import { compileCel } from '../util/cel.js';
import { fold } from '../util/text.js';
import { actionFields, actionHeaders, recordPaths } from './action-rows.js';
import { booleanOf, isEmpty, wholeOf } from './compare.js';
import type { Reconciliation } from './input.js';

export type WhenResult =
  | { readonly ok: true; readonly value: boolean }
  /** It cannot be evaluated (a required field is empty); `detail`: one English sentence. */
  | { readonly ok: false; readonly detail: Message | string };

/** An action's condition, ready to be evaluated for a row. */
interface When {
  /** @param row texts by the names of `columns`; the empty text for an empty cell */
  (row: ReadonlyMap<string, string>, expected: JsonObject, actual: JsonObject): WhenResult;
  /** The source's columns that it reads, spelled as in the condition. */
  readonly columns: readonly string[];
}

/**
 * Compiles an action's condition over `row`, `expected` and `actual`. Every field of a record exists, typed by its
 * table in whatever form the platform sent it, `null` if it is empty; whole numbers are CEL's `int`.
 * @param fields of a record
 * @throws ProductError usage if it is not a valid condition
 */
export function compileWhen(source: string, fields: readonly Field[]): When {
  const compiled = compileCel(source, {
    variables: { row: 'row', expected: 'record', actual: 'record' },
    result: 'bool',
  });
  // The job was checked when it was loaded, but a ledger from another version may have an invalid condition.
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
  // The members of an object always exist, so that conditions need not test for the object.
  if (field.type === 'object' && field.fields) return record(isObject(value) ? value : {}, field.fields);
  if (isEmpty(value)) return null;
  if (field.type === 'object array') {
    const list = Array.isArray(value) ? (value as readonly Json[]) : [];
    return list.filter((element) => isObject(element)).map((element) => record(element, field.fields ?? []));
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

/** Whole numbers as CEL's int, because a JavaScript number would be a double. */
function plain(value: Json): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((element) => plain(element));
  if (isObject(value)) return new Map(Object.entries(value).map(([name, element]) => [name, plain(element)]));
  return value;
}

/** Evaluates an action's condition for one row. `row` is absent for an extra record, whose cells are all empty. */
export type BoundWhen = (row: Row | undefined, expected: JsonObject, actual: JsonObject) => WhenResult;

/**
 * Binds an action's condition to the source's columns; undefined if it has none.
 * @throws ProductError usage for a column that the source does not have
 */
export function bindWhen(
  job: ReconcileJob,
  action: ReconcileAction,
  table: Table,
  comparison: Comparison,
): BoundWhen | undefined {
  if (!action.when) return undefined;
  const when = compileWhen(action.when.source, actionFields(comparison));
  const columns = new Map<string, number>();
  for (const name of when.columns) {
    const header = table.headers.find((candidate) => candidate.folded === fold(name));
    if (!header) {
      const { line, column } = action.when.at;
      const known = table.headers.map((candidate) => candidate.text).join(', ');
      const params = { job: job.file, line, column, name, sheet: table.sheet.name, known };
      throw new ProductError('usage', message('run.when_unknown_column', params));
    }
    columns.set(name, header.column);
  }
  return (row, expected, actual) => {
    const texts = new Map<string, string>();
    for (const [name, column] of columns) texts.set(name, expressionText(row?.cell(column)));
    return when(texts, expected, actual);
  };
}

/**
 * Binds every action's condition and map to the columns before any request. Otherwise a missing column would be
 * detected only after many queries.
 * @throws ProductError usage, naming the action
 */
export function checkActions({ job, comparison, connection, input: { table } }: Reconciliation): void {
  const headers = actionHeaders(table.headers, recordPaths(actionFields(comparison)));
  for (const [index, action] of job.actions.entries()) {
    try {
      bindWhen(job, action, table, comparison);
      compileMapping({
        operation: operationNamed(action.operation),
        map: action.map,
        headers,
        sheet: table.sheet.name,
        joined: new Map(),
        timestamps: connection.timestamps,
        timezone: connection.timezone,
        rules: { allowDeleteFromAllOrders: job.safety.allowDeleteFromAllOrders },
        operationOf: operationNamed,
      });
    } catch (error) {
      if (!(error instanceof ProductError)) throw error;
      const params = { action: index + 1, operation: action.operation, job: job.file, file: job.source.file };
      const others = [...error.others, message('reconcile.unfit_action', params)];
      throw new ProductError(error.kind, error.detail, { cause: error, others });
    }
  }
}
