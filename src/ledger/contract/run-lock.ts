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
