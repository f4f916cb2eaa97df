import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { UNDER_WAY } from '../../model/run-outcome.js';
import type { Run, RunState } from '../contract/runs.js';

/**
 * Allowed transitions between states; a state may also be written again. A finished run is never continued: a process that still
 * works on it has been overtaken. No state leads back to `planning`, which discards the plan.
 */
const FOLLOWED_BY: Readonly<Record<RunState, readonly RunState[]>> = {
  // A reconciliation has no other stage.
  planning: ['planned', 'stopped', 'interrupted', 'completed', 'invalid'],
  planned: ['queued', 'executing', 'stopped', 'interrupted', 'executed', 'completed', 'invalid'],
  queued: ['executing', 'stopped', 'interrupted', 'executed', 'completed'],
  executing: ['queued', 'stopped', 'interrupted', 'executed', 'completed'],
  stopped: ['queued', 'executing', 'interrupted', 'executed', 'completed', 'invalid'],
  interrupted: ['queued', 'executing', 'stopped', 'executed', 'completed', 'invalid'],
  executed: ['stopped', 'interrupted', 'completed', 'invalid'],
  completed: [],
  invalid: [],
};

export function mayFollow(before: RunState, after: RunState): boolean {
  return before === after || FOLLOWED_BY[before].includes(after);
}

/** Final states of a run. */
export const FINISHED: readonly RunState[] = ['completed', 'invalid'];

export function isFinished({ state }: Pick<Run, 'state'>): boolean {
  return FINISHED.includes(state);
}

/** States in which a run that sends or compares is executed by a process or workers, or is cut off. */
export const NEEDS_PROCESS: readonly RunState[] = UNDER_WAY;

/** Which data of an earlier end a new state clears. */
export function forgetsAt(state: RunState): { readonly reason: boolean; readonly end: boolean } {
  return {
    reason: state !== 'stopped' && state !== 'interrupted' && state !== 'invalid',
    end: state === 'planning' || state === 'queued' || state === 'executing',
  };
}

/** This process must not report the end: another process has the run's lock, or the reader of the output has exited. */
export class EndNotReportedError extends ProductError {}

/** Another process has taken the lock of a run since this one took it. Nothing of the failed write was kept. */
export class LockLost extends EndNotReportedError {
  constructor(run: string) {
    super('internal', message('run.lock_lost', { run }));
  }
}

/** The lock under which a worker plans the next step of a run of several steps. */
export function stepsLock(run: string): string {
  return `steps of ${run}`;
}

/** The run is no longer queued for this turn: the process that was ending it has been overtaken. Nothing was changed. */
export class TurnPassed extends ProductError {
  constructor() {
    super('internal', message('ledger.turn_passed'));
  }
}

/**
 * True for a plan that was applied and refused (by a limit, a missing confirmation, a missing token) before its first request.
 * By its state nothing was sent and no process works on it. To rely on this, check again under the run's lock.
 */
export function isRefusedApply({ kind, state, appliedAt, requests, prunedAt, awaitsApproval }: Run): boolean {
  const ended = state === 'stopped' || state === 'interrupted';
  if (kind !== 'run' || appliedAt === undefined || awaitsApproval) return false;
  return ended && requests === 0 && prunedAt === undefined;
}

/** Excludes runs that a user interrupted and resumes. The run is still shown as a plan. */
export function isRefusedPlan(run: Run): boolean {
  return run.state === 'stopped' && isRefusedApply(run);
}
