import type { Message } from '../../errors/message.js';
import type { Reconciled } from '../../model/drift.js';
import type { JsonObject } from '../../model/json.js';
import type { OperationName } from '../../model/operation.js';
import type { RunCounts } from '../../model/run-outcome.js';

/**
 * Where a run stands. `planning` is thrown away and planned again by resume; every later state goes on from what
 * the ledger holds. `queued`: it waits for workers. `executed`: all outcomes are in, the result is not written yet.
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

/** What kind of run: sends, only checks, is a kept plan waiting for apply, or compares with the platform. */
export type RunKind = 'run' | 'dry_run' | 'plan' | 'reconcile';

/** What a run does; a reconciliation, and a job of several steps, has no operation of its own. */
export type RunOperation = OperationName | 'steps' | `reconcile.${Reconciled}`;

/** What a run is made from; fixed when it starts. */
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
  /** Under which repeats are looked up: the connection's name and host (`scopeOf`). */
  readonly scope: string;
  readonly inputFile: string;
  readonly inputSha256: string;
  /** Everything resume needs that isn't above (flags, resolved job, connection without secrets), as JSON. */
  readonly settings: JsonObject;
  /** Milliseconds since 1970, UTC. */
  readonly startedAt: number;
  /** The run whose rows this one sends again, the reconciliation whose action it carries out, or the run whose step it is. */
  readonly parent?: string;
  /** Which step of its parent it carries out, from 1. Such a run is part of its parent: lists and sums leave it out. */
  readonly step?: number;
  /** Who makes it, as the audit names them; and by which an OpenID provider does. Absent in ledgers of before. */
  readonly by?: string | undefined;
  readonly bySubject?: string | undefined;
}

export interface Run extends RunStart {
  readonly state: RunState;
  readonly endedAt?: number;
  readonly exitCode?: number;
  /** HTTP requests that were begun, and how many of them were repeats of a batch. */
  readonly requests: number;
  readonly retries: number;
  /** Source rows counted by the plan. */
  readonly rows: number;
  readonly items: number;
  readonly output?: string;
  /** Sum of the execute stage, over resumes. */
  readonly executeMs: number;
  /** Why a stopped run stopped. */
  readonly reason?: Message;
  /** Its rows and all personal data are gone, so it can't be resumed or reported. */
  readonly prunedAt?: number;
  /** Of a kept plan: the digest of all that it would send, and of what it was made from; hex. */
  readonly planHash?: string;
  /** It may only be sent with an approval of that hash. */
  readonly needsApproval?: true;
  /** Of a run that was a kept plan: when that was taken to be sent. */
  readonly appliedAt?: number;
}

export interface RunPatch {
  /** Only as long as the run is in the queue for it; else `TurnPassed` is thrown. */
  readonly turn?: number;
  /** Going on (`planning`, `queued`, `executing`) clears end and exit code; all but stopped, interrupted, invalid the reason. */
  readonly state?: RunState;
  readonly endedAt?: number;
  readonly exitCode?: number;
  readonly output?: string;
  readonly reason?: Message;
  readonly kind?: RunKind;
  /** In place of those that it has. */
  readonly settings?: JsonObject;
  /** Added to what is there. */
  readonly addExecuteMs?: number;
  /** Reconciliations, which plan no rows: what `counts` gives from now on; `rows` becomes their sum. */
  readonly counts?: RunCounts;
  /**
   * What `counts` counted of a run that is over by this patch, or of a finished plan: told from now on without counting,
   * until anything of the run changes.
   */
  readonly sums?: RunCounts;
  /** Runs without batches of their own (comparisons, jobs of steps): requests made, and how many of them were repeats. */
  readonly requests?: number;
  readonly retries?: number;
  /** Runs of several steps, which plan no rows of their own: source rows, and items of all steps. */
  readonly rows?: number;
  readonly items?: number;
}
