import type { Message } from '../errors/message.js';
import type { Field } from '../model/field.js';
import type { Json } from '../model/json.js';
import type { Row } from '../model/row.js';
import type { ColumnMeaning, JoinSpec } from './contract.js';
import type { Warning } from './convert/conversion.js';
import type { LookupAnswers, LookupRequest } from './lookup/contract.js';

/** A fault of a cell in the current row. */
export interface CellFault {
  /** 1-based; absent if no single cell is at fault. */
  readonly column?: number;
  readonly message: Message;
}

/** A leaf's value in one row. */
export type LeafReading =
  | { readonly kind: 'empty' }
  /**
   * `given`: a stand-in for a value that is known only later; `new`: it comes from what can't be done twice, so that no item of
   * an earlier run had it.
   */
  | {
      readonly kind: 'value';
      readonly value: Json;
      readonly warning?: Warning | undefined;
      /** See `Converted`. */
      readonly former?: Json | undefined;
      readonly given?: true | 'new';
    }
  /** The look-up's answer isn't at hand. */
  | { readonly kind: 'unanswered'; readonly request: LookupRequest }
  | { readonly kind: 'faults'; readonly faults: readonly CellFault[] };

/** A leaf of the map bound to its field and to columns; a constant or a field's default reads no column. */
export interface BoundLeaf {
  readonly kind: 'leaf';
  readonly name: string;
  /** Wire path without indexes. */
  readonly path: string;
  readonly field: Field;
  /** 1-based columns that it reads; faults are shown at the first. */
  readonly columns: readonly number[];
  /** Headers of those columns as the sheet writes them. */
  readonly headers: readonly string[];
  read(row: Row, answers: LookupAnswers): LeafReading;
  /** Of a leaf that is the cell of one column. */
  readonly meaning?: ColumnMeaning;
  /** Why there is no value, where it isn't an empty cell; asked only where one is needed. */
  whyEmpty?(row: Row): Message | undefined;
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
      /** Whether a key column is checked as an identifier. */
      readonly isIdentifier: (column: number) => boolean;
    }
  /** One element per row of another sheet. `columns`: the key columns in the group's own rows. */
  | {
      readonly kind: 'sheet';
      readonly join: JoinSpec;
      readonly columns: readonly number[];
      readonly isIdentifier: (column: number) => boolean;
      /** All columns of the other sheet that the map reads. */
      readonly read: readonly number[];
    };

/** A branch of the map: an object, or an object array. */
export interface BoundBranch {
  readonly kind: 'object' | 'array';
  readonly name: string;
  readonly path: string;
  readonly field: Field;
  readonly members: Members;
  /** Columns that its leaves read, including nested ones of the same sheet. */
  readonly columns: readonly number[];
  /** `rows` for objects. */
  readonly source: ElementSource;
  /**
   * Whether a row gives no element if all its cells here are empty. False if the map has constants here: then every row
   * means an element, and an empty required cell must be reported.
   */
  readonly skipsEmpty: boolean;
}

export type BoundEntry = BoundLeaf | BoundBranch;

/** The members of an object. */
export interface Members {
  /** In the interface's order, in which they are read and reported. */
  readonly entries: readonly BoundEntry[];
  /** Indexes into `entries` in the order of names, which is the order in the object. */
  readonly byName: readonly number[];
}

export function membersOf(entries: readonly BoundEntry[]): Members {
  const names = entries.map((it) => it.name);
  return { entries, byName: [...names].sort().map((name) => names.indexOf(name)) };
}
