import { message } from '../../errors/message.js';
import { type Json, setAtPath } from '../../model/json.js';
import type { ExpressionLeaf, Position } from '../../model/map.js';
import { type Cell, expressionText, type Header, type Row } from '../../model/row.js';
import { type CelField, type CelValue, compileCel } from '../../util/cel.js';
import { fold, isBlank } from '../../util/text.js';
import type { BoundLeaf } from '../bound-entry.js';
import {
  type Convert,
  type Converted,
  EMPTY,
  excerpt,
  fault,
  textCell,
  value,
  type Warning,
} from '../convert/conversion.js';
import { dayOf } from '../convert/date.js';
import { fieldConverter } from '../convert/field-converter.js';
import { givenValue } from '../given-value.js';
import { STEP, StepReads } from '../steps/when.js';
import type { TableColumns } from '../table-columns.js';
import {
  boundLeaf,
  faultAt,
  invalidCells,
  type LeafPlace,
  type LeafSetting,
  readingOf,
  readingOfDefault,
} from './leaf-reading.js';

/** Records of a reconciliation, which are stored field by field in columns of a sheet (`actual.assetNum`). */
const RECORDS = { expected: 'record', actual: 'record' } as const;

/** The fields of both records that an expression reads, bound to their columns. */
interface RecordColumns {
  readonly headers: readonly Header[];
  /** The records of a row: values typed by their cells, `null` for an empty cell or a field without a column. */
  read(row: Row): Readonly<Record<keyof typeof RECORDS, ReadonlyMap<string, unknown>>>;
}

interface FieldColumn {
  readonly record: string;
  readonly path: readonly string[];
  readonly column: number | undefined;
}

/**
 * Binds the fields of an expression to the columns `RECORD.FIELD`; a field with members is bound to the columns of all
 * members.
 */
function bindRecords(
  fields: readonly CelField[],
  table: TableColumns,
  at: Position,
): RecordColumns | undefined {
  const places = new Map<string, FieldColumn>();
  const headers = new Map<number, Header>();
  for (const { record, path } of fields) {
    const name = [record, ...path].join('.');
    const names = table.has(name) ? [name] : table.namesUnder(`${name}.`);
    if (names.length === 0) places.set(fold(name), { record, path, column: undefined });
    for (const columnName of names) {
      const header = table.find(columnName, at);
      if (!header) return undefined;
      headers.set(header.column, header);
      const below = columnName
        .trim()
        .split('.')
        .slice(path.length + 1);
      places.set(fold(columnName), { record, path: [...path, ...below], column: header.column });
    }
  }
  const all = [...places.values()];
  return {
    headers: [...headers.values()],
    read(row) {
      const records = { expected: new Map<string, unknown>(), actual: new Map<string, unknown>() };
      for (const { record, path, column } of all) {
        const cell = column === undefined ? undefined : row.cell(column);
        const owner = record === 'expected' ? records.expected : records.actual;
        setAtPath(owner, path, cell ? cellValue(cell) : null);
      }
      return records;
    },
  };
}

/** Whole numbers become bigints, CEL's `int`. Everything except numbers and booleans is text. */
function cellValue({ kind, text }: Cell): unknown {
  if (kind === 'boolean') return text === 'TRUE';
  if (kind !== 'number') return text;
  return /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : Number(text);
}

/**
 * Binds `{ expr }`. `row["X"]` is the text of the cell in column X of the sheet that the node reads. With `end: day` a time that
 * the cell's format does not show is handled as for a column. In an action of a comparison `expected.X` and `actual.X` are the
 * values of the columns with these names; in a step `step["NAME"]["X"]` is a result of an earlier step.
 */
export function bindExpression(
  leaf: ExpressionLeaf,
  place: LeafPlace,
  setting: LeafSetting,
): BoundLeaf | undefined {
  const { field, table } = place;
  const compiled = compileCel(leaf.source, {
    variables: { row: 'row', ...RECORDS, ...(setting.steps ? STEP : {}) },
  });
  if (!compiled.ok) {
    setting.problems.addExpression(leaf, compiled.detail);
    return undefined;
  }
  const headers: Header[] = [];
  for (const name of compiled.columns) {
    const header = table.find(name, leaf.at);
    if (header) headers.push(header);
  }
  const steps = new StepReads(compiled.fields, setting.steps);
  const recordFields = compiled.fields.filter(({ record }) => record !== 'step');
  const records = bindRecords(recordFields, table, leaf.at);
  if (!records || headers.length < compiled.columns.length) return undefined;
  const columns = headers.map((it) => it.column);
  const recordHeaders = records.headers.filter((it) => !columns.includes(it.column));
  const stepHeaders = steps.columns.map(({ column, step, returned }) => {
    return { column, text: `step.${step}.${returned.name}`, folded: '' };
  });
  const first = columns[0] ?? recordHeaders[0]?.column;
  const { zone, unit } = setting;
  const { end, time } = leaf;
  const convert = fieldConverter(field, { zone, unit, end });
  if (end) setting.ends.add(place.path);
  const convertPart = fieldConverter(field, { zone, unit, split: '' });
  const whenEmpty = readingOfDefault(field);
  const bound = boundLeaf(place, [...headers, ...recordHeaders, ...stepHeaders], (row) => {
    const faults = invalidCells(row, columns);
    if (faults.length > 0) return { kind: 'faults', faults };
    const texts = new Map<string, string>();
    let warning: Warning | undefined;
    let isEmpty =
      first !== undefined && recordHeaders.every((it) => isBlank(row.cell(it.column)?.text ?? ''));
    for (const [index, column] of columns.entries()) {
      const cell = row.cell(column);
      let text = expressionText(cell);
      if (cell?.hidesTime && (end ?? time)) {
        const read = dayOf(cell, time);
        if (read.kind === 'fault') return faultAt(column, read.message);
        text = read.day;
        warning ??= read.warning;
      }
      if (!isBlank(text)) isEmpty = false;
      texts.set(compiled.columns[index]!, text);
    }
    const seen = steps.of(row);
    if (seen.kind === 'fault') return faultAt(first, seen.message);
    if (seen.given.length > 0) {
      const seed = JSON.stringify([leaf.source, ...seen.given, ...texts.values()]);
      const given = seen.isNew ? 'new' : true;
      return { kind: 'value', value: givenValue(field, seed, setting.unit), given };
    }
    if (stepHeaders.some((it) => row.cell(it.column) !== undefined)) isEmpty = false;
    const result = compiled.evaluate({ row: texts, ...records.read(row), step: seen.step });
    if (result.ok) {
      const reading = readingOf(converted(result.value, convert, convertPart), first, whenEmpty);
      return reading.kind === 'value' && warning ? { ...reading, warning } : reading;
    }
    // int("") is not an error if all cells are empty: the field is empty too.
    if (isEmpty) return whenEmpty;
    return faultAt(first, message('mapping.expr_failed', { expr: leaf.source, detail: result.detail }));
  });
  return { ...bound, takes: 'text' };
}

function converted(result: CelValue, convert: Convert, convertPart: Convert): Converted {
  if (result === null) return EMPTY;
  if (!Array.isArray(result)) return convert(textCell(plain(result as string | number | bigint | boolean)));
  const found = new Set<Json>();
  for (const part of result as readonly CelValue[]) {
    if (part === null || typeof part === 'object') return listMisplaced(result);
    const element = convertPart(textCell(plain(part)));
    if (element.kind === 'fault') return element;
    if (element.kind === 'empty') continue;
    if (!Array.isArray(element.value)) return listMisplaced(result);
    for (const text of element.value as readonly string[]) found.add(text);
  }
  return found.size === 0 ? EMPTY : value([...found]);
}

function listMisplaced(result: CelValue): Converted {
  return fault(message('mapping.expr_list', { text: excerpt(String(result)) }));
}

function plain(scalar: string | number | bigint | boolean): string {
  // String(1e21) has an exponent, which no field accepts.
  return typeof scalar === 'number' && Number.isInteger(scalar) ? BigInt(scalar).toString() : String(scalar);
}
