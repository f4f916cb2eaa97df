/**
 * A file of an input folder that was taken up and is still to be moved. Tells a file that was left over (by a crash, or
 * because it could not be moved) from one that was put there again. Also a file in `done`, which may be changed later.
 */
export interface PendingFile {
  readonly file: string;
  /** Hex. */
  readonly sha256: string;
  /** Milliseconds since 1970: the run of it began then or later. Of a file in `done`: when it was last changed. */
  readonly at: number;
}

/** What input folders remember, by a name of the file that is the same whichever way its folder is reached. */
export interface PendingFileStore {
  /** On disk when it resolves; takes the place of what was remembered of the file. */
  remember(realFile: string, pending: PendingFile): Promise<void>;
  get(realFile: string): Promise<PendingFile | undefined>;
  /** Also where nothing is remembered. */
  forget(realFile: string): Promise<void>;
  list(): Promise<readonly PendingFile[]>;
}
