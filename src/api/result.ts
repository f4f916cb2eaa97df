import { type Language, render } from '../errors/message.js';
import type { ActionEnd, RunCounts } from '../model/run-outcome.js';
import type { ReconcileEnd } from '../reconcile/contract.js';
import type { RunEnd } from '../run/run-end.js';

/** How a run ended (contract section 7). */
export interface RunResult {
  /** Id of the run; of a plan, what `applyPlan` takes. */
  readonly run: string;
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
  /** It went to the simulated platform. */
  readonly sandbox: boolean;
  readonly status: 'completed' | 'invalid' | 'stopped' | 'interrupted';
  readonly rows: number;
  /** Rows by status; they add up to `rows`. */
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  /** Path of the result file; absent where none could be written. */
  readonly output?: string;
  /** What the command would exit with. */
  readonly exitCode: number;
  /** Why it stopped, or what to do next. */
  readonly reason?: string;
  /** What `Summary` warns of too, such as rows that were passed over. */
  readonly warnings: readonly string[];
}

/** How a reconciliation ended (contract section 8); `rows` counts extra records too. */
export interface ReconcileResult extends RunResult {
  readonly output: string;
  /** The runs that carried out actions. */
  readonly actions: readonly ActionEnd[];
}

export function runResult(end: RunEnd, language: Language): RunResult {
  const { run, job, operation, connection, sandbox, status, rows, counts, requests, retries, exitCode } = end;
  return {
    run,
    job,
    operation,
    connection,
    sandbox,
    status,
    rows,
    counts,
    requests,
    retries,
    exitCode,
    ...(end.output === undefined ? {} : { output: end.output }),
    ...(end.reason ? { reason: render(end.reason, language) } : {}),
    warnings: (end.warnings ?? []).map((it) => render(it, language)),
  };
}

export function reconcileResult(end: ReconcileEnd, language: Language): ReconcileResult {
  const { reason, warnings, drift: _, ...rest } = end;
  const told = warnings.map((it) => render(it, language));
  return { ...rest, warnings: told, ...(reason ? { reason: render(reason, language) } : {}) };
}
