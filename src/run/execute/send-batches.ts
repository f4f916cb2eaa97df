import pLimit from 'p-limit';
import { message } from '../../errors/message.js';
import type { ItemOutcome } from '../../model/outcome.js';
import type { Status } from '../../model/status.js';
import type { RunObserver } from '../observer.js';
import { BatchCarrier, type BatchEnd, type CarrierParts } from './batch-carrier.js';

const SAME_REFUSALS = 3;
/** Batches taken from the ledger at a time, for each one that may be in flight. */
const WINDOW_PER_SLOT = 4;

interface Tally {
  done: number;
  requests: number;
  retries: number;
  inFlight: number;
  readonly counts: Partial<Record<Status, number>>;
}

/**
 * Sends the planned batches, at most `run.concurrency` at a time, pulled from the ledger in windows so that a
 * million planned batches are never held in memory. Returns when all are settled or the run was stopped and what
 * was in flight has ended; with `most`, also when batches of that many items were carried out.
 */
export async function sendBatches(
  parts: CarrierParts,
  observer: RunObserver,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { ledger, run, job, stop } = parts;
  const carrier = new BatchCarrier(parts);
  const limit = pLimit(job.run.concurrency);
  const high = job.run.concurrency * WINDOW_PER_SLOT;
  const { items: total } = await ledger.execution.remaining(run);
  const tally: Tally = { done: 0, requests: 0, retries: 0, inFlight: 0, counts: {} };
  const watch = new FailureWatch(parts);
  let wake = (): void => {};
  const running = new Set<Promise<void>>();

  const tell = (): void =>
    observer.progress({ stage: 'execute', total, ...tally, counts: { ...tally.counts } });
  // The ledger couldn't take an intent or an outcome: nothing more may be sent.
  const fail = (error: unknown): void => stop.stop({ kind: 'error', error });

  const sendOne = async (batch: Parameters<BatchCarrier['carry']>[0]): Promise<void> => {
    if (stop.cause) return;
    tally.inFlight += 1;
    try {
      const end = await carrier.carry(batch);
      watch.saw(end);
      keep(end);
    } catch (error) {
      fail(error);
    } finally {
      tally.inFlight -= 1;
    }
  };
  /** Counts what a batch came to once the ledger has it, while the next batch takes its place. */
  const keep = (end: BatchEnd): void => {
    const task: Promise<void> = end.kept
      .then(() => {
        count(tally, end);
        tell();
      }, fail)
      .finally(() => running.delete(task));
    running.add(task);
  };

  let after = 0;
  let taken = 0;
  while (!stop.cause && taken < most) {
    const batches = await ledger.execution.pending(run, after, high);
    if (batches.length === 0) break;
    for (const batch of batches) {
      if (taken >= most) break;
      taken += batch.items.length;
      after = batch.batch;
      const task: Promise<void> = limit(sendOne, batch).finally(() => {
        running.delete(task);
        if (limit.pendingCount < high / 2) wake();
      });
      running.add(task);
    }
    while (limit.pendingCount >= high / 2 && !stop.cause) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  while (running.size > 0) await Promise.all(running);
}

function count(tally: Tally, end: BatchEnd): void {
  tally.requests += end.attempts;
  tally.retries += end.retries;
  tally.done += end.outcomes.length;
  for (const { status } of end.outcomes) tally.counts[status] = (tally.counts[status] ?? 0) + 1;
}

/** Stops a run that gets nowhere: too many doubtful batches in a row, or the same refusal again and again. */
class FailureWatch {
  readonly #parts: CarrierParts;
  #failures = 0;
  #streak = '';
  #streakLength = 0;

  constructor(parts: CarrierParts) {
    this.#parts = parts;
  }

  saw(end: BatchEnd): void {
    const { stop, run, job } = this.#parts;
    if (end.stopped) stop.stop({ kind: 'safety', reason: end.stopped });
    if (end.outcomes.length === 0) return;
    this.#failures = end.outcomes.some(wentWrong) ? this.#failures + 1 : 0;
    if (this.#failures >= job.run.stopAfterFailures) {
      const why = end.outcomes.find(wentWrong)?.message ?? '-';
      const params = { count: this.#failures, why, run };
      stop.stop({ kind: 'safety', reason: message('run.too_many_failures', params) });
    }
    this.#streakLength = end.streak !== undefined && end.streak === this.#streak ? this.#streakLength + 1 : 1;
    this.#streak = end.streak ?? '';
    if (end.streak !== undefined && this.#streakLength >= SAME_REFUSALS) {
      stop.stop({ kind: 'safety', reason: message('run.same_refusal', { what: end.streak, run }) });
    }
  }
}

function wentWrong(outcome: ItemOutcome): boolean {
  return outcome.status === 'failed' || outcome.status === 'unknown';
}
