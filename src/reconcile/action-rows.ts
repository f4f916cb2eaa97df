import type { ComparisonShape } from '../model/comparison.js';
import type { Field } from '../model/field.js';
import { type Json, type JsonObject, member } from '../model/json.js';
import type { Cell, Header, Row } from '../model/row.js';
import { fold } from '../util/text.js';

/** Fields of `expected` and `actual` that actions can read: the record's, and the key's, which a reply may lack. */
export function actionFields({ key, record }: ComparisonShape): readonly Field[] {
  const recordNames = new Set(record.map((field) => field.name));
  return [...key.filter((field) => !recordNames.has(field.name)), ...record];
}

/** Fields of a record that a cell can contain, by path. */
export function recordPaths(fields: readonly Field[], prefix = ''): readonly string[] {
  return fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    if (field.type === 'object') return recordPaths(field.fields ?? [], `${path}.`);
    return field.type === 'object array' ? [] : [path];
  });
}

/** The source's columns, followed by an expected and an actual column for each field. */
export function actionHeaders(headers: readonly Header[], paths: readonly string[]): readonly Header[] {
  const last = Math.max(0, ...headers.map((header) => header.column));
  const texts = paths.flatMap((path) => [`expected.${path}`, `actual.${path}`]);
  return [
    ...headers,
    ...texts.map((text, index) => ({ column: last + 1 + index, text, folded: fold(text) })),
  ];
}

/** A row of an action's source: the source's cells, then the values in the columns of `actionHeaders`. */
export function actionRow(
  place: { readonly sheet: string; readonly line: number; readonly row: Row | undefined },
  headers: readonly Header[],
  values: { readonly expected: JsonObject; readonly actual: JsonObject },
): Row {
  const cells: Cell[] = [];
  for (const { column, text } of headers) {
    const value = recordValue(text, values);
    const found = value === undefined ? place.row?.cell(column) : cellOf(value, column);
    if (found) cells.push(found);
  }
  return rowOf(place.sheet, place.line, cells);
}

/** @param cells in column order */
export function rowOf(sheet: string, number: number, cells: readonly Cell[]): Row {
  const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
  return { sheet, number, hidden: false, cell: (column) => byColumn.get(column), cells: () => cells };
}

/** The value of a column named `expected.FIELD` or `actual.FIELD`; undefined for others and for absent values. */
function recordValue(
  name: string,
  { expected, actual }: { readonly expected: JsonObject; readonly actual: JsonObject },
): Json | undefined {
  if (name.startsWith('expected.')) return valueAt(expected, name.slice('expected.'.length));
  return name.startsWith('actual.') ? valueAt(actual, name.slice('actual.'.length)) : undefined;
}

/** The value at a path of names; undefined if there is none, or null. */
export function valueAt(object: JsonObject, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>(member, object);
}

/** A cell with a value of a record; undefined if no cell can contain it. */
export function cellOf(value: Json, column: number): Cell | undefined {
  const cell = (kind: Cell['kind'], text: string): Cell => ({ column, kind, text, raw: text });
  if (Array.isArray(value)) {
    const parts = value.filter((element) => typeof element === 'string');
    return parts.length === 0 ? undefined : cell('text', parts.join(';'));
  }
  switch (typeof value) {
    case 'boolean':
      return cell('boolean', value ? 'TRUE' : 'FALSE');
    case 'number':
      // A spreadsheet's number has only 15 exact digits.
      return cell(Number.isFinite(value) && Math.abs(value) < 1e15 ? 'number' : 'text', plain(value));
    case 'bigint':
      return cell('text', String(value));
    case 'string':
      return value === '' ? undefined : cell('text', value);
    default:
      return undefined;
  }
}

function plain(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}
