import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Field } from '../model/field.js';
import type { Json } from '../model/json.js';
import { type SourceCondition, shownPlace } from '../model/map.js';
import type { Fault, Row } from '../model/row.js';
import type { Warning } from './convert/conversion.js';
import type { LookupAnswers, LookupRequest } from './lookup/records.js';
import type { ColumnMeaning, JoinSpec } from './mapping.js';

/** An error of a cell in the current row. */
export interface CellFault {
  /** 1-based; absent if the error is not that of a single cell. */
  readonly column?: number;
  readonly message: Message;
}

/** A leaf's value in one row. */
export type LeafReading =
  | { readonly kind: 'empty' }
  /**
   * `given`: a placeholder for a value that is known only later; `new`: the value comes from an operation that is not repeatable,
   * so that no item of an earlier run had it.
   */
  | {
      readonly kind: 'value';
      readonly value: Json;
      readonly warning?: Warning | undefined;
      /** See `Converted`. */
      readonly former?: Json | undefined;
      readonly given?: true | 'new';
    }
  /** The reply to the lookup isn't available yet. */
  | { readonly kind: 'unanswered'; readonly request: LookupRequest }
  | { readonly kind: 'faults'; readonly faults: readonly CellFault[] };

/** A leaf of the map bound to its field and to columns; a constant or a field's default reads no column. */
export interface BoundLeaf {
  readonly kind: 'leaf';
  readonly name: string;
  /** Wire path without indexes. */
  readonly path: string;
  readonly field: Field;
  /** 1-based columns that it reads; errors are shown at the first. */
  readonly columns: readonly number[];
  /** Headers of those columns as the sheet writes them. */
  readonly headers: readonly string[];
  read(row: Row, answers: LookupAnswers): LeafReading;
  /**
   * How number cells are read: their digits, as for identifiers, or their text, as in expressions. Absent: as their format shows
   * them, or as numbers.
   */
  readonly takes?: 'digits' | 'text';
  /** Defined for a leaf that is the cell of one column. */
  readonly meaning?: ColumnMeaning;
  /** The reason for a missing value, if that is not an empty cell; called only if a value is required. */
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
   * True if a row whose cells here are all empty has no element. False if the map has constants here: then every row is an
   * element, and an empty required cell must be reported.
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

/** The cause of a problem: the job file's map, or the sheet's header. */
type Blame = 'map' | 'sheet';

/** Collects the problems of binding a map to a sheet, so that all are reported together. */
export class BindingProblems {
  readonly #found: { readonly blame: Blame; readonly message: Message }[] = [];
  readonly #notes = new Map<string, Message>();

  add(blame: Blame, problem: Message): void {
    this.#found.push({ blame, message: problem });
  }

  /** Adds an expression that can't be compiled. */
  addExpression({ source, at }: SourceCondition, detail: Message | string): void {
    this.add('map', message('mapping.expr_refused', { ...shownPlace(at), expr: source, detail }));
  }

  /** Adds a note about the correct value. Shown once for each subject, after the problems. */
  note(about: string, note: Message): void {
    if (!this.#notes.has(about)) this.#notes.set(about, note);
  }

  /** @throws ProductError if there are problems: usage if one is in the map, otherwise input */
  throwIfAny(): void {
    const [first, ...others] = this.#found;
    if (!first) return;
    const kind = this.#found.some((it) => it.blame === 'map') ? 'usage' : 'input';
    throw new ProductError(kind, first.message, {
      others: [...others.map((it) => it.message), ...this.#notes.values()],
    });
  }
}

/** The errors of a row as a whole. Its cells may have shifted into other columns, so that none of them is read. */
export function rowFaults({ sheet, number, faults = [] }: Row): readonly Fault[] {
  return faults.map(({ column, message }) => ({ sheet, row: number, column, message }));
}
