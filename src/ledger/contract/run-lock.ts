/** Whoever works on the runs of a job and connection. */
export interface LockHolder {
  readonly run: string;
  readonly process: number;
  readonly host: string;
}

/** Held while a run of a job and connection goes on; a process that dies lets go of it. */
export interface RunLock {
  release(): Promise<void>;
}

/** What asking for a lock comes to. That another process holds it is no error of the ledger's. */
export type LockAnswer =
  | { readonly kind: 'taken'; readonly lock: RunLock }
  /** `holder` is absent where it can't be told who it is. */
  | { readonly kind: 'held'; readonly holder?: LockHolder };
