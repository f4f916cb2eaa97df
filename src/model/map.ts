/** Where something stands in a job file; both 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** Name of the file, where it isn't the job's own: a shared part stands in `license-sync.yaml`. */
  readonly file?: string;
  /** Where a shared part is used, `jobs/orders.yaml:9:5`. */
  readonly usedAt?: string;
}

/** Line and column as messages name them: with the file where it isn't the job's own, and where that part is used. */
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
  /** Separators for string arrays, each character one. */
  readonly split?: string;
  /** Unicode date pattern, `yyyy/MM/dd`, or several, tried in order: no other writing of a date is read. */
  readonly format?: string | readonly string[];
  readonly end?: 'day';
  /** `ignore`: a time of day that a date cell's format does not show is ignored. */
  readonly time?: 'ignore';
  /** The cell's text is sent as it is shown, without the checks of identifiers. */
  readonly asIs?: boolean;
}

export interface ValueLeaf extends Placed {
  readonly kind: 'value';
  readonly value: Scalar | readonly Scalar[];
}

export interface TemplateLeaf extends Placed {
  readonly kind: 'template';
  readonly source: string;
  /** Text and columns in turn. */
  readonly parts: readonly (string | { readonly column: string })[];
}

export interface ExpressionLeaf extends Placed {
  readonly kind: 'expr';
  readonly source: string;
}

/** Operations that a look-up may ask: those whose reply lists records of what is there (`Operation.lists`). */
export type LookupOperationName = 'enterprise.query' | 'asset.list';

/** A field filled from the platform while planning (contract section 9, "Look-ups"). */
export interface LookupLeaf extends Placed {
  readonly kind: 'lookup';
  readonly operation: LookupOperationName;
  /** The request's fields, in the order of the job file. None of them is a look-up itself. */
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

/** What an earlier step of the job returned for the row (contract section 9, "Steps"). */
export interface FromLeaf extends Placed {
  readonly kind: 'from';
  readonly step: string;
  /** A name of that operation's `returns`. */
  readonly field: string;
  /** What stands in its place for rows that `when` left out of that step. */
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
