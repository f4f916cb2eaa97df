import type { FailureTally } from '../ledger/contract/queue.js';
import type { Job } from '../model/job.js';
import type { BatchEnd } from '../run/execute/batch-carrier.js';
import {
  type CountedEnd,
  countFailure,
  type FailureWatch,
  NO_FAILURES,
  tooManyFailures,
} from '../run/execute/failure-watch.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { WorkerServices } from './contract.js';

/**
 * Counts failures in a row over all workers of a run, by the rule that holds for one process. Where nobody has any, a
 * batch that went well changes nothing and costs nothing.
 */
export class SharedFailures implements FailureWatch {
  readonly #services: Pick<WorkerServices, 'ledger'>;
  readonly #of: { readonly run: string; readonly job: Job; readonly stop: StopSignal };
  /** As last heard of. */
  #known = NO_FAILURES;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    services: Pick<WorkerServices, 'ledger'>,
    of: { readonly run: string; readonly job: Job; readonly stop: StopSignal },
  ) {
    this.#services = services;
    this.#of = of;
  }

  heard(tally: FailureTally): void {
    this.#known = tally;
  }

  saw(end: BatchEnd): void {
    const { stop, run } = this.#of;
    if (end.stopped) {
      stop.stop({ kind: 'safety', reason: end.stopped });
      void this.#services.ledger.queue.stop(run, { kind: 'safety', reason: end.stopped }).catch(() => {});
    }
    if (end.outcomes.length === 0 || same(countFailure(this.#known, end), this.#known)) return;
    // One after the other: what is counted here must come in the order in which it happened here.
    this.#writing = this.#writing.then(() => this.#count(end)).catch(() => {});
  }

  async #count(end: CountedEnd): Promise<void> {
    const { stop, run } = this.#of;
    const { queue } = this.#services.ledger;
    this.#known = await queue.work.tally(run, (before) => countFailure(before, end));
    const reason = tooManyFailures(this.#known, end, this.#of);
    if (!reason) return;
    stop.stop({ kind: 'safety', reason });
    await queue.stop(run, { kind: 'safety', reason });
  }
}

function same(one: FailureTally, other: FailureTally): boolean {
  return (
    one.failures === other.failures && one.streak === other.streak && one.streakLength === other.streakLength
  );
}
