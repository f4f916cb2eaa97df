import { type Message, message } from '../errors/message.js';
import type { Run } from '../ledger/contract/runs.js';
import { EndNotReportedError } from '../ledger/rules/run-states.js';
import { type ActionEnd, EXIT, type RunCounts, type RunStatus, type StepEnd } from '../model/run-outcome.js';
import type { Status } from '../model/status.js';
import type { PageProblems } from '../pages/run-page.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { RowProblemKind } from './report/problem-kinds.js';
import type { StayingRow } from './revert/reversal-lines.js';

/** The end of a run, as commands print it (contract section 7). */
export interface RunEnd {
  readonly run: string;
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
  readonly sandbox: boolean;
  readonly status: RunStatus;
  readonly rows: number;
  /** Items that the plan created from the rows. */
  readonly items: number;
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  /** Distinct lookups that planning requested; absent if the job has none. */
  readonly lookups?: number | undefined;
  readonly output?: string;
  readonly executeMs: number;
  readonly exitCode: number;
  /** The exit code by the run's own rows, if unknown rows of an earlier cut-off run changed `exitCode`. */
  readonly ownExitCode?: number;
  /** Why it stopped, or what the user should do next. */
  readonly reason?: Message;
  readonly kind: Run['kind'];
  /** All warnings since the run was planned, each once. */
  readonly warnings?: readonly Message[];
  /** The problems of the rows, by kind. */
  readonly problems?: readonly RowProblemKind[];
  /** The run whose rows this one sent again, or the reconciliation whose action it was. */
  readonly parent?: string;
  /** For a stored plan: the digest of everything that it would send, and of its sources. */
  readonly planHash?: string;
  /** It may only be sent with an approval of that hash. */
  readonly needsApproval?: true;
  /** Rows with differences in a comparison; limited. */
  readonly drift?: PageProblems;
  /** The run that it reverts. */
  readonly reverts?: string;
  /** Rows of that run that are not reverted, each with its reason; set when the plan is created. */
  readonly stays?: readonly StayingRow[];
  /** Where the input was moved to, if it came from an input folder. */
  readonly movedTo?: string;
  /** True when it sent rows of its parent again. */
  readonly retry?: boolean;
  /** For a run of several steps: the end of each step, or its progress. */
  readonly steps?: readonly StepEnd[];
  /** The runs of a reconciliation's actions. */
  readonly actions?: readonly ActionEnd[];
  /** Executed in a sandbox filled from the platform: nothing took effect. */
  readonly rehearsal?: true;
}

/** The data of an ended run in the ledger. */
type RecordedEnd = Pick<
  Run,
  'id' | 'job' | 'operation' | 'connection' | 'kind' | 'rows' | 'items' | 'requests' | 'retries' | 'executeMs'
> &
  Partial<Pick<Run, 'planHash' | 'needsApproval'>>;

/**
 * The end of a run: its data in the ledger, and what only the process that ended it knows. All ends are created here,
 * so that commands and the library print the same.
 */
export function runEnd(
  run: RecordedEnd,
  sandbox: boolean,
  end: Pick<RunEnd, 'status' | 'counts' | 'exitCode'> & Partial<RunEnd>,
): RunEnd {
  const { id, job, operation, connection, kind, rows, items, requests, retries, executeMs } = run;
  const { planHash, needsApproval } = run;
  const sealed = { planHash, needsApproval: needsApproval || undefined };
  const recorded = { job, operation, connection, kind, rows, items, requests, retries, executeMs, ...sealed };
  return { run: id, sandbox, ...recorded, ...end };
}

/** The end of a stage. Unless it completed, the run ends in the same way. */
export interface StageEnd {
  readonly status: RunStatus;
  readonly reason?: Message;
  /** Nothing was sent: the run is stored as a plan until it is approved. */
  readonly waitsForApproval?: true;
  /** An error of the program or its ledger, thrown again after the result is written. */
  readonly error?: unknown;
}

/** The end of a stage that may have been stopped. */
export function endOfStop({ cause }: StopSignal, run: string): StageEnd {
  switch (cause?.kind) {
    case undefined:
      return { status: 'completed' };
    case 'interrupted':
      return { status: 'interrupted', reason: message('run.interrupted', { run }) };
    case 'safety':
      return { status: 'stopped', reason: cause.reason };
    case 'abandoned':
      return {
        status: 'stopped',
        error: new EndNotReportedError('internal', message('run.abandoned', { run })),
      };
    case 'error':
      return { status: 'stopped', error: cause.error };
  }
}

/** The exit code of a run whose result was written. */
export function exitCodeOf(end: {
  readonly status: RunStatus;
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  /** Rows withheld because an earlier run left them unknown. */
  readonly heldUnknown: number;
  /** Earlier runs of the job were cut off and have unknown rows. */
  readonly hasUncertainRuns?: boolean;
}): number {
  const { counts } = end;
  if (end.status === 'interrupted') return EXIT.interrupted;
  if (end.status === 'invalid') return EXIT.input;
  if ((counts.unknown ?? 0) > 0 || end.heldUnknown > 0 || end.hasUncertainRuns) return EXIT.unknown;
  if (end.status === 'stopped') return EXIT.safety;
  const wrong = (counts.rejected ?? 0) + (counts.failed ?? 0) + (counts.invalid ?? 0);
  // In a run of several steps a row may end before the last one: its order was accepted but not confirmed.
  if ((counts.not_sent ?? 0) > 0) return EXIT.someRowsWrong;
  return wrong > 0 ? EXIT.someRowsWrong : EXIT.ok;
}
