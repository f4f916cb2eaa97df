import type { Message } from '../errors/message.js';
import type { ColumnUse } from '../model/column-use.js';
import type { Fault } from '../model/fault.js';
import type { MappedItem } from '../model/item.js';
import type { MapBranch } from '../model/map.js';
import type { Operation, RuleSettings } from '../model/operation.js';
import type { Header, Row } from '../model/row.js';

export interface MappingInput {
  readonly operation: Operation;
  /** Absent: headers are field names or paths. */
  readonly map: MapBranch | undefined;
  readonly headers: readonly Header[];
  /** Name of the job's sheet. */
  readonly sheet: string;
  /** Headers of the other sheets that the map reads, by the name the map uses. */
  readonly joined: ReadonlyMap<string, readonly Header[]>;
  readonly timestamps: 'milliseconds' | 'seconds';
  /** IANA name. */
  readonly timezone: string;
  readonly rules: RuleSettings;
}

/** What one group of rows (or one row) became. */
export type MappedGroup =
  | { readonly kind: 'items'; readonly items: readonly MappedItem[]; readonly warnings: readonly Message[] }
  /** Nothing of it can be sent. `rows`: of the job's sheet, all of them become invalid with all these faults. */
  | { readonly kind: 'invalid'; readonly rows: readonly number[]; readonly faults: readonly Fault[] };

/** Rows of another sheet that agree with a key. */
export interface JoinLookup {
  rows(join: JoinSpec, key: string): readonly Row[];
  /** Why the rows may not be all: others right below them have no key. */
  held?(join: JoinSpec, key: string): Message | undefined;
}

/** The key of a joined row that has content but no readable key: no row of the job's sheet ever asks for it. */
export const NO_JOIN_KEY = '\u0000';

/** A sheet that must be indexed before mapping starts. */
export interface JoinSpec {
  readonly sheet: string;
  /** Header names it is joined on, as the map names them, and their 1-based columns in the joined sheet. */
  readonly on: readonly string[];
  readonly keyColumns: readonly number[];
  /**
   * Key of one of its rows; undefined when it holds nothing that the map reads. A row with content but without a
   * readable key gets one that no row of the job's sheet asks for.
   */
  key(row: Row): string | undefined;
}

/** A map bound to an operation and to the headers of a sheet. */
export interface Mapping {
  /**
   * Set when rows must be gathered by key before they are mapped (`each` at the items' level). undefined for a row
   * whose key is empty or can't be told: it is mapped alone, and comes back invalid saying so.
   */
  readonly groupKey: ((row: Row) => string | undefined) | undefined;
  /** Whether a row may belong to the one above it: an order's key is empty, or lies under a merged range. */
  continues(row: Row): boolean;
  readonly joins: readonly JoinSpec[];
  /** 1-based columns of the job's sheet that are read; what a gathered row must keep. */
  readonly columns: readonly number[];
  /** What is read of the job's sheet. */
  readonly use: ColumnUse;
  /** What is read of a joined sheet, its keys included. */
  joinedUse(join: JoinSpec): ColumnUse;
  /** 1-based columns of the job's sheet that make an item's key, so that a repeat can be shown at its cells. */
  readonly keyColumns: readonly number[];
  /** 1-based columns of the job's sheet that a field of the request's top level is read from. */
  columnsOf(field: string): readonly number[];
  /** Headers that neither the map nor anything else uses, when the map was omitted. */
  readonly warnings: readonly Message[];
  /** How values are read that may be meant otherwise: said in a dry run. */
  readonly notes: readonly Message[];
  /** Pure. `rows`: one row, or all rows of a group in source order. */
  map(rows: readonly Row[], lookup: JoinLookup): MappedGroup;
}
