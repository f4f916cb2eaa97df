import type { Message } from '../../errors/message.js';

/** A spreadsheet that somebody put in, and the job that reads it. What was corrected in it is kept apart (`corrections`). */
export interface Import {
  /** As of runs: sortable, unique, safe in file names. */
  readonly id: string;
  /** Who put it in. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The file's own name, without a folder. */
  readonly name: string;
  readonly inputSha256: string;
  /** Absolute. A guessed job that was not saved is kept among the inputs under its digest as well. */
  readonly jobFile: string;
  readonly jobSha256: string;
  /** Nobody saved the job into a file of their own yet. */
  readonly guessed: boolean;
  /** Absent: the job's own. */
  readonly connection?: string;
  readonly sheet?: string;
  /** Look-ups are asked only where somebody wants it. */
  readonly lookups: boolean;
  /** The last check that came to its end, and the plan that was made last. */
  readonly checkRun?: string;
  readonly planRun?: string;
  /** Why the last check came to nothing; what to do first. */
  readonly failure?: readonly Message[];
}

/** Absent members stay as they are. */
export interface ImportPatch {
  readonly jobFile?: string;
  readonly jobSha256?: string;
  readonly guessed?: boolean;
  readonly lookups?: boolean;
  /** A check that came to its end takes the failure away, and the other way round a failure leaves the last check. */
  readonly checkRun?: string;
  readonly planRun?: string;
  readonly failure?: readonly Message[];
}

/** A file that came over the network, whether or not an import was made of it. */
export interface Upload {
  readonly sha256: string;
  readonly name: string;
  readonly by: string;
  readonly at: number;
}

/** Files that people put in, and what became of them. */
export interface ImportStore {
  create(it: Import): Promise<void>;
  patch(id: string, patch: ImportPatch): Promise<void>;
  get(id: string): Promise<Import | undefined>;
  /** Newest first; `before`: only those made before the import of this id. */
  list(limit: number, before?: string): Promise<readonly Import[]>;
  /** The same bytes under the same name are one upload of a person, and its last time counts. */
  uploaded(it: Upload): Promise<void>;
  /** Of these bytes, newest first. */
  uploads(sha256: string): Promise<readonly Upload[]>;
  /**
   * Removes imports and uploads from before a time; corrections go with their import.
   * @returns digests of the files that belonged to them; runs, and imports that are left, may need some of them yet
   */
  prune(before: number): Promise<readonly string[]>;
  /** Digests of the files that imports and uploads are made of. */
  files(): Promise<readonly string[]>;
}
