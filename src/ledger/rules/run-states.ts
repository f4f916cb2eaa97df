import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { UNDER_WAY } from '../../model/under-way.js';
import type { Run, RunState } from '../contract/run.js';

/**
 * What a run's state may be followed by; each may be written again. A finished run is never taken up: whatever still
 * works on it has been overtaken. No state leads back to `planning`, which throws away what is planned.
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

/** States after which nothing more comes of a run. */
export const FINISHED: readonly RunState[] = ['completed', 'invalid'];

export function isFinished({ state }: Pick<Run, 'state'>): boolean {
  return FINISHED.includes(state);
}

/** States in which a run that sends or compares has a process or workers at work on it, or is cut off. */
export const NEEDS_PROCESS: readonly RunState[] = UNDER_WAY;

/** What a run forgets of how it ended before, when it comes to a state. */
export function forgetsAt(state: RunState): { readonly reason: boolean; readonly end: boolean } {
  return {
    reason: state !== 'stopped' && state !== 'interrupted' && state !== 'invalid',
    end: state === 'planning' || state === 'queued' || state === 'executing',
  };
}

/** A run left its turn in the queue: whoever was still ending it has been overtaken, and nothing was changed. */
export class TurnPassed extends ProductError {
  constructor() {
    super('internal', message('ledger.turn_passed'));
  }
}

/**
 * True for a plan that was applied and refused (by a limit, a missing confirmation, a missing token) before its first request.
 * Its state says that nothing was sent and that no process works on it; whether that is still so is decided under the run's lock.
 */
export function isRefusedApply({ kind, state, appliedAt, requests, prunedAt }: Run): boolean {
  const ended = state === 'stopped' || state === 'interrupted';
  return kind === 'run' && appliedAt !== undefined && ended && requests === 0 && prunedAt === undefined;
}

/** The same where it was refused, and not stopped by a person, who resumes it: it is still looked at as a plan. */
export function isRefusedPlan(run: Run): boolean {
  return run.state === 'stopped' && isRefusedApply(run);
}
