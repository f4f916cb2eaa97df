import type { RunCounts } from '../../model/run-outcome.js';
import type { AuditAct } from './audit.js';
import type { Run, RunKind, RunOperation, RunPatch, RunStart, RunState } from './run.js';

export interface RunQuery {
  readonly job: string;
  /** As in `RunStart`: runs on this platform, and those that may have been (`sharesKeys`). */
  readonly scope: string;
  /** The name of the connection that is asked about, for runs whose platform is not known. */
  readonly connection: string;
  readonly inputSha256?: string;
  /** Only runs that wait for a process, or have one at work: planning, planned, executing, executed. */
  readonly unended?: boolean;
  /** Kept plans too that want an approval. */
  readonly plans?: boolean;
}

/** Which runs are listed. */
export interface RunFilter {
  /** Part of the job's name, in any case. */
  readonly job?: string;
  /** Part of the name of whoever made it, in any case. */
  readonly person?: string;
  readonly kinds?: readonly RunKind[];
  readonly states?: readonly RunState[];
  /** Of that input, by its digest. */
  readonly inputSha256?: string;
  /** When they were begun: milliseconds since 1970, `to` not included. */
  readonly from?: number;
  readonly to?: number;
  /** `checks of imports`: leaves out checks of spreadsheets that somebody put in at a console, and checks that were pruned. */
  readonly without?: 'import_checks';
  /** Only runs that are older than this one. */
  readonly before?: string;
}

export interface RunTotals {
  readonly job: string;
  readonly connection: string;
  readonly operation: RunOperation;
  /** Ended runs by exit code. */
  readonly runs: ReadonlyMap<number, number>;
  readonly requests: number;
  readonly retries: number;
  /** From start to end, over all of them, in milliseconds. */
  readonly durationMs: number;
  /** The newest of them, and the newest with exit code 0. */
  readonly last: Run;
  readonly lastSuccessAt?: number;
}

export interface RunStore {
  /** @param act how it came to be: a line of the audit, with the run or not at all */
  create(start: RunStart, act?: AuditAct): Promise<void>;
  patch(id: string, patch: RunPatch): Promise<void>;
  /** undefined when there is none of that id. */
  get(id: string): Promise<Run | undefined>;
  /** The newest run of the ledger, of the given kinds if any are named; never a step run. */
  last(kinds?: readonly RunKind[]): Promise<Run | undefined>;
  /** Runs that name this one as their parent, oldest first: its step runs and its retries. */
  children(id: string): Promise<readonly Run[]>;
  /**
   * The runs of several steps whose keys hold for this run: of each version of each job the newest one, which may be
   * pruned. Those of the run's own job come first, else the newest.
   */
  versionsOfSteps(id: string, limit: number): Promise<readonly string[]>;
  /** Newest first; step runs only where they are asked for. */
  list(limit: number, which?: 'steps too'): Promise<readonly Run[]>;
  /** Newest first, no step runs. */
  find(wanted: RunFilter, limit: number): Promise<readonly Run[]>;
  /**
   * Rows by status, adding up to the run's rows; as the last report would show them (rows still pending are
   * `not_sent` in a run, `valid` in a dry run or a plan). Of a run of several steps: over all that its step runs have so
   * far, each row once, as `worstOfSteps` tells it.
   */
  counts(id: string): Promise<RunCounts>;
  /** The newest run (of kind `run` or `reconcile`, no step run) of a job over a connection that fits, by the time it started. */
  lastOf(wanted: RunQuery): Promise<Run | undefined>;
  /** All that `lastOf` chooses from, newest first. */
  listOf(wanted: RunQuery): Promise<readonly Run[]>;
  /**
   * Sums over all runs that ended and were neither mere checks nor step runs, one entry for each job, connection and
   * operation.
   */
  totals(): Promise<readonly RunTotals[]>;
  /**
   * Removes all personal data of runs that ended before; keys stay, so that repeats are still found. Runs with unknown
   * rows are left as they are: pruned, they could never be settled. So are runs that can be gone on with, and those
   * whose rows they must know of.
   * @param only of these runs, whenever they ended: checks that a later check of the same rows has taken the place of
   */
  prune(endedBefore: number, only?: readonly string[]): Promise<number>;
}
