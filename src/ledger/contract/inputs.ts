/** A file that the ledger keeps: an input, as it was when its run was planned. */
export interface KeptInput {
  /** Of its bytes; hex. */
  readonly sha256: string;
  /** The input's own file name, without a folder. */
  readonly name: string;
}

/**
 * The files that runs are made from. Plan, report and retry all read the kept one: a file that is saved again while the
 * run goes on can't shift rows under it.
 */
export interface InputStore {
  /**
   * Keeps bytes under their digest; on disk when it resolves. Nothing is kept where reading them fails, and the error is
   * passed on.
   */
  put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<KeptInput>;
  /**
   * Where a kept input can be read as a local file, its last part being its name, so that messages read alike. Read only,
   * and good until it is let go of, or the ledger is closed. undefined when it is gone.
   */
  file(input: KeptInput): Promise<string | undefined>;
  /** Whoever was given a file reads it no more: once for each time that it was given. A local copy may go then. */
  letGo(input: KeptInput): Promise<void>;
  /** For people: where a kept input lies, or would. */
  place(input: KeptInput): string;
  /** Its bytes as they are kept now; throws when it is gone. */
  bytes(input: KeptInput): AsyncIterable<Uint8Array>;
  /** All that is kept, once for each digest. Times are milliseconds since 1970. */
  list(): Promise<readonly { readonly sha256: string; readonly keptAt: number }[]>;
  /** Removes what is kept under a digest, by whatever names; also where there is nothing. */
  remove(sha256: string): Promise<void>;
}
