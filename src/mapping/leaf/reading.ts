import type { Field } from '../../model/field.js';
import type { Header, Row } from '../../model/row.js';
import type { BoundLeaf, CellFault, LeafReading } from '../bound-entry.js';
import { type Converted, cellFault } from '../convert/conversion.js';

const NOTHING: LeafReading = { kind: 'empty' };

/** A leaf that reads the columns of these headers. */
export function boundLeaf(
  { field, path }: { readonly field: Field; readonly path: string },
  headers: readonly Header[],
  read: BoundLeaf['read'],
): BoundLeaf {
  const columns = headers.map((it) => it.column);
  return {
    kind: 'leaf',
    name: field.name,
    path,
    field,
    columns,
    headers: headers.map((it) => it.text),
    read,
  };
}

/** The value of a leaf whose cells are empty. */
export function readingOfDefault(field: Field): LeafReading {
  return field.default === undefined ? NOTHING : { kind: 'value', value: field.default };
}

/** A conversion's result at a column. */
export function readingOf(
  converted: Converted,
  column: number | undefined,
  whenEmpty: LeafReading,
): LeafReading {
  if (converted.kind === 'value') return converted;
  if (converted.kind === 'empty') return converted.leftOut ? NOTHING : whenEmpty;
  return { kind: 'faults', faults: [{ column, message: converted.message }] };
}

/** The faults of unusable cells, among the columns that a template or an expression reads. */
export function faultyCells(row: Row, columns: readonly number[]): readonly CellFault[] {
  const faults: CellFault[] = [];
  for (const column of columns) {
    const cell = row.cell(column);
    const wrong = cell && cellFault(cell);
    if (wrong) faults.push({ column, message: wrong });
  }
  return faults;
}
