import type { RunCommandResult } from '../app/context.js';
import { render } from '../errors/message.js';
import type { ActionEnd, RunCounts, RunStatus, StepEnd } from '../model/run-outcome.js';
import type { RunEnd } from '../run/run-end.js';
import type { RunOptions } from './options.js';

/** The result of a run (contract section 7). */
export interface RunResult {
  /** Id of the run. */
  readonly run: string;
  /** For a stored plan: the argument of `applyPlan`. */
  readonly plan?: string;
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
  /** It used the simulated platform. */
  readonly sandbox: boolean;
  /** `queued`: it has not ended; workers execute it. */
  readonly status: RunStatus;
  readonly rows: number;
  /** Rows by status; they add up to `rows`. */
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  /** Number of distinct lookups; absent if the job has none. */
  readonly lookups?: number;
  /** Path of the result file; absent if none could be written. */
  readonly output?: string;
  /** The exit code of the command. */
  readonly exitCode: number;
  /** For a stored plan: the digest of what it would send and of its inputs. */
  readonly planHash?: string;
  /** It requires approval of that hash by another user: `license-sync request RUN` requests it. */
  readonly needsApproval?: true;
  /** The run that it reverts. */
  readonly reverts?: string;
  /** For a job of several steps: the result of each. */
  readonly steps?: readonly StepEnd[];
  /** Why it stopped, or what to do next. */
  readonly reason?: string;
  /** Warnings of the result's sheet `Summary`, such as skipped rows. */
  readonly warnings: readonly string[];
}

/** The result of a reconciliation (contract section 8); `rows` includes extra records. */
export interface ReconcileResult extends RunResult {
  readonly output: string;
  /** The runs of its actions. */
  readonly actions: readonly ActionEnd[];
}

export interface RetryResult extends Omit<RunResult, 'run'> {
  /** Absent if there was no row to send again. */
  readonly run?: string;
  /** The run whose rows these are. */
  readonly parent: string;
}

/** A plan that reverts a run; nothing was sent. */
export interface RevertResult extends RunResult {
  /** The argument of `applyPlan`; absent if nothing can be reverted. */
  readonly plan?: string;
  readonly reverts: string;
  /** Rows that are not reverted, each with the reason; `step` for a run of several steps. */
  readonly notReverted: readonly { readonly row: number; readonly step?: string; readonly reason: string }[];
}

type Ended = Exclude<RunCommandResult, { kind: 'failed' }>;
type LanguageOption = Pick<RunOptions, 'language'>;

export function runResult(result: Ended, { language = 'en' }: LanguageOption): RunResult {
  const end = oneRun(result);
  const { run, job, operation, connection, sandbox, status, rows, counts, requests, retries, exitCode } = end;
  return {
    run,
    ...(end.kind === 'plan' && (status === 'completed' || end.planHash !== undefined) ? { plan: run } : {}),
    job,
    operation,
    connection,
    sandbox,
    status,
    rows,
    counts,
    requests,
    retries,
    lookups: end.lookups,
    exitCode,
    output: end.output,
    planHash: end.planHash,
    ...(end.needsApproval ? { needsApproval: true } : {}),
    reverts: end.reverts,
    steps: end.steps,
    ...(end.reason ? { reason: render(end.reason, language) } : {}),
    warnings: (end.warnings ?? []).map((it) => render(it, language)),
  };
}

export function retryResult(result: Ended, options: LanguageOption): RetryResult {
  if (result.kind !== 'nothing') {
    return { ...runResult(result, options), parent: oneRun(result).parent ?? '' };
  }
  const { nothing, parent } = result.end;
  const { job, operation, connection, id } = parent;
  return {
    parent: id,
    job,
    operation,
    connection,
    sandbox: connection === 'sandbox',
    status: 'completed',
    rows: 0,
    counts: {},
    requests: 0,
    retries: 0,
    exitCode: result.exitCode,
    reason: render(nothing, options.language),
    warnings: [],
  };
}

export function revertResult(result: Ended, options: LanguageOption): RevertResult {
  const { kind, run, reverts = '', stays = [] } = oneRun(result);
  return {
    ...runResult(result, options),
    ...(kind === 'plan' ? { plan: run } : {}),
    reverts,
    notReverted: stays.map(({ reason, ...at }) => ({ ...at, reason: render(reason, options.language) })),
  };
}

export function reconcileResult(result: Ended, options: LanguageOption): ReconcileResult {
  const { output = '', actions = [] } = oneRun(result);
  return { ...runResult(result, options), output, actions };
}

/** Jobs on an input folder, which have several runs, are refused before. */
function oneRun(result: Ended): RunEnd {
  if (result.kind === 'run') return result.end;
  throw new Error(`unexpected: ${result.kind}`);
}
