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

/** Imports and uploads of users. */
export interface ImportStore {
  create(created: Import): Promise<void>;
  patch(id: string, patch: ImportPatch): Promise<void>;
  get(id: string): Promise<Import | undefined>;
  /** Newest first; `before`: only imports older than the one with this id. */
  list(limit: number, before?: string): Promise<readonly Import[]>;
  /** The same bytes with the same name are one upload of a user; its time is updated. */
  uploaded(upload: Upload): Promise<void>;
  /** Uploads with this digest, newest first. */
  uploads(sha256: string): Promise<readonly Upload[]>;
  /**
   * Removes imports and uploads older than a time. Corrections are removed with their import.
   * @returns digests of their files; runs and remaining imports may still need some of these
   */
  prune(before: number): Promise<readonly string[]>;
  /** Digests of the files of all imports and uploads. */
  files(): Promise<readonly string[]>;
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

type CellPlace = Pick<Correction, 'row' | 'column'>;

/**
 * Corrections of cells of imports, by several users at a time. Entries are never changed: an undo is a new entry.
 * Each user undoes their own actions, the last first. A later correction of the same cell by another user stays.
 * Everything is durable when it resolves.
 */
export interface CorrectionStore {
  add(
    importId: string,
    cells: readonly (Correction & { readonly before: string })[],
    actor: CorrectionActor,
  ): Promise<void>;
  /** Undoes the user's last action that is not undone. Returns its cells; none if there is no such action. */
  undo(importId: string, actor: CorrectionActor): Promise<readonly CellPlace[]>;
  /** Redoes the action that the user undid last, unless they have corrected something since. */
  redo(importId: string, actor: CorrectionActor): Promise<readonly CellPlace[]>;
  current(importId: string, who: string): Promise<CurrentCorrections>;
  /** All corrections ever entered, oldest first. */
  lines(importId: string): Promise<readonly CorrectionLine[]>;
  /** Removes the corrections of an import whose file was removed. */
  remove(importId: string): Promise<void>;
}
