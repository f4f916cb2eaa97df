/** Where something stands in a job file; both 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
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

export type MapLeaf = ColumnLeaf | ValueLeaf | TemplateLeaf | ExpressionLeaf;

export type Each =
  | { readonly kind: 'columns'; readonly columns: readonly string[]; readonly at: Position }
  | { readonly kind: 'sheet'; readonly sheet: string; readonly on: readonly string[]; readonly at: Position };

export interface MapBranch extends Placed {
  readonly kind: 'branch';
  readonly each?: Each;
  readonly fields: ReadonlyMap<string, MapNode>;
}

export type MapNode = MapLeaf | MapBranch;
