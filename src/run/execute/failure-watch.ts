import { type Message, message } from '../../errors/message.js';
import type { FailureTally } from '../../ledger/contract/queue.js';
import type { Job } from '../../model/job.js';
import type { ItemOutcome } from '../../model/outcome.js';
import type { StopSignal } from '../../util/stop-signal.js';
import { EndUntoldError } from '../run-end.js';
import type { BatchEnd } from './batch-carrier.js';

const SAME_REFUSALS = 3;

export const NO_FAILURES: FailureTally = { failures: 0, streak: '', streakLength: 0 };

/** Of a batch, what tells whether a run gets anywhere. */
export type CountedEnd = Pick<BatchEnd, 'outcomes' | 'streak'>;

/** The failures in a row after one more batch, whoever sent it; the same where nothing came of that one. */
export function countFailure(before: FailureTally, { outcomes, streak }: CountedEnd): FailureTally {
  if (outcomes.length === 0) return before;
  return {
    failures: outcomes.some(wentWrong) ? before.failures + 1 : 0,
    streak: streak ?? '',
    streakLength: streak === undefined ? 0 : streak === before.streak ? before.streakLength + 1 : 1,
  };
}

/** Why a run with so many failures in a row must not go on: doubtful batches, or the same refusal again and again. */
export function tooManyFailures(
  tally: FailureTally,
  { outcomes }: CountedEnd,
  { run, job }: { readonly run: string; readonly job: Job },
): Message | undefined {
  if (tally.failures >= job.run.stopAfterFailures) {
    const why = outcomes.find(wentWrong)?.message ?? '-';
    return message('run.too_many_failures', { count: tally.failures, why, run });
  }
  if (tally.streakLength >= SAME_REFUSALS) return message('run.same_refusal', { what: tally.streak, run });
  return undefined;
}

function wentWrong(outcome: ItemOutcome): boolean {
  return outcome.status === 'failed' || outcome.status === 'unknown';
}

/** Is told of every batch that ended, and stops a run that gets nowhere. */
export interface FailureWatch {
  saw(end: BatchEnd): void;
}

/** Watches what one process sends by itself. */
export class OwnFailures implements FailureWatch {
  readonly #parts: { readonly run: string; readonly job: Job; readonly stop: StopSignal };
  #tally = NO_FAILURES;

  constructor(parts: { readonly run: string; readonly job: Job; readonly stop: StopSignal }) {
    this.#parts = parts;
  }

  saw(end: BatchEnd): void {
    const { stop, run } = this.#parts;
    if (end.refused)
      stop.stop({ kind: 'error', error: new EndUntoldError('internal', message('run.lock_lost', { run })) });
    if (end.stopped) stop.stop({ kind: 'safety', reason: end.stopped });
    this.#tally = countFailure(this.#tally, end);
    const reason = end.outcomes.length > 0 && tooManyFailures(this.#tally, end, this.#parts);
    if (reason) stop.stop({ kind: 'safety', reason });
  }
}
