import { compileCel } from '../util/cel.js';

/** A position in a job file; both 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** Name of the file, unless it is the job's own: shared parts are in `license-sync.yaml`. */
  readonly file?: string;
  /** Position at which a shared part is used, `jobs/orders.yaml:9:5`. */
  readonly usedAt?: string;
}

/** Line and column for messages: with the file if it isn't the job file, and with the use of a shared part. */
export function shownPlace({ line, column, file, usedAt }: Position): {
  readonly line: number | string;
  readonly column: number | string;
} {
  return {
    line: file === undefined ? line : `${file}:${line}`,
    column: usedAt === undefined ? column : `${column} (use: ${usedAt})`,
  };
}

/** A CEL condition on a row. */
export interface SourceCondition {
  readonly source: string;
  readonly at: Position;
}

export type Scalar = string | number | boolean;

interface Placed {
  readonly at: Position;
}

/** The cell under a header, with its options (contract section 4). */
export interface ColumnLeaf extends Placed {
  readonly kind: 'column';
  readonly column: string;
  readonly default?: Scalar;
  /** Cell text (folded when compared) to value. */
  readonly values?: ReadonlyMap<string, Scalar>;
  /** Separators for string arrays, one per character. */
  readonly split?: string;
  /** Unicode date pattern such as `yyyy/MM/dd`, or several, tried in order. No other format is read. */
  readonly format?: string | readonly string[];
  readonly end?: 'day';
  /** `ignore`: a time of day that a date cell's format does not show is ignored. */
  readonly time?: 'ignore';
  /** The text is sent as the cell shows it, without the checks of identifiers. */
  readonly asIs?: boolean;
}

export interface ValueLeaf extends Placed {
  readonly kind: 'value';
  readonly value: Scalar | readonly Scalar[];
}

export interface TemplateLeaf extends Placed {
  readonly kind: 'template';
  readonly source: string;
  /** Texts and columns in order. */
  readonly parts: readonly (string | { readonly column: string })[];
}

export interface ExpressionLeaf extends Placed {
  readonly kind: 'expr';
  readonly source: string;
  /** As for a column; `time` applies to the date cells that the expression reads. */
  readonly end?: 'day';
  readonly time?: 'ignore';
}

/** Operations that a lookup may request: those whose reply lists existing records (`Operation.lists`). */
export type LookupOperationName = 'enterprise.query' | 'asset.list';

/** A field filled from the platform while planning (contract section 9). */
export interface LookupLeaf extends Placed {
  readonly kind: 'lookup';
  readonly operation: LookupOperationName;
  /** The request's fields, in the order of the job file. None of them is a lookup itself. */
  readonly with: ReadonlyMap<string, MapLeaf>;
  /** Condition on each `record` of the reply, and the `row`. */
  readonly where?: SourceCondition;
  /** Path of a member of the record, steps separated by dots: `customerId`, `assignStatus.id`. */
  readonly take: string;
  readonly onNone:
    | { readonly kind: 'fault' }
    | { readonly kind: 'empty' }
    | { readonly kind: 'value'; readonly value: Scalar };
  readonly onMany: 'fault' | 'first';
}

/** The result of an earlier step of the job for the row (contract section 9, "Steps"). */
export interface FromLeaf extends Placed {
  readonly kind: 'from';
  readonly step: string;
  /** A name of that operation's `returns`. */
  readonly field: string;
  /** Used for rows that `when` excluded from that step. */
  readonly else?: MapLeaf;
}

export type MapLeaf = ColumnLeaf | ValueLeaf | TemplateLeaf | ExpressionLeaf | LookupLeaf | FromLeaf;

export type Each =
  | { readonly kind: 'columns'; readonly columns: readonly string[]; readonly at: Position }
  | { readonly kind: 'sheet'; readonly sheet: string; readonly on: readonly string[]; readonly at: Position };

export interface MapBranch extends Placed {
  readonly kind: 'branch';
  readonly each?: Each;
  readonly fields: ReadonlyMap<string, MapNode>;
}

export type MapNode = MapLeaf | MapBranch;

/** The columns (1-based) of a table that a map reads. */
export interface ColumnUse {
  /** All columns that the map reads. */
  readonly columns: readonly number[];
  /** Columns that distinguish items. A row that fills one of them is never dropped silently. */
  readonly key: readonly number[];
  /** Columns with identifiers, including those of the key. */
  readonly identifiers: readonly number[];
  /** Identifier columns that take the digits of number cells, whatever their format shows. */
  readonly digits: readonly number[];
  /** Columns of expressions, which take the text of number cells. */
  readonly texts: readonly number[];
  /** Only a list of locks identifies an item. Then a row with a word for a total is a total, even if the key is filled. */
  readonly keyIsLocks?: true;
}

/** The distinct columns that a leaf reads, by header. */
export function columnsReadBy(leaf: MapLeaf): readonly string[] {
  switch (leaf.kind) {
    case 'column':
      return [leaf.column];
    case 'value':
      return [];
    case 'template':
      return [...new Set(leaf.parts.flatMap((it) => (typeof it === 'string' ? [] : [it.column])))];
    case 'from':
      return leaf.else ? columnsReadBy(leaf.else) : [];
    case 'expr': {
      const compiled = compileCel(leaf.source, { variables: { row: 'row' } });
      return compiled.ok ? compiled.columns : [];
    }
    case 'lookup':
      return [...new Set([...[...leaf.with.values()].flatMap(columnsReadBy), ...columnsOfWhere(leaf)])];
  }
}

function columnsOfWhere({ where }: LookupLeaf): readonly string[] {
  if (!where) return [];
  const compiled = compileCel(where.source, { variables: { row: 'row', record: 'record' }, result: 'bool' });
  return compiled.ok ? compiled.columns : [];
}
