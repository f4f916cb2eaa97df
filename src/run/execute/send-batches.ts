import type { LimitFunction } from 'p-limit';
import pLimit from 'p-limit';
import { type Message, message } from '../../errors/message.js';
import type { PendingBatch } from '../../ledger/contract/execution.js';
import type { FailureTally } from '../../ledger/contract/queue.js';
import { LockLost } from '../../ledger/rules/run-states.js';
import type { ItemOutcome } from '../../model/item.js';
import type { Job } from '../../model/job.js';
import type { Status } from '../../model/status.js';
import type { RunObserver } from '../observer.js';
import { type BatchEnd, BatchSender, type BatchSenderParts } from './batch-sender.js';

/** Batches read from the ledger at a time, per request that may be in flight. */
const WINDOW_PER_SLOT = 4;

interface Tally {
  done: number;
  requests: number;
  retries: number;
  inFlight: number;
  readonly counts: Partial<Record<Status, number>>;
}

/**
 * Sends the planned batches with at most `run.concurrency` and the connection's `maxInFlight` requests in flight.
 * Batches are read from the ledger in windows, so a million of them are never in memory. Returns when all have an
 * outcome, when the run was stopped and no request is in flight, or when batches of at least `minItems` items were sent.
 */
export async function sendBatches(
  parts: BatchSenderParts,
  observer: RunObserver,
  minItems = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { ledger, run, job, connection } = parts;
  const slots = Math.min(job.run.concurrency, connection.maxInFlight ?? Number.POSITIVE_INFINITY);
  // The progress of a resumed run is that of the whole run.
  const { pending = 0, open = 0, ...finished } = await ledger.execution.itemCounts(run);
  const done = Object.values(finished).reduce((sum, count) => sum + count, 0);
  const total = done + pending + open;
  const tally: Tally = { done, requests: 0, retries: 0, inFlight: 0, counts: finished };
  let after = 0;
  let items = 0;
  await sendFrom(parts, {
    limit: pLimit(slots),
    window: slots * WINDOW_PER_SLOT,
    watch: ownFailures(parts),
    next: async (limit) => {
      if (items >= minItems) return [];
      const batches: PendingBatch[] = [];
      for (const batch of await ledger.execution.pending(run, after, limit)) {
        if (items >= minItems) break;
        items += batch.items.length;
        after = batch.batch;
        batches.push(batch);
      }
      return batches;
    },
    onStart: () => {
      tally.inFlight += 1;
    },
    ended: () => {
      tally.inFlight -= 1;
    },
    kept: (_, end) => {
      count(tally, end);
      observer.progress({ stage: 'execute', total, ...tally, counts: { ...tally.counts } });
    },
  });
}

interface Sending {
  /** Shared by all senders whose requests count together. */
  readonly limit: LimitFunction;
  /** Maximum number of batches waiting for a slot. */
  readonly window: number;
  readonly watch: FailureWatch;
  /** The next batches, at most `limit`; empty at the end. May wait, but not after the run was stopped. */
  next(limit: number): Promise<readonly PendingBatch[]>;
  onStart?(): void;
  ended?(): void;
  /** The outcomes of the batch are in the ledger. */
  kept?(batch: PendingBatch, end: BatchEnd): void;
}

/** Sends batches until there are none left or the run was stopped. Waits for the requests in flight. */
export async function sendFrom(parts: BatchSenderParts, sending: Sending): Promise<void> {
  const { stop } = parts;
  const { limit, window: high, watch } = sending;
  const sender = new BatchSender(parts);
  let wake = (): void => {};
  let waiting = 0;
  /** Batches that are not complete. */
  let open = 0;
  // The ledger could not store an intent or an outcome: nothing more may be sent.
  const fail = (error: unknown): void => stop.stop({ kind: 'error', error });
  const done = (): void => {
    open -= 1;
    if (open === 0) wake();
  };

  /** Never rejects. */
  const sendOne = async (batch: PendingBatch): Promise<void> => {
    waiting -= 1;
    if (waiting < high / 2) wake();
    if (stop.cause) return done();
    sending.onStart?.();
    try {
      const end = await sender.send(batch);
      if (!end.hasIdsToCompare) watch.saw(end);
      // Counted once it is in the ledger. Its slot is free for the next batch before that.
      void end.kept
        .then(() => {
          if (end.hasIdsToCompare) watch.saw(end);
          sending.kept?.(batch, end);
        })
        .catch(fail)
        .then(done);
    } catch (error) {
      fail(error);
      done();
    } finally {
      sending.ended?.();
    }
  };
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  const send = async (): Promise<void> => {
    while (!stop.cause) {
      const batches = await sending.next(high);
      if (batches.length === 0) break;
      for (const batch of batches) {
        waiting += 1;
        open += 1;
        void limit(sendOne, batch);
      }
      await until(() => waiting < high / 2 || stop.cause !== undefined);
    }
  };

  // Batches in flight are waited for even if the next ones cannot be read.
  const sent = await send().then(
    () => undefined,
    (error: unknown) => {
      fail(error);
      return { error };
    },
  );
  await until(() => open === 0);
  if (sent) throw sent.error;
}

function count(tally: Tally, end: BatchEnd): void {
  tally.requests += end.attempts;
  tally.retries += end.retries;
  tally.done += end.outcomes.length;
  for (const { status } of end.outcomes) tally.counts[status] = (tally.counts[status] ?? 0) + 1;
}

const SAME_REFUSALS = 3;

export const NO_FAILURES: FailureTally = { failures: 0, streak: '', streakLength: 0 };

/** The part of a batch's end that decides whether the run continues. */
export type CountedEnd = Pick<BatchEnd, 'outcomes' | 'streak'>;

/** The consecutive failures after one more batch, from any process. Unchanged if the batch has no outcome. */
export function countFailure(before: FailureTally, { outcomes, streak }: CountedEnd): FailureTally {
  if (outcomes.length === 0) return before;
  return {
    failures: outcomes.some(isFailure) ? before.failures + 1 : 0,
    streak: streak ?? '',
    streakLength: streak === undefined ? 0 : streak === before.streak ? before.streakLength + 1 : 1,
  };
}

/** Why a run with so many consecutive failures must stop: failed or unknown batches, or the same refusal repeatedly. */
export function tooManyFailures(
  tally: FailureTally,
  { outcomes }: CountedEnd,
  { run, job }: { readonly run: string; readonly job: Job },
): Message | undefined {
  if (tally.failures >= job.run.stopAfterFailures) {
    const why = outcomes.find(isFailure)?.message ?? '-';
    return message('run.too_many_failures', { count: tally.failures, why, run });
  }
  if (tally.streakLength >= SAME_REFUSALS) return message('run.same_refusal', { what: tally.streak, run });
  return undefined;
}

function isFailure(outcome: ItemOutcome): boolean {
  return outcome.status === 'failed' || outcome.status === 'unknown';
}

/** Receives every ended batch and stops a run that keeps failing. */
export interface FailureWatch {
  saw(end: BatchEnd): void;
}

/** Counts the failures of this process only. */
function ownFailures(parts: Pick<BatchSenderParts, 'run' | 'job' | 'stop'>): FailureWatch {
  const { stop, run } = parts;
  let tally = NO_FAILURES;
  return {
    saw(end) {
      if (end.refused) stop.stop({ kind: 'error', error: new LockLost(run) });
      if (end.stopped) stop.stop({ kind: 'safety', reason: end.stopped });
      tally = countFailure(tally, end);
      const reason = end.outcomes.length > 0 && tooManyFailures(tally, end, parts);
      if (reason) stop.stop({ kind: 'safety', reason });
    },
  };
}
