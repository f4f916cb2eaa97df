import type { Message } from '../../errors/message.js';
import type { Field } from '../../model/field.js';
import type { MapLeaf } from '../../model/map.js';
import type { Operation, OperationName } from '../../model/operation.js';
import type { Zone } from '../../util/zoned-time.js';
import type { BindingProblems } from '../binding-problems.js';
import type { BoundLeaf } from '../bound-entry.js';
import type { ReadMembers } from '../lookup/read-members.js';
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
  /** The operations that look-ups ask. */
  readonly operationOf: (name: OperationName) => Operation;
  /** Gathers which members of records look-ups read. */
  readonly lookups: ReadMembers;
  /** The results of earlier steps; absent where the job has no steps. */
  readonly steps?: EarlierResults;
}

/** The field that a leaf fills, and the sheet that it reads. */
export interface LeafPlace {
  readonly field: Field;
  /** Wire path without indexes. */
  readonly path: string;
  readonly table: TableColumns;
}

/** Binds a leaf of any kind, for leaves that hold others. */
export type BindLeaf = (leaf: MapLeaf, place: LeafPlace, setting: LeafSetting) => BoundLeaf | undefined;
