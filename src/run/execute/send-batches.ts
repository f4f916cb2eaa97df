import pLimit, { type LimitFunction } from 'p-limit';
import type { PendingBatch } from '../../ledger/contract/execution.js';
import type { Status } from '../../model/status.js';
import type { RunObserver } from '../observer.js';
import { BatchCarrier, type BatchEnd, type CarrierParts } from './batch-carrier.js';
import { type FailureWatch, OwnFailures } from './failure-watch.js';

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
 * Sends the planned batches, at most `run.concurrency` and the connection's `maxInFlight` at a time, pulled from the
 * ledger in windows so that a million planned batches are never held in memory. Returns when all are settled or the run
 * was stopped and what was in flight has ended; with `most`, also when batches of that many items were carried out.
 */
export async function sendBatches(
  parts: CarrierParts,
  observer: RunObserver,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { ledger, run, job, connection } = parts;
  const slots = Math.min(job.run.concurrency, connection.maxInFlight ?? Number.POSITIVE_INFINITY);
  const { items: total } = await ledger.execution.remaining(run);
  const tally: Tally = { done: 0, requests: 0, retries: 0, inFlight: 0, counts: {} };
  let after = 0;
  let taken = 0;
  await sendFrom(parts, {
    limit: pLimit(slots),
    window: slots * WINDOW_PER_SLOT,
    watch: new OwnFailures(parts),
    next: async (limit) => {
      if (taken >= most) return [];
      const batches: PendingBatch[] = [];
      for (const batch of await ledger.execution.pending(run, after, limit)) {
        if (taken >= most) break;
        taken += batch.items.length;
        after = batch.batch;
        batches.push(batch);
      }
      return batches;
    },
    began: () => {
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

/** Where batches come from, and who is told what became of them. */
export interface Sending {
  /** Shared by all whose requests count together. */
  readonly limit: LimitFunction;
  /** So many may wait for their turn. */
  readonly window: number;
  readonly watch: FailureWatch;
  /** The next ones, at most so many; none: there are no more. May wait, but not once the run stops. */
  next(limit: number): Promise<readonly PendingBatch[]>;
  began?(): void;
  ended?(): void;
  /** All of what a batch came to is in the ledger. */
  kept?(batch: PendingBatch, end: BatchEnd): void;
}

/** Sends what comes. Returns when there is no more, or the run was stopped, and what was in flight has ended. */
export async function sendFrom(parts: CarrierParts, sending: Sending): Promise<void> {
  const { stop } = parts;
  const { limit, window: high, watch } = sending;
  const carrier = new BatchCarrier(parts);
  let wake = (): void => {};
  let waiting = 0;
  /** Batches of which not all is done. */
  let open = 0;
  // The ledger couldn't take an intent or an outcome: nothing more may be sent.
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
    sending.began?.();
    try {
      const end = await carrier.carry(batch);
      watch.saw(end);
      // Told once the ledger has it, while the next batch takes its place.
      void end.kept
        .then(() => sending.kept?.(batch, end))
        .catch(fail)
        .then(done);
    } catch (error) {
      fail(error);
      done();
    } finally {
      sending.ended?.();
    }
  };
  const until = async (over: () => boolean): Promise<void> => {
    while (!over()) {
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

  // Where the next ones can't be read, what is on its way is waited for too.
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
