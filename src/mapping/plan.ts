import type { Message } from '../errors/message.js';
import type { Field } from '../model/field.js';
import type { Json } from '../model/json.js';
import type { Row } from '../model/row.js';
import type { JoinSpec } from './contract.js';
import type { Warning } from './convert/conversion.js';

/** A fault at a cell of the row that is being read. */
export interface CellFault {
  /** 1-based; absent when no single cell is at fault. */
  readonly column?: number;
  readonly message: Message;
}

/** What a leaf read from one row. */
export type Reading =
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly value: Json; readonly warning?: Warning }
  | { readonly kind: 'faults'; readonly faults: readonly CellFault[] };

/** A leaf of the map bound to its field and to columns; a constant or a field's default reads no column. */
export interface LeafPlan {
  readonly kind: 'leaf';
  readonly name: string;
  /** Wire path without indexes. */
  readonly path: string;
  readonly field: Field;
  /** 1-based columns it reads, the one to point at first. */
  readonly columns: readonly number[];
  /** Headers of those columns as the sheet writes them. */
  readonly headers: readonly string[];
  read(row: Row): Reading;
}

/** Where the elements of an array come from. */
export type ElementSource =
  /** One element per row of the group. */
  | { readonly kind: 'rows' }
  /** One element per distinct key. */
  | {
      readonly kind: 'columns';
      readonly columns: readonly number[];
      readonly headers: readonly string[];
    }
  /** One element per row of another sheet. `columns`: where the group's own rows hold the joined-on cells. */
  | {
      readonly kind: 'sheet';
      readonly join: JoinSpec;
      readonly columns: readonly number[];
      /** All columns of the other sheet that the map reads. */
      readonly read: readonly number[];
    };

/** A branch of the map: an object, or an object array. */
export interface BranchPlan {
  readonly kind: 'object' | 'array';
  readonly name: string;
  readonly path: string;
  readonly field: Field;
  readonly members: Members;
  /** Columns that its leaves read, nested ones of the same sheet included. */
  readonly columns: readonly number[];
  /** `rows` for objects. */
  readonly source: ElementSource;
  /**
   * A row whose cells here are all empty says nothing of an element, and gives none. Not where the map has constants
   * for it: there every row stands for one, and an empty required cell must not go unnoticed with it.
   */
  readonly skipsEmpty: boolean;
}

export type Plan = LeafPlan | BranchPlan;

/** The members of an object. */
export interface Members {
  /** In the interface's order, in which they are read and their faults are told. */
  readonly plans: readonly Plan[];
  /** Places in `plans`, by name: in this order they stand in the object. */
  readonly byName: readonly number[];
}

export function membersOf(plans: readonly Plan[]): Members {
  const names = plans.map((it) => it.name);
  return { plans, byName: [...names].sort().map((name) => names.indexOf(name)) };
}
