import type { Message } from '../errors/message.js';
import type { Field } from '../model/field.js';
import type { MappedItem } from '../model/item.js';
import type { StepOfJob } from '../model/job.js';
import type { ColumnUse, MapBranch } from '../model/map.js';
import type { Operation, OperationName, RuleSettings } from '../model/operation.js';
import type { Fault, Header, Row } from '../model/row.js';
import type { LookupAnswers, LookupRequest, ReadMembers } from './lookup/records.js';
import type { StepMapping } from './steps/step-columns.js';

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
  /** The operations that lookups request, and those of earlier steps. */
  readonly operationOf: (name: OperationName) => Operation;
  /** The job is a step of several. */
  readonly step?: StepOfJob | undefined;
}

/** The result of mapping one row, or one group of rows. */
export type MappedGroup =
  | {
      readonly kind: 'items';
      readonly items: readonly MappedItem[];
      readonly warnings: readonly Message[];
      /** Fields (wire paths without indexes) whose values are placeholders. */
      readonly given?: ReadonlySet<string>;
    }
  /** Nothing can be sent. All these rows of the job's sheet become invalid, with all these errors. */
  | { readonly kind: 'invalid'; readonly rows: readonly number[]; readonly faults: readonly Fault[] };

/** The rows must be mapped again once the replies to these requests are available. */
export interface UnansweredGroup {
  readonly kind: 'unanswered';
  readonly requests: readonly LookupRequest[];
}

/** Finds rows of another sheet by key. */
export interface JoinLookup {
  rows(join: JoinSpec, key: string): readonly Row[];
  /** A message if rows may be missing because rows directly below have no key. */
  held?(join: JoinSpec, key: string): Message | undefined;
}

/** The key of joined rows with content but without a readable key. No row of the job's sheet has this key. */
export const NO_JOIN_KEY = '\u0000';

/** A sheet that must be indexed before mapping starts. */
export interface JoinSpec {
  readonly sheet: string;
  /** Headers of the join as the map names them, and their 1-based columns in the joined sheet. */
  readonly on: readonly string[];
  readonly keyColumns: readonly number[];
  /** Name of the sheet whose rows are joined with it. */
  readonly parent: string;
  /** Whether a key column of the joined sheet is checked as an identifier. */
  readonly isIdentifier: (column: number) => boolean;
  /**
   * The key of one of its rows; undefined if all mapped cells are empty, `NO_JOIN_KEY` if only the key is missing.
   */
  key(row: Row): string | undefined;
  /** Whether one of its rows fills a mapped cell other than the key. */
  hasContent(row: Row): boolean;
}

/** How the cells of a column are read for one field. A column may have several meanings. */
export interface ColumnMeaning {
  /** 1-based, in the job's sheet. */
  readonly column: number;
  readonly field: Field;
  /** Wire path without indexes. */
  readonly path: string;
  /** Texts that the column's `values` translates, as the job writes them. */
  readonly words: readonly string[];
  /** Date patterns of the job for the column. */
  readonly formats: readonly string[];
  /** The result of converting a typed text. */
  read(text: string): 'value' | 'empty' | 'fault';
}

/** A map bound to an operation and to the headers of a sheet. */
export interface Mapping {
  /**
   * Defined if rows must be grouped by key before they are mapped (`each` at the items' level). Returns undefined for a row
   * without a readable key: that row is mapped alone and becomes invalid with this error.
   */
  readonly groupKey: ((row: Row) => string | undefined) | undefined;
  /** Whether a row may belong to the one above it: an order's key is empty, or covered by a merged range. */
  continues(row: Row): boolean;
  readonly joins: readonly JoinSpec[];
  /** 1-based columns of the job's sheet that are read; a stored row needs them. */
  readonly columns: readonly number[];
  /** How the columns of the job's sheet are used. */
  readonly use: ColumnUse;
  /** How the columns of a joined sheet are used, its keys included. */
  joinedUse(join: JoinSpec): ColumnUse;
  /** 1-based columns of an item's key in the job's sheet; a repeat is reported at these cells. */
  readonly keyColumns: readonly number[];
  /** 1-based columns of the job's sheet that a field is read from, by its wire path. */
  columnsOf(field: string): readonly number[];
  /** The meanings of columns that fill a field directly. */
  readonly meanings: readonly ColumnMeaning[];
  /** Unused headers, if the job has no map; and warnings about the map's constants. */
  readonly warnings: readonly Message[];
  /** How ambiguous values are read; shown in a dry run. */
  readonly notes: readonly Message[];
  /** For a step of several. `groupKey`, `continues` and `map` then take rows with the results of earlier steps. */
  readonly steps?: StepMapping;
  /** The members of records that lookups read. */
  readonly lookups: ReadMembers;
  /** Pure. `rows`: one row, or all rows of a group in source order. Without `answers`: for maps without lookups. */
  map(rows: readonly Row[], lookup: JoinLookup, answers: LookupAnswers): MappedGroup | UnansweredGroup;
  map(rows: readonly Row[], lookup: JoinLookup): MappedGroup;
}
