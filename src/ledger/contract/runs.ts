import type { Message } from '../../errors/message.js';
import type { Reconciled } from '../../model/comparison.js';
import type { JsonObject } from '../../model/json.js';
import type { OperationName } from '../../model/operation.js';
import type { RunCounts } from '../../model/run-outcome.js';

export interface RunQuery {
  readonly job: string;
  /** As in `RunStart`: runs on this platform, and those that may have been (`sharesKeys`). */
  readonly scope: string;
  /** The connection's name, for runs whose platform is not known. */
  readonly connection: string;
  readonly inputSha256?: string;
  /** Only runs that wait for a process or have one: planning, planned, executing, executed. */
  readonly unended?: boolean;
  /** Also kept plans that require an approval. */
  readonly plans?: boolean;
}

/** Which runs are listed. */
export interface RunFilter {
  /** Part of the job's name, case-insensitive. */
  readonly job?: string;
  /** Part of the name of the user who created it, case-insensitive. */
  readonly person?: string;
  readonly kinds?: readonly RunKind[];
  readonly states?: readonly RunState[];
  /** The digest of the input. */
  readonly inputSha256?: string;
  /** Start time: milliseconds since 1970, `to` not included. */
  readonly from?: number;
  readonly to?: number;
  /** Excludes checks of spreadsheets imported at a console, and pruned checks. */
  readonly without?: 'import_checks';
  /** Only runs older than this one. */
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
  /** The newest of them, and the end of the newest with exit code 0. */
  readonly last: Run;
  readonly lastSuccessAt?: number;
}

/**
 * A run's state. Resume discards a plan in state `planning` and plans again; every later state continues from the ledger.
 * `queued`: waits for workers. `executed`: all outcomes are recorded, the result is not written yet.
 */
export type RunState =
  | 'planning'
  | 'planned'
  | 'queued'
  | 'executing'
  | 'stopped'
  | 'interrupted'
  | 'executed'
  | 'completed'
  | 'invalid';

/** Sends; only checks; is a kept plan that waits for apply; or compares with the platform. */
export type RunKind = 'run' | 'dry_run' | 'plan' | 'reconcile';

/** What a run does. A reconciliation and a job of several steps have no operation. */
export type RunOperation = OperationName | 'steps' | `reconcile.${Reconciled}`;

/** What a run is created from; fixed when it starts. */
export interface RunStart {
  /** `20261121-020311-4f9a`: sortable, unique, safe in file names. */
  readonly id: string;
  readonly kind: RunKind;
  readonly job: string;
  /** Absolute path of the job file. */
  readonly jobFile: string;
  readonly jobSha256: string;
  readonly operation: RunOperation;
  readonly connection: string;
  /** Repeats are looked up within it: the connection's name and host (`scopeOf`). */
  readonly scope: string;
  readonly inputFile: string;
  readonly inputSha256: string;
  /** Everything else that resume needs (flags, resolved job, connection without secrets), as JSON. */
  readonly settings: JsonObject;
  /** Milliseconds since 1970, UTC. */
  readonly startedAt: number;
  /** The run whose rows this one sends again, the reconciliation whose action it runs, or the run whose step it is. */
  readonly parent?: string;
  /** The number of the step of its parent, from 1. A step run is part of its parent; lists and totals exclude it. */
  readonly step?: number;
  /** The user who creates it, as the audit names them, and their OpenID subject. Absent in older ledgers. */
  readonly by?: string | undefined;
  readonly bySubject?: string | undefined;
}

export interface Run extends RunStart {
  readonly state: RunState;
  readonly endedAt?: number;
  readonly exitCode?: number;
  /** HTTP requests started, and how many of them repeated a batch. */
  readonly requests: number;
  readonly retries: number;
  /** Source rows counted by the plan. */
  readonly rows: number;
  readonly items: number;
  readonly output?: string;
  /** Duration of the execute stage, over all resumes. */
  readonly executeMs: number;
  /** Why a stopped run stopped. */
  readonly reason?: Message;
  /** Set when its rows and all personal data were removed; it can't be resumed or reported. */
  readonly prunedAt?: number;
  /**
   * Of a kept plan: the digest of all that it would send and of what it was created from; hex. Of a run whose later step
   * requires a separate approval: also of that step as planned.
   */
  readonly planHash?: string;
  /** It may only be sent with an approval of that hash. */
  readonly needsApproval?: true;
  /** It stopped before a step that must be approved before any of it is sent. */
  readonly awaitsApproval?: true;
  /** Of a run that was a kept plan: when the plan was applied. */
  readonly appliedAt?: number;
}

export interface RunPatch {
  /** Only while the run is queued for this turn; otherwise `TurnPassed` is thrown. */
  readonly turn?: number;
  /** `planning`, `queued`, `executing` clear end and exit code. All states but stopped, interrupted, invalid clear the reason. */
  readonly state?: RunState;
  readonly endedAt?: number;
  readonly exitCode?: number;
  readonly output?: string;
  readonly reason?: Message;
  readonly kind?: RunKind;
  /** Replaces the current settings. */
  readonly settings?: JsonObject;
  /** Added to the current value. */
  readonly addExecuteMs?: number;
  /** Reconciliations, which plan no rows: what `counts` returns from now on; `rows` becomes their sum. */
  readonly counts?: RunCounts;
  /**
   * The result of `counts` of a run that this patch ends, or of a finished plan. Returned from now on without counting, until
   * the run changes.
   */
  readonly sums?: RunCounts;
  /** Runs without batches (comparisons, jobs of steps): requests sent, and how many of them were repeats. */
  readonly requests?: number;
  readonly retries?: number;
  /** Runs of several steps, which plan no rows: source rows, and items of all steps. */
  readonly rows?: number;
  readonly items?: number;
}
