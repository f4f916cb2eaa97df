import type { CorrectedBy, Correction } from '../../model/correction.js';

/** One corrected cell of an import, as it was typed. Lines are only ever added. */
export interface CorrectionLine extends Correction, CorrectedBy {
  /** The act that it belongs to: cells that were corrected together are undone together. From 1 in each import. */
  readonly act: number;
  /** What the cell showed before this act. */
  readonly before: string;
  /** The line holds no more: who took it back. */
  readonly undone?: CorrectedBy;
}

/** Who does something to the corrections of an import. */
export interface CorrectionActor extends CorrectedBy {
  /** Of this act, by whoever asks for it: the same act asked for again, as its answer was lost, is done only once. */
  readonly id: string;
}

/** What is corrected in an import at present. */
export interface CurrentCorrections {
  /** By row and column, each cell once: by whoever corrected it last. */
  readonly cells: readonly (Correction & CorrectedBy)[];
  /** The last act; 0 before the first. It tells whether somebody has corrected something since. */
  readonly last: number;
  /** What this person can undo and do again. */
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

type CellPlace = Pick<Correction, 'row' | 'column'>;

/**
 * Corrections of the cells of imports, by people, several at a time. Nothing is ever changed: to undo is an act of its own.
 * Each person undoes their own acts, the last first; where another one has corrected the same cell since, that stays.
 * Everything is durable when it resolves.
 */
export interface CorrectionStore {
  add(
    importId: string,
    cells: readonly (Correction & { readonly before: string })[],
    actor: CorrectionActor,
  ): Promise<void>;
  /** Takes back the person's last act that holds. Gives its cells; none where there is no such act. */
  undo(importId: string, actor: CorrectionActor): Promise<readonly CellPlace[]>;
  /** Lets the act hold again that the person took back last, unless they have corrected something since. */
  redo(importId: string, actor: CorrectionActor): Promise<readonly CellPlace[]>;
  current(importId: string, who: string): Promise<CurrentCorrections>;
  /** All that was ever typed, oldest first. */
  lines(importId: string): Promise<readonly CorrectionLine[]>;
  /** Forgets an import whose file is gone. */
  remove(importId: string): Promise<void>;
}
