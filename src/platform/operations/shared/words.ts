/** A believable value of a cell. */
export type FieldExample = string | number | boolean | Date;

/** What a field means, and what people write in it. */
export interface FieldWord {
  /** Its meaning in Chinese. */
  readonly zh?: string;
  /** What its allowed values mean in Chinese. */
  readonly values?: Readonly<Record<string, string>>;
  /** What people write for a value, parted by blanks. */
  readonly cells?: Readonly<Record<string, string>>;
  /** A list gives one value for each example row. */
  readonly example?: FieldExample | readonly FieldExample[];
  /** Left empty in examples: rarely needed, or another field's business. */
  readonly rare?: boolean;
}

/**
 * Words by field name. Where namesakes differ, the key says more: `table.name` (headers and examples of one table),
 * `delete.name` (headers in revocations), `§4.3 name` or the field's English meaning (Chinese meanings).
 */
export interface WordTable {
  readonly fields?: Readonly<Record<string, FieldWord>>;
  /**
   * Names in the headers of spreadsheets, parted by commas; the first one in each language is the one that a new
   * workbook gets. A name that fits other fields as well ends in `?`, where another field is the likelier one in `??`.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The words of one operation and its own fields: for Chinese readers, for templates, and for `guess`. */
export interface OperationWords extends WordTable {
  /** What it does, in Chinese. */
  readonly purpose: string;
  /** Tables of its family. */
  readonly shared?: readonly WordTable[];
  /** Where its examples need other values than the fields' own. */
  readonly examples?: Readonly<Record<string, FieldExample | readonly FieldExample[]>>;
  /** What a sheet for it asks for; operations with the same task are told apart by their columns. */
  readonly task: string;
  /**
   * Words in names, titles and cells that ask for the task. Those of a lower rank are looked for first and taken out
   * of the text, as `解除锁定` holds `锁定`.
   */
  readonly clues: { readonly rank: number; readonly pattern: RegExp };
  /** It is never taken for a sheet because of words in its headers alone: a purchase is mentioned in passing. */
  readonly onlyWhenNamed?: true;
  /** A sheet without any of these fields isn't meant for it, whatever a word in it says. */
  readonly essential: readonly string[];
  /** What makes columns those of this operation and of no other, if no word names it; without it they never are. */
  readonly own?: OwnColumns;
}

/** All that is given must hold. */
interface OwnColumns {
  /** A column for each of these fields. */
  readonly all?: readonly string[];
  /** Columns for at least so many of these. */
  readonly some?: { readonly of: readonly string[]; readonly least: number };
  /** The part of the required fields that has columns, at least; 0 to 1. */
  readonly share?: number;
  /** No column belongs to a field of another operation. */
  readonly nothingElse?: true;
  /** The sheet has so many columns at most. */
  readonly columns?: number;
  /** Headers speak of what was once, and of what is to be. */
  readonly oldAndNew?: true;
}

export const day = (text: string): Date => new Date(`${text}T00:00:00Z`);

/** Stands before a Chinese word for a task: a state that something is in already asks for nothing (`已停用`). */
export const NOT =
  '(?<!(?:[已未不曾非勿免]|不再|[不无]需要?|无须|不用|不必|不要|不得|不能|暂不|停止|禁止|避免))';
