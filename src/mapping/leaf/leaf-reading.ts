import type { Message } from '../../errors/message.js';
import type { Field } from '../../model/field.js';
import type { MapLeaf } from '../../model/map.js';
import type { Operation, OperationName } from '../../model/operation.js';
import type { Header, Row } from '../../model/row.js';
import type { Zone } from '../../util/zoned-time.js';
import type { BindingProblems, BoundLeaf, CellFault, LeafReading } from '../bound-entry.js';
import { type Converted, cellFault } from '../convert/conversion.js';
import type { ReadMembers } from '../lookup/records.js';
import type { EarlierResults } from '../steps/step-columns.js';
import type { TableColumns } from '../table-columns.js';

/** Settings for binding all leaves of a map. */
export interface LeafSetting {
  readonly zone: Zone;
  readonly unit: 'milliseconds' | 'seconds';
  readonly problems: BindingProblems;
  /** Warnings about the map's constants. */
  readonly warnings: Message[];
  /** Paths of the fields with `end: day`. */
  readonly ends: Set<string>;
  /** The operations that lookups request. */
  readonly operationOf: (name: OperationName) => Operation;
  /** Collects the members of records that lookups read. */
  readonly lookups: ReadMembers;
  /** The results of earlier steps; absent without steps. */
  readonly steps?: EarlierResults;
}

/** The field that a leaf fills, and the sheet that it reads. */
export interface LeafPlace {
  readonly field: Field;
  /** Wire path without indexes. */
  readonly path: string;
  readonly table: TableColumns;
}

/** Binds a leaf of any kind, for leaves that contain others. */
export type BindLeaf = (leaf: MapLeaf, place: LeafPlace, setting: LeafSetting) => BoundLeaf | undefined;

const NOTHING: LeafReading = { kind: 'empty' };

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

export function readingOf(
  converted: Converted,
  column: number | undefined,
  whenEmpty: LeafReading,
): LeafReading {
  if (converted.kind === 'value') return converted;
  if (converted.kind === 'empty') return converted.leftOut ? NOTHING : whenEmpty;
  return faultAt(column, converted.message);
}

/** An error of one cell, or of the row if there is no column. */
export function faultAt(column: number | undefined, message: Message): LeafReading & { kind: 'faults' } {
  return { kind: 'faults', faults: [{ column, message }] };
}

/** The errors of invalid cells in the columns that a template or an expression reads. */
export function invalidCells(row: Row, columns: readonly number[]): readonly CellFault[] {
  const faults: CellFault[] = [];
  for (const column of columns) {
    const cell = row.cell(column);
    const message = cell && cellFault(cell);
    if (message) faults.push({ column, message });
  }
  return faults;
}
