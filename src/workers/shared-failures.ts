import type { Message } from '../errors/message.js';
import type { Counted, FailureTally } from '../ledger/contract/queue.js';
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
  readonly #of: { readonly run: string; readonly turn: number; readonly job: Job; readonly stop: StopSignal };
  /** As last heard of. */
  #known = NO_FAILURES;
  /** Ended, and not counted yet. */
  #ended: CountedEnd[] = [];
  #counting = false;

  constructor(
    services: Pick<WorkerServices, 'ledger'>,
    of: { readonly run: string; readonly turn: number; readonly job: Job; readonly stop: StopSignal },
  ) {
    this.#services = services;
    this.#of = of;
  }

  heard(tally: FailureTally): void {
    this.#known = tally;
  }

  saw(end: BatchEnd): void {
    if (end.stopped) {
      // What can't be told now is told once the chunk is given back.
      this.#stop(end.stopped).catch(() => {});
    }
    if (end.outcomes.length === 0) return;
    if (!this.#counting && same(countFailure(this.#known, end), this.#known)) return;
    this.#ended.push(end);
    if (!this.#counting) void this.#count();
  }

  /** Counts what has ended here, in the order in which it did; what ends meanwhile is counted together afterwards. */
  async #count(): Promise<void> {
    const { run, turn } = this.#of;
    const { queue } = this.#services.ledger;
    this.#counting = true;
    while (this.#ended.length > 0) {
      const ends = this.#ended.splice(0);
      // The first that is too many counts, whatever followed it.
      let why: Message | undefined;
      const next = (before: FailureTally): Counted => {
        why = undefined;
        const tally = ends.reduce((sum, end) => {
          const after = countFailure(sum, end);
          why ??= tooManyFailures(after, end, this.#of);
          return after;
        }, before);
        return { tally, ...(why ? { stop: { kind: 'safety', reason: why } } : {}) };
      };
      try {
        this.#known = await queue.work.tally(run, next, turn);
        if (why) this.#of.stop.stop({ kind: 'safety', reason: why });
      } catch {
        // The ledger is away: nothing is sent, and what ended is counted by nobody.
      }
    }
    this.#counting = false;
  }

  async #stop(reason: Message): Promise<void> {
    const { stop, run, turn } = this.#of;
    stop.stop({ kind: 'safety', reason });
    await this.#services.ledger.queue.stop(run, { kind: 'safety', reason }, turn);
  }
}

function same(one: FailureTally, other: FailureTally): boolean {
  return (
    one.failures === other.failures && one.streak === other.streak && one.streakLength === other.streakLength
  );
}
