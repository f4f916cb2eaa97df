import type { CarriedRun } from '../app/context.js';
import { render } from '../errors/message.js';
import type { ActionEnd, RunCounts, RunStatus, StepEnd } from '../model/run-outcome.js';
import type { RunEnd } from '../run/run-end.js';
import type { RunOptions } from './options.js';

/** How a run ended (contract section 7). */
export interface RunResult {
  /** Id of the run. */
  readonly run: string;
  /** Of a kept plan: what `applyPlan` takes. Absent otherwise. */
  readonly plan?: string;
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
  /** It went to the simulated platform. */
  readonly sandbox: boolean;
  /** `queued`: it hasn't ended, workers carry it. */
  readonly status: RunStatus;
  readonly rows: number;
  /** Rows by status; they add up to `rows`. */
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  /** Distinct look-ups that planning asked; absent where the job has none. */
  readonly lookups?: number;
  /** Path of the result file; absent where none could be written. */
  readonly output?: string;
  /** What the command would exit with. */
  readonly exitCode: number;
  /** Of a kept plan: the digest of all that it would send, and of what it was made from. */
  readonly planHash?: string;
  /** It may only be sent with a second person's approval of that hash: `license-sync request RUN` asks for it. */
  readonly needsApproval?: true;
  /** The run that it takes back, where that is what it is for. */
  readonly reverts?: string;
  /** Of a job of several steps: what each came to. */
  readonly steps?: readonly StepEnd[];
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

/** How a retry ended. */
export interface RetryResult extends Omit<RunResult, 'run'> {
  /** Absent where no row was to be sent again. */
  readonly run?: string;
  /** The run whose rows these are. */
  readonly parent: string;
}

/** A plan that takes back what a run did; nothing was sent. */
export interface RevertResult extends RunResult {
  /** What `applyPlan` takes; absent where nothing has a way back. */
  readonly plan?: string;
  readonly reverts: string;
  /** Rows of that run that stay as they are, each with the reason; `step` of a run of several steps. */
  readonly notReverted: readonly { readonly row: number; readonly step?: string; readonly reason: string }[];
}

type Ended = Exclude<CarriedRun, { kind: 'failed' }>;
type Spoken = Pick<RunOptions, 'language'>;

export function runResult(carried: Ended, { language = 'en' }: Spoken): RunResult {
  const end = oneRun(carried);
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
    ...(end.lookups === undefined ? {} : { lookups: end.lookups }),
    exitCode,
    ...(end.output === undefined ? {} : { output: end.output }),
    ...(end.planHash === undefined ? {} : { planHash: end.planHash }),
    ...(end.needsApproval ? { needsApproval: true } : {}),
    ...(end.reverts === undefined ? {} : { reverts: end.reverts }),
    ...(end.steps === undefined ? {} : { steps: end.steps }),
    ...(end.reason ? { reason: render(end.reason, language) } : {}),
    warnings: (end.warnings ?? []).map((it) => render(it, language)),
  };
}

export function retryResult(carried: Ended, options: Spoken): RetryResult {
  if (carried.kind !== 'nothing') {
    return { ...runResult(carried, options), parent: oneRun(carried).parent ?? '' };
  }
  const { nothing, parent } = carried.end;
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
    exitCode: carried.exitCode,
    reason: render(nothing, options.language),
    warnings: [],
  };
}

export function revertResult(carried: Ended, options: Spoken): RevertResult {
  const { kind, run, reverts = '', stays = [] } = oneRun(carried);
  return {
    ...runResult(carried, options),
    ...(kind === 'plan' ? { plan: run } : {}),
    reverts,
    notReverted: stays.map(({ reason, ...at }) => ({ ...at, reason: render(reason, options.language) })),
  };
}

export function reconcileResult(carried: Ended, options: Spoken): ReconcileResult {
  const { output = '', actions = [] } = oneRun(carried);
  return { ...runResult(carried, options), output, actions };
}

/** A job over an input folder, which has several, is refused before. */
function oneRun(carried: Ended): RunEnd {
  if (carried.kind === 'run') return carried.end;
  throw new Error(`carried ${carried.kind}`);
}
