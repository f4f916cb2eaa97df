/** A realistic cell value. */
export type FieldExample = string | number | boolean | Date;

/** The meaning of a field, and the words that users write in its cells. */
export interface FieldWord {
  /** Its meaning in Chinese. */
  readonly zh?: string;
  /** Words that users write for a value, separated by blanks. */
  readonly cells?: Readonly<Record<string, string>>;
  /** A list has one value for each example row. */
  readonly example?: FieldExample | readonly FieldExample[];
  /** Empty in examples: rarely required, or covered by another field. */
  readonly rare?: boolean;
}

/**
 * Words by field name. If the words of a name differ, the key is longer: `table.name` (headers and examples of one
 * table), `delete.name` (headers in revocations), `§4.3 name` or the field's English meaning (Chinese meanings).
 */
export interface WordTable {
  readonly fields?: Readonly<Record<string, FieldWord>>;
  /**
   * Names in the headers of spreadsheets, separated by commas; new workbooks use the first name of each language. A
   * name that also fits other fields ends in `?`, or in `??` if another field is more likely.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The words of one operation and its own fields: for Chinese texts, templates, and `guess`. */
export interface OperationWords extends WordTable {
  /** Purpose in Chinese. */
  readonly purpose: string;
  /** Tables shared by its family of operations. */
  readonly shared?: readonly WordTable[];
  /** Example values that differ from the fields' own. */
  readonly examples?: Readonly<Record<string, FieldExample | readonly FieldExample[]>>;
  /** Task of its sheets; operations with the same task are distinguished by their columns. */
  readonly task: string;
  /**
   * Words in names, titles and cells that ask for the task. Those of a lower rank are searched first and removed from
   * the text, as `解除锁定` contains `锁定`.
   */
  readonly clues: { readonly rank: number; readonly pattern: RegExp };
  /** Words in headers alone do not select it: headers of other sheets also mention a purchase. */
  readonly onlyWhenNamed?: true;
  /** A sheet without any of these fields is not for this operation, whatever its words. */
  readonly essential: readonly string[];
  /** Columns that identify this operation if no word names it; absent: columns never do. */
  readonly own?: OwnColumns;
}

/** All given conditions must be met. */
interface OwnColumns {
  readonly all?: readonly string[];
  /** Columns for at least `least` of these fields. */
  readonly some?: { readonly of: readonly string[]; readonly least: number };
  /** Minimum share of the required fields that have columns; 0 to 1. */
  readonly share?: number;
  /** No column belongs to a field of another operation. */
  readonly nothingElse?: true;
  /** Maximum number of columns of the sheet. */
  readonly columns?: number;
  /** Headers name old and new values. */
  readonly oldAndNew?: true;
}

export const utcDate = (text: string): Date => new Date(`${text}T00:00:00Z`);

/** Precedes a Chinese word for a task if the words describe an existing state, which requests nothing (`已停用`). */
export const NOT_ALREADY_DONE =
  '(?<!(?:[已未不曾非勿免]|不再|[不无]需要?|无须|不用|不必|不要|不得|不能|暂不|停止|禁止|避免))';
