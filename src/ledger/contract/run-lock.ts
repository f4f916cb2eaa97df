/** The process that has the lock of a job and connection, and its run. */
export interface LockHolder {
  readonly run: string;
  readonly process: number;
  readonly host: string;
}

/**
 * Held during a run of a job and connection; released when its process dies. On a server another process may take it from
 * one that is suspended or disconnected. All later writes of that process to the run or its steps fail with `LockLost`.
 */
export interface RunLock {
  release(): Promise<void>;
}

/** The result of a request for a lock. That another process has it is not an error. */
export type LockAnswer =
  | { readonly kind: 'taken'; readonly lock: RunLock }
  /** `holder` is absent if it cannot be determined. */
  | { readonly kind: 'held'; readonly holder?: LockHolder };
