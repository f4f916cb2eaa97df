import { type Message, message } from '../../errors/message.js';
import { expressionText } from '../../model/cell.js';
import type { Field } from '../../model/field.js';
import type { Json } from '../../model/json.js';
import { type LookupLeaf, shownPlace } from '../../model/map.js';
import type { Operation } from '../../model/operation.js';
import type { Header, Row } from '../../model/row.js';
import { compileCel } from '../../util/cel.js';
import { exactStringify } from '../../util/exact-json.js';
import type { BoundLeaf, CellFault, LeafReading } from '../bound-entry.js';
import {
  type Convert,
  type Converted,
  EMPTY,
  excerpt,
  textCell,
  type Warning,
} from '../convert/conversion.js';
import { fieldConverter } from '../convert/field-converter.js';
import { isFilled } from '../elements.js';
import { givenValue } from '../given-value.js';
import type { LookupAnswers, LookupRequest } from '../lookup/contract.js';
import type { LookupRecords } from '../lookup/records.js';
import { LookupWhere } from '../lookup/where.js';
import { constantConverter, convertConstant } from './constant.js';
import type { BindLeaf, LeafPlace, LeafSetting } from './place.js';
import { boundLeaf, faultyCells, readingOf, readingOfDefault } from './reading.js';

/** Values named in a fault where several records came. */
const VALUES_NAMED = 5;

/**
 * Binds `{ lookup }`. The row's request is made of the leaves of `with`; the value is a member of the record that the
 * platform answered. All faults stand at the first column of `with`, but for those of its own cells.
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
  const convert = fieldConverter(field, {
    zone: setting.zone,
    unit: setting.unit,
    split: '',
    trusted: true,
  });
  const { onNone } = leaf;
  const constant =
    onNone.kind === 'value'
      ? convertConstant(constantConverter(field, setting), onNone.value, leaf, place, setting)
      : undefined;
  if (!request || !where) return undefined;
  const first = request.columns[0] ?? where.columns[0];
  const whenEmpty = readingOfDefault(field);
  const needed = field.required || field.generated === true;
  const none = (told: Message): LeafReading => {
    if (constant?.kind === 'value') return constant;
    if (onNone.kind === 'empty' && (!needed || whenEmpty.kind === 'value')) return whenEmpty;
    return { kind: 'faults', faults: [{ column: first, message: told }] };
  };
  setting.lookups.read(leaf.operation, [leaf.take, ...where.paths]);

  const answered = (
    row: Row,
    asked: LookupRequest,
    records: LookupRecords,
    answers: LookupAnswers,
  ): LeafReading => {
    const found = where.select(records, row);
    if (found.kind === 'faults') return found;
    const params = { asked: askedText(asked), count: records.count };
    const [chosen, second] = found.places;
    const use = { field: path, sheet: row.sheet, row: row.number, request: asked };
    const single = chosen !== undefined && (second === undefined || leaf.onMany === 'first');
    answers.told?.(single ? { ...use, record: chosen } : use);
    if (chosen === undefined) {
      return none(
        records.count === 0
          ? message('lookup.no_record', params)
          : message('lookup.none_meets', { ...params, where: leaf.where?.source ?? '' }),
      );
    }
    if (!single) {
      const values = namedValues(records, found.places, leaf.take);
      const told = { asked: params.asked, count: found.places.length, take: leaf.take, values };
      return { kind: 'faults', faults: [{ column: first, message: message('lookup.several', told) }] };
    }
    const value = records.value(chosen, leaf.take);
    if (value === undefined || value === '') {
      return none(message('lookup.no_member', { asked: params.asked, take: leaf.take }));
    }
    const converted = taken(value, field, convert);
    if (converted.kind !== 'fault') return readingOf(converted, first, whenEmpty);
    const unfit = {
      asked: params.asked,
      take: leaf.take,
      value: excerpt(textOf(value)),
      detail: converted.message,
    };
    return { kind: 'faults', faults: [{ column: first, message: message('lookup.unfit', unfit) }] };
  };

  const columns = [...request.headers];
  for (const it of where.headers) if (!columns.some(({ column }) => column === it.column)) columns.push(it);
  return boundLeaf(place, columns, (row, answers) => {
    const asked = request.of(row);
    if (asked.kind !== 'request') return asked.kind === 'empty' ? whenEmpty : asked;
    const answer = answers.find(asked.request);
    if (!answer) return { kind: 'unanswered', request: asked.request };
    let reading: LeafReading;
    if (answer.kind === 'unasked') {
      answers.told?.({ field: path, sheet: row.sheet, row: row.number, request: asked.request });
      const seed = `${asked.request.key} ${where.seed(row)} ${leaf.take}`;
      reading = { kind: 'value', value: givenValue(field, seed, setting.unit), given: true };
    } else if (answer.kind === 'records') reading = answered(row, asked.request, answer.records, answers);
    else {
      answers.told?.({ field: path, sheet: row.sheet, row: row.number, request: asked.request });
      const told = message('lookup.no_answer', { asked: askedText(asked.request), detail: answer.detail });
      reading = { kind: 'faults', faults: [{ column: first, message: told }] };
    }
    return asked.warning && reading.kind === 'value' ? { warning: asked.warning, ...reading } : reading;
  });
}

/** The request of a row, or why there is none. `empty`: all cells that make it are empty. */
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
  // The request's fields are in the order of their names, so that equal requests have equal texts.
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
    const lacking: BoundLeaf[] = [];
    let warning: Warning | undefined;
    for (const bound of ordered) {
      const reading = bound.read(row, { find: () => undefined });
      if (reading.kind === 'faults') faults.push(...reading.faults);
      else if (reading.kind === 'value') {
        fields[bound.name] = reading.value;
        warning ??= reading.warning;
      } else if (bound.field.required) lacking.push(bound);
    }
    if (faults.length > 0) return { kind: 'faults', faults };
    if (lacking.length > 0) {
      if (columns.length > 0 && !isFilled([row], columns)) return { kind: 'empty' };
      return { kind: 'faults', faults: lacking.map((it) => lacks(it, operation)) };
    }
    const [broken] = operation.rules({ envelope: {}, body: fields }, { allowDeleteFromAllOrders: false });
    if (broken) {
      const at = entries.find((it) => it.name === broken.field)?.columns[0] ?? columns[0];
      return { kind: 'faults', faults: [{ column: at, message: broken.message }] };
    }
    const key = `${operation.name} ${exactStringify(fields)}`;
    return { kind: 'request', request: { operation: leaf.operation, fields, key }, warning };
  };
  return { headers, columns, of };
}

function lacks(bound: BoundLeaf, operation: Operation): CellFault {
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
  /** Text that differs where the condition may find another record. */
  seed(row: Row): string;
}

function bindWhere(
  { where, at }: LookupLeaf,
  { table }: LeafPlace,
  setting: LeafSetting,
  asked: number | undefined,
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
    const params = { ...shownPlace(at), expr: where.source, detail: compiled.detail };
    setting.problems.add('map', message('mapping.expr_refused', params));
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
      const faults = faultyCells(row, columns);
      if (faults.length > 0) return { kind: 'faults', faults };
      const selection = condition.select(records, textsOf(row));
      if (selection.kind === 'records') return { kind: 'places', places: selection.places };
      const params = { where: where.source, record: selection.place + 1, detail: selection.detail };
      return {
        kind: 'faults',
        faults: [{ column: asked ?? columns[0], message: message('lookup.where_failed', params) }],
      };
    },
    seed: (row) => [...textsOf(row).values()].join(' '),
  };
}

/** `enterprise.query (channelCode: CH01, channelCustomerId: 4711)` */
function askedText({ operation, fields }: LookupRequest): string {
  const named = Object.entries(fields).map(([name, value]) => `${name}: ${excerpt(textOf(value))}`);
  return `${operation} (${named.join(', ')})`;
}

function namedValues(records: LookupRecords, places: readonly number[], take: string): string {
  const values = places.slice(0, VALUES_NAMED).map((it) => excerpt(textOf(records.value(it, take) ?? '')));
  return [...values, ...(places.length > VALUES_NAMED ? ['…'] : [])].join(', ');
}

/** A record's value for the field; a list only for a field that takes one, or where it has one element. */
function taken(value: Json, field: Field, convert: Convert): Converted {
  if (!Array.isArray(value)) return convert(textCell(textOf(value)));
  if (field.type !== 'String array') return convert(textCell(value.map(textOf).join(', ')));
  const texts = new Set<Json>();
  for (const it of value as readonly Json[]) {
    const converted = convert(textCell(textOf(it)));
    if (converted.kind === 'fault') return converted;
    if (converted.kind === 'value') for (const text of converted.value as readonly Json[]) texts.add(text);
  }
  return texts.size === 0 ? EMPTY : { kind: 'value', value: [...texts] };
}

function textOf(value: Json): string {
  return typeof value === 'object' ? exactStringify(value) : String(value);
}
