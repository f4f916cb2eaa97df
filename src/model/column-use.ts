/** What a map reads of a table, by 1-based columns. */
export interface ColumnUse {
  /** All that it reads. */
  readonly columns: readonly number[];
  /** Those that tell one item from another; a row that fills one of them is never left out in silence. */
  readonly key: readonly number[];
  /** Those that hold identifiers, the key's among them. */
  readonly identifiers: readonly number[];
  /** An item is named by a list of locks and nothing else. Then a row with a word for a total is a total, even if the key is filled. */
  readonly keyIsLocks?: true;
}
