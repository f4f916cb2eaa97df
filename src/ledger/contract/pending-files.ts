/**
 * A file of an input folder that was taken up and is still to be moved. Tells a file that was left over (by a crash, or
 * because it could not be moved) from one that somebody laid there again.
 */
export interface PendingFile {
  readonly file: string;
  /** Hex. */
  readonly sha256: string;
  /** The run of it began then or later; milliseconds since 1970. */
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
