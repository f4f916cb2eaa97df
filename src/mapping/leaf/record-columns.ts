import type { Cell } from '../../model/cell.js';
import type { Position } from '../../model/map.js';
import type { Header, Row } from '../../model/row.js';
import type { CelField } from '../../util/cel.js';
import { fold } from '../../util/fold.js';
import type { TableColumns } from '../table-columns.js';

/** Records of a reconciliation that the columns of a sheet hold, field by field (`actual.assetNum`). */
export const RECORDS = { expected: 'record', actual: 'record' } as const;

/** The fields of one or both records that an expression reads, bound to the columns that hold them. */
interface RecordColumns {
  readonly headers: readonly Header[];
  /** The records of a row: typed by their cells, `null` where a cell is empty or no column holds the field. */
  read(row: Row): Readonly<Record<keyof typeof RECORDS, ReadonlyMap<string, unknown>>>;
}

interface FieldColumn {
  readonly record: string;
  readonly path: readonly string[];
  readonly column: number | undefined;
}

/** Binds the fields that an expression names to the columns `RECORD.FIELD`; a field with members, to all of theirs. */
export function bindRecords(
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
    for (const it of names) {
      const header = table.find(it, at);
      if (!header) return undefined;
      headers.set(header.column, header);
      const below = it
        .trim()
        .split('.')
        .slice(path.length + 1);
      places.set(fold(it), { record, path: [...path, ...below], column: header.column });
    }
  }
  const all = [...places.values()];
  return {
    headers: [...headers.values()],
    read(row) {
      const records = { expected: new Map<string, unknown>(), actual: new Map<string, unknown>() };
      for (const { record, path, column } of all) {
        const cell = column === undefined ? undefined : row.cell(column);
        put(record === 'expected' ? records.expected : records.actual, path, cell ? cellValue(cell) : null);
      }
      return records;
    },
  };
}

function put(record: Map<string, unknown>, path: readonly string[], value: unknown): void {
  let at = record;
  for (const name of path.slice(0, -1)) {
    const there = at.get(name);
    const inner = there instanceof Map ? there : new Map<string, unknown>();
    at.set(name, inner);
    at = inner;
  }
  const last = path.at(-1)!;
  if (!(at.get(last) instanceof Map)) at.set(last, value);
}

/** Whole numbers are CEL's `int`, which a bigint is; all that isn't a number or a truth value is text. */
function cellValue({ kind, text }: Cell): unknown {
  if (kind === 'boolean') return text === 'TRUE';
  if (kind !== 'number') return text;
  return /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : Number(text);
}
