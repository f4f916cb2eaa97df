import type { Message } from '../../errors/message.js';
import type { CorrectedBy, Correction } from '../../model/row.js';

/** An imported spreadsheet and the job that reads it. Corrections are stored separately (`corrections`). */
export interface Import {
  /** Like a run's id: sortable, unique, safe in file names. */
  readonly id: string;
  /** The user who imported it. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The file's name, without a folder. */
  readonly name: string;
  readonly inputSha256: string;
  /** Absolute. A guessed job that was not saved is kept among the inputs under its digest as well. */
  readonly jobFile: string;
  readonly jobSha256: string;
  /** The job was not saved to a file yet. */
  readonly guessed: boolean;
  /** Absent: as in the job. */
  readonly connection?: string;
  readonly sheet?: string;
  /** Lookups are requested only if this is true. */
  readonly lookups: boolean;
  /** The last check that finished, and the last plan. */
  readonly checkRun?: string;
  readonly planRun?: string;
  /** Why the last check failed; what to do comes first. */
  readonly failure?: readonly Message[];
}

/** Absent members stay as they are. */
export interface ImportPatch {
  readonly jobFile?: string;
  readonly jobSha256?: string;
  readonly guessed?: boolean;
  readonly lookups?: boolean;
  /** A finished check clears the failure; a failure does not clear the last check. */
  readonly checkRun?: string;
  readonly planRun?: string;
  readonly failure?: readonly Message[];
}

/** A file received over the network, with or without an import of it. */
export interface Upload {
  readonly sha256: string;
  readonly name: string;
  readonly by: string;
  readonly at: number;
}

/** One corrected cell of an import, as typed. Lines are only added. */
export interface CorrectionLine extends Correction, CorrectedBy {
  /** The number of its action, from 1 in each import. Cells corrected together are undone together. */
  readonly act: number;
  /** The cell's text before this action. */
  readonly before: string;
  /** The user who undid it. */
  readonly undone?: CorrectedBy;
}

/** The user and the action that change the corrections of an import. */
export interface CorrectionActor extends CorrectedBy {
  /** Chosen by the caller for this action. A request repeated because its reply was lost is applied only once. */
  readonly id: string;
}

/** The current corrections of an import. */
export interface CurrentCorrections {
  /** By row and column, each cell once with its last correction. */
  readonly cells: readonly (Correction & CorrectedBy)[];
  /** The number of the last action; 0 before the first. A change means that there are newer corrections. */
  readonly last: number;
  /** Whether this user can undo and redo. */
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}
