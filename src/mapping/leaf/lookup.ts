import { type Message, message } from '../../errors/message.js';
import type { Field } from '../../model/field.js';
import type { Json } from '../../model/json.js';
import type { LookupLeaf } from '../../model/map.js';
import type { Operation } from '../../model/operation.js';
import { expressionText, type Header, type Row } from '../../model/row.js';
import { compileCel } from '../../util/cel.js';
import { exactStringify } from '../../util/exact-json.js';
import type { BoundLeaf, CellFault, LeafReading } from '../bound-entry.js';
import {
  type Convert,
  type Converted,
  convertAll,
  excerpt,
  textCell,
  type Warning,
} from '../convert/conversion.js';
import { fieldConverter } from '../convert/field-converter.js';
import { givenValue } from '../given-value.js';
import { isFilled } from '../group-key.js';
import {
  type LookupAnswers,
  type LookupRecords,
  type LookupRequest,
  LookupWhere,
} from '../lookup/records.js';
import { constantConverter, convertConstant } from './constant.js';
import {
  type BindLeaf,
  boundLeaf,
  faultAt,
  invalidCells,
  type LeafPlace,
  type LeafSetting,
  readingOf,
  readingOfDefault,
} from './leaf-reading.js';

/** Maximum number of values in the error for several records. */
const VALUES_NAMED = 5;

/**
 * Binds `{ lookup }`. The leaves of `with` form the row's request; the value is a member of the record in the platform's reply.
 * All errors are reported at the first column of `with`, except those of cells of `with` and of the condition.
 */
export function bindLookup(
  leaf: LookupLeaf,
  place: LeafPlace,
  setting: LeafSetting,
  bindLeaf: BindLeaf,
): BoundLeaf | undefined {
  const { field, path } = place;
  const operation = setting.operationOf(leaf.operation);
  const request = bindRequest(leaf, operation, place, setting, bindLeaf);
  const where = bindWhere(leaf, place, setting, request?.columns[0]);
  const { zone, unit } = setting;
  const convert = fieldConverter(field, { zone, unit, split: '', trusted: true });
  const { onNone } = leaf;
  const constant =
    onNone.kind === 'value'
      ? convertConstant(constantConverter(field, setting), onNone.value, leaf, place, setting)
      : undefined;
  if (!request || !where) return undefined;
  const first = request.columns[0] ?? where.columns[0];
  const whenEmpty = readingOfDefault(field);
  const needed = field.required || field.generated === true;
  const none = (why: Message): LeafReading => {
    if (constant?.kind === 'value') return constant;
    if (onNone.kind === 'empty' && (!needed || whenEmpty.kind === 'value')) return whenEmpty;
    return faultAt(first, why);
  };
  setting.lookups.read(leaf.operation, [leaf.take, ...where.paths]);

  const readRecords = (
    row: Row,
    request: LookupRequest,
    records: LookupRecords,
    answers: LookupAnswers,
  ): LeafReading => {
    const selected = where.select(records, row);
    if (selected.kind === 'faults') return selected;
    const params = { asked: requestText(request), count: records.count };
    const [chosen, second] = selected.places;
    const use = { field: path, sheet: row.sheet, row: row.number, request };
    const single = chosen !== undefined && (second === undefined || leaf.onMany === 'first');
    answers.onUse?.(single ? { ...use, record: chosen } : use);
    if (chosen === undefined) {
      return none(
        records.count === 0
          ? message('lookup.no_record', params)
          : message('lookup.none_meets', { ...params, where: leaf.where?.source ?? '' }),
      );
    }
    if (!single) {
      const values = namedValues(records, selected.places, leaf.take);
      const several = { asked: params.asked, count: selected.places.length, take: leaf.take, values };
      return faultAt(first, message('lookup.several', several));
    }
    const value = records.value(chosen, leaf.take);
    if (value === undefined || value === '') {
      return none(message('lookup.no_member', { asked: params.asked, take: leaf.take }));
    }
    const converted = convertMember(value, field, convert);
    if (converted.kind !== 'fault') return readingOf(converted, first, whenEmpty);
    const unusable = { value: excerpt(textOf(value)), detail: converted.message };
    return faultAt(first, message('lookup.unfit', { asked: params.asked, take: leaf.take, ...unusable }));
  };

  const columns = [...request.headers];
  for (const header of where.headers)
    if (!columns.some(({ column }) => column === header.column)) columns.push(header);
  return boundLeaf(place, columns, (row, answers) => {
    const built = request.of(row);
    if (built.kind !== 'request') return built.kind === 'empty' ? whenEmpty : built;
    const { request: lookup, warning } = built;
    const answer = answers.find(lookup);
    if (!answer) return { kind: 'unanswered', request: lookup };
    let reading: LeafReading;
    if (answer.kind === 'records') reading = readRecords(row, lookup, answer.records, answers);
    else {
      answers.onUse?.({ field: path, sheet: row.sheet, row: row.number, request: lookup });
      const seed = `${lookup.key} ${where.seed(row)} ${leaf.take}`;
      reading =
        answer.kind === 'unasked'
          ? { kind: 'value', value: givenValue(field, seed, unit), given: true }
          : faultAt(
              first,
              message('lookup.no_answer', { asked: requestText(lookup), detail: answer.detail }),
            );
    }
    return warning && reading.kind === 'value' ? { warning, ...reading } : reading;
  });
}

/** The request of a row, or the reason for none. `empty`: all of its cells are empty. */
type RowRequest =
  | { readonly kind: 'request'; readonly request: LookupRequest; readonly warning?: Warning | undefined }
  | { readonly kind: 'empty' }
  | { readonly kind: 'faults'; readonly faults: readonly CellFault[] };

interface BoundRequest {
  readonly headers: readonly Header[];
  readonly columns: readonly number[];
  of(row: Row): RowRequest;
}

function bindRequest(
  leaf: LookupLeaf,
  operation: Operation,
  place: LeafPlace,
  setting: LeafSetting,
  bindLeaf: BindLeaf,
): BoundRequest | undefined {
  const entries: BoundLeaf[] = [];
  for (const [name, inner] of leaf.with) {
    const field = operation.shape.find((it) => it.name === name);
    const bound = field && bindLeaf(inner, { ...place, field }, setting);
    if (bound) entries.push(bound);
  }
  if (entries.length < leaf.with.size) return undefined;
  // Sorted by name, so that equal requests have the same key.
  const ordered = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
  const columns = [...new Set(entries.flatMap((it) => it.columns))];
  const headers = columns.map((column): Header => {
    const bound = entries.find((it) => it.columns.includes(column))!;
    const text = bound.headers[bound.columns.indexOf(column)]!;
    return { column, text, folded: '' };
  });
  const of = (row: Row): RowRequest => {
    const fields: Record<string, Json> = {};
    const faults: CellFault[] = [];
    const missing: BoundLeaf[] = [];
    let warning: Warning | undefined;
    for (const bound of ordered) {
      const reading = bound.read(row, { find: () => undefined });
      if (reading.kind === 'faults') faults.push(...reading.faults);
      else if (reading.kind === 'value') {
        fields[bound.name] = reading.value;
        warning ??= reading.warning;
      } else if (bound.field.required) missing.push(bound);
    }
    if (faults.length > 0) return { kind: 'faults', faults };
    if (missing.length > 0) {
      if (columns.length > 0 && !isFilled([row], columns)) return { kind: 'empty' };
      return { kind: 'faults', faults: missing.map((it) => emptyKeyFault(it, operation)) };
    }
    const [broken] = operation.rules({ envelope: {}, body: fields }, { allowDeleteFromAllOrders: false });
    if (broken) {
      const column = entries.find((it) => it.name === broken.field)?.columns[0] ?? columns[0];
      return faultAt(column, broken.message);
    }
    const key = `${operation.name} ${exactStringify(fields)}`;
    return { kind: 'request', request: { operation: leaf.operation, fields, key }, warning };
  };
  return { headers, columns, of };
}

function emptyKeyFault(bound: BoundLeaf, operation: Operation): CellFault {
  const params = { field: bound.name, operation: operation.name, header: bound.headers.join(', ') };
  return { column: bound.columns[0], message: message('lookup.key_empty', params) };
}

interface BoundWhere {
  readonly headers: readonly Header[];
  readonly columns: readonly number[];
  /** Members of the record that it reads. */
  readonly paths: readonly string[];
  select(
    records: LookupRecords,
    row: Row,
  ):
    | { readonly kind: 'places'; readonly places: readonly number[] }
    | { readonly kind: 'faults'; readonly faults: readonly CellFault[] };
  /** Text that differs between rows for which the condition may select different records. */
  seed(row: Row): string;
}

function bindWhere(
  { where, at }: LookupLeaf,
  { table }: LeafPlace,
  setting: LeafSetting,
  request: number | undefined,
): BoundWhere | undefined {
  if (!where) {
    const all = (records: LookupRecords) => [...Array(records.count).keys()].slice(0, VALUES_NAMED + 1);
    return {
      headers: [],
      columns: [],
      paths: [],
      select: (records) => ({ kind: 'places', places: all(records) }),
      seed: () => '',
    };
  }
  const compiled = compileCel(where.source, { variables: { row: 'row', record: 'record' }, result: 'bool' });
  if (!compiled.ok) {
    setting.problems.addExpression({ source: where.source, at }, compiled.detail);
    return undefined;
  }
  const found = compiled.columns.map((name) => table.find(name, where.at));
  const headers = found.filter((it) => it !== undefined);
  if (headers.length < found.length) return undefined;
  const columns = headers.map((it) => it.column);
  const condition = new LookupWhere(compiled);
  const textsOf = (row: Row) =>
    new Map(compiled.columns.map((name, index) => [name, expressionText(row.cell(columns[index]!))]));
  return {
    headers,
    columns,
    paths: compiled.fields.map((it) => it.path.join('.')),
    select(records, row) {
      const faults = invalidCells(row, columns);
      if (faults.length > 0) return { kind: 'faults', faults };
      const selection = condition.select(records, textsOf(row));
      if (selection.kind === 'records') return { kind: 'places', places: selection.places };
      const params = { where: where.source, record: selection.place + 1, detail: selection.detail };
      return faultAt(request ?? columns[0], message('lookup.where_failed', params));
    },
    seed: (row) => [...textsOf(row).values()].join(' '),
  };
}

/** `enterprise.query (channelCode: CH01, channelCustomerId: 4711)` */
function requestText({ operation, fields }: LookupRequest): string {
  const named = Object.entries(fields).map(([name, value]) => `${name}: ${excerpt(textOf(value))}`);
  return `${operation} (${named.join(', ')})`;
}

function namedValues(records: LookupRecords, places: readonly number[], take: string): string {
  const values = places.slice(0, VALUES_NAMED).map((it) => excerpt(textOf(records.value(it, take) ?? '')));
  return [...values, ...(places.length > VALUES_NAMED ? ['…'] : [])].join(', ');
}

/** Converts a record's value for the field. A list is converted element by element only for a String array. */
function convertMember(value: Json, field: Field, convert: Convert): Converted {
  if (!Array.isArray(value)) return convert(textCell(textOf(value)));
  if (field.type !== 'String array') return convert(textCell(value.map(textOf).join(', ')));
  return convertAll(value.map(textOf), convert);
}

function textOf(value: Json): string {
  return typeof value === 'object' ? exactStringify(value) : String(value);
}
