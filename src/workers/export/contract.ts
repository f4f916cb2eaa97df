/** What keeps a worker running elsewhere has to know. */
export interface WorkerGround {
  /** Absolute: the folder of `license-sync.yaml`. */
  readonly home: string;
  /** The program, and the arguments that come before all others. */
  readonly program: readonly string[];
  readonly slots: number;
  /** With commas between them; absent: all. */
  readonly connections?: string;
  readonly logFile?: string;
  /** The ledger's address without a password, where it doesn't stand in the settings. */
  readonly movedLedger?: string;
  /** Variables that hold secrets which the settings name. */
  readonly secrets: readonly string[];
  /** Container image, for Kubernetes. */
  readonly image: string;
  readonly version: string;
}

/** The worker's arguments. `metricsFile` is written anew every 15 s: its age tells whether the worker is alive. */
export function workerArgs(
  { slots, connections, logFile }: WorkerGround,
  metricsFile: string,
): readonly string[] {
  return [
    'worker',
    '--slots',
    String(slots),
    ...(connections === undefined ? [] : ['--connections', connections]),
    ...(logFile === undefined ? [] : ['--log-file', logFile]),
    '--metrics-file',
    metricsFile,
  ];
}

/** A worker whose metrics are older than this is taken for stuck; in minutes. */
export const STUCK_MINUTES = 2;
