import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Run } from '../ledger/contract/run.js';
import { EXIT } from '../model/exit-code.js';
import type { ActionEnd, RunCounts, RunStatus, StepEnd } from '../model/run-outcome.js';
import type { Status } from '../model/status.js';
import type { PageProblems } from '../pages/contract.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { RowProblemKind } from './report/problem-kinds.js';
import type { StayingRow } from './revert/undoing-lines.js';

/** How a run ended, as commands print it (contract section 7). */
export interface RunEnd {
  readonly run: string;
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
  readonly sandbox: boolean;
  readonly status: RunStatus;
  readonly rows: number;
  /** Items that the plan made of the rows. */
  readonly items: number;
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  /** Distinct look-ups that planning asked; absent where the job has none. */
  readonly lookups?: number | undefined;
  readonly output?: string;
  readonly executeMs: number;
  readonly exitCode: number;
  /** The exit code by the run's own rows, where unknown rows of an earlier cut-off run changed `exitCode`. */
  readonly ownExitCode?: number;
  /** Why it stopped, or what a person should do next. */
  readonly reason?: Message;
  readonly kind: Run['kind'];
  /** All warnings since the run was planned, each once. */
  readonly warnings?: readonly Message[];
  /** What is wrong with the rows, by kind. */
  readonly problems?: readonly RowProblemKind[];
  /** The run whose rows this one sent again, or the reconciliation whose action it was. */
  readonly parent?: string;
  /** Of a kept plan: the digest of all that it would send, and of what it was made from. */
  readonly planHash?: string;
  /** It may only be sent with an approval of that hash. */
  readonly needsApproval?: true;
  /** Rows that a comparison found not to be in order; bounded. */
  readonly drift?: PageProblems;
  /** The run that it takes back. */
  readonly reverts?: string;
  /** Rows of that run that aren't taken back, each with its reason; told when the plan is made. */
  readonly stays?: readonly StayingRow[];
  /** Where the input was moved to, if it came from an input folder. */
  readonly movedTo?: string;
  /** True when it sent rows of its parent again. */
  readonly retry?: boolean;
  /** Of a run of several steps: how each ended, or how far it came. */
  readonly steps?: readonly StepEnd[];
  /** Runs that carried out the actions of a reconciliation. */
  readonly actions?: readonly ActionEnd[];
  /** It was carried out in a sandbox filled from the platform: nothing of it took effect. */
  readonly rehearsal?: true;
}

/** What the ledger has of a run that ended. */
type RecordedEnd = Pick<
  Run,
  'id' | 'job' | 'operation' | 'connection' | 'kind' | 'rows' | 'items' | 'requests' | 'retries' | 'executeMs'
> &
  Partial<Pick<Run, 'planHash' | 'needsApproval'>>;

/**
 * The end of a run: what the ledger has of it, and what only whoever ended it knows. Every end is made here, so that
 * commands and the library print the same of a run however it ended.
 */
export function runEnd(
  run: RecordedEnd,
  sandbox: boolean,
  end: Pick<RunEnd, 'status' | 'counts' | 'exitCode'> & Partial<RunEnd>,
): RunEnd {
  const { id, job, operation, connection, kind, rows, items, requests, retries, executeMs } = run;
  const { planHash, needsApproval } = run;
  const sealed = {
    ...(planHash === undefined ? {} : { planHash }),
    ...(needsApproval ? { needsApproval } : {}),
  };
  const recorded = { job, operation, connection, kind, rows, items, requests, retries, executeMs, ...sealed };
  return { run: id, sandbox, ...recorded, ...end };
}

/** How a stage ended. Unless it completed, the run ends so too. */
export interface StageEnd {
  readonly status: RunStatus;
  readonly reason?: Message;
  /** Nothing of it was sent: it is kept as a plan, until somebody approves it. */
  readonly kept?: true;
  /** A fault of the program or its ledger, thrown again once the result is written. */
  readonly error?: unknown;
}

/** The end is not for this process to tell: another one has the run's lock, or nobody is there any more to hear of it. */
export class EndUntoldError extends ProductError {}

/** How a stage ends that a stop signal may have cut short. */
export function endOfStop({ cause }: StopSignal, run: string): StageEnd {
  switch (cause?.kind) {
    case undefined:
      return { status: 'completed' };
    case 'interrupted':
      return { status: 'interrupted', reason: message('run.interrupted', { run }) };
    case 'safety':
      return { status: 'stopped', reason: cause.reason };
    case 'abandoned':
      return { status: 'stopped', error: new EndUntoldError('internal', message('run.abandoned', { run })) };
    case 'error':
      return { status: 'stopped', error: cause.error };
  }
}

/** The exit code of a run whose result was written. */
export function exitCodeOf(end: {
  readonly status: RunStatus;
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  /** Rows held back because an earlier run left them unknown. */
  readonly heldUnknown: number;
  /** Earlier runs of the job were cut off and have unknown rows. */
  readonly doubts?: boolean;
}): number {
  const { counts } = end;
  if (end.status === 'interrupted') return EXIT.interrupted;
  if (end.status === 'invalid') return EXIT.input;
  if ((counts.unknown ?? 0) > 0 || end.heldUnknown > 0 || end.doubts) return EXIT.unknown;
  if (end.status === 'stopped') return EXIT.safety;
  const wrong = (counts.rejected ?? 0) + (counts.failed ?? 0) + (counts.invalid ?? 0);
  // In steps a row may end before the last one: its order was only taken, not yet confirmed.
  if ((counts.not_sent ?? 0) > 0) return EXIT.someRowsWrong;
  return wrong > 0 ? EXIT.someRowsWrong : EXIT.ok;
}
