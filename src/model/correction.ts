/** A cell of the job's sheet that is read as something else than what the file has. */
export interface Correction {
  /** Row number as Excel shows it. */
  readonly row: number;
  /** 1-based. */
  readonly column: number;
  /** The column's header as the sheet writes it. */
  readonly header: string;
  /** As it was typed; empty: the cell is emptied. */
  readonly text: string;
}

/** The corrections that a run was planned with, as its settings hold them. Both digests are of kept inputs; hex. */
export interface KeptCorrections {
  /** Of what is corrected: part of the plan's hash, and the same whoever typed it and when. */
  readonly sha256: string;
  readonly cells: number;
  /** Of who corrected which cell, and when. */
  readonly authors: string;
}

/** Who corrected a cell, and when: milliseconds since 1970. */
export interface CorrectedBy {
  readonly who: string;
  readonly at: number;
}
