/** An input file kept by the ledger, as it was when its run was planned. */
export interface KeptInput {
  /** Digest of its bytes; hex. */
  readonly sha256: string;
  /** The input's file name, without a folder. */
  readonly name: string;
}

/**
 * The input files of runs. Plan, report and retry all read the kept copy, so that saving the file again during the run
 * cannot shift its rows.
 */
export interface InputStore {
  /**
   * Keeps bytes under their digest; on disk when it resolves. If reading them fails, nothing is kept and the error is thrown.
   */
  put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<KeptInput>;
  /**
   * The path of a local, read-only file with the kept input's name and content. Valid until `release`, or until the ledger is
   * closed. undefined when the input is not kept any more.
   */
  file(input: KeptInput): Promise<string | undefined>;
  /** Releases a file; call it once for each `file`. A local copy may be removed then. */
  release(input: KeptInput): Promise<void>;
  /** For users: the location of a kept input, even if it is not kept any more. */
  place(input: KeptInput): string;
  /** Its bytes as stored now; throws when it is not kept any more. */
  bytes(input: KeptInput): AsyncIterable<Uint8Array>;
  /** All kept inputs, once for each digest. Times are milliseconds since 1970. */
  list(): Promise<readonly { readonly sha256: string; readonly keptAt: number }[]>;
  /** Removes a digest under all its names. No error if it is not kept. */
  remove(sha256: string): Promise<void>;
}

/**
 * A file of an input folder that was started and is still to be moved. Distinguishes a file that was left (by a crash, or
 * because it could not be moved) from one that was put there again. Also a file in `done`, which may be changed later.
 */
export interface PendingFile {
  readonly file: string;
  /** Hex. */
  readonly sha256: string;
  /** Milliseconds since 1970: its run started then or later. Of a file in `done`: when it was last changed. */
  readonly at: number;
}

/** Pending files of input folders, by real path: the same file has one name whichever path leads to its folder. */
export interface PendingFileStore {
  /** On disk when it resolves; replaces an earlier record of the file. */
  remember(realFile: string, pending: PendingFile): Promise<void>;
  get(realFile: string): Promise<PendingFile | undefined>;
  /** No error if there is no record. */
  forget(realFile: string): Promise<void>;
  list(): Promise<readonly PendingFile[]>;
}
