import type { Message } from '../errors/message.js';
import type { ItemStatus } from '../model/item.js';
import type { Status } from '../model/status.js';
import type { PauseEvent } from '../platform/client/request-gate.js';

type ItemCounts = Readonly<Partial<Record<ItemStatus, number>>>;

/** One event of the run log. Contains no customer data, only numbers, codes and ids. */
export type RunEvent = { readonly run: string } & (
  | {
      readonly event: 'run_started' | 'run_resumed';
      readonly job: string;
      readonly operation: string;
      readonly connection: string;
      readonly kind: string;
    }
  | {
      readonly event: 'plan_finished';
      readonly rows: number;
      readonly items: number;
      readonly batches: number;
    }
  | AttemptEntry
  /** Before a retry. */
  | { readonly event: 'waiting'; readonly batch: number; readonly attempt: number; readonly waitMs: number }
  | PauseEntry
  | {
      readonly event: 'stopping';
      readonly cause: 'interrupted' | 'safety' | 'abandoned' | 'error';
      readonly reason?: Message;
    }
  | { readonly event: 'warning'; readonly reason: Message }
  | {
      readonly event: 'report_written';
      readonly output: string;
      readonly rows: number;
      readonly counts: Readonly<Partial<Record<Status, number>>>;
    }
  | { readonly event: 'report_failed'; readonly reason: Message }
  | {
      readonly event: 'run_ended';
      readonly status: string;
      readonly exitCode: number;
      readonly requests: number;
      readonly retries: number;
      readonly executeMs: number;
    }
  | WorkerEntry
);

/** Events of a worker. A chunk is a sequence of consecutive batches of a run. */
type WorkerEntry =
  | {
      readonly event: 'chunk_taken';
      readonly chunk: number;
      /** Token of the chunk's lease. */
      readonly token: number;
      readonly first: number;
      readonly last: number;
      readonly job: string;
      readonly operation: string;
      readonly connection: string;
      /** Set after a takeover from a worker with an expired lease: the number of attempts that became unknown. */
      readonly unknown?: number;
    }
  /** `done`: the whole chunk; `given_back`: other workers continue; `lost`: another worker took it over. */
  | {
      readonly event: 'chunk_ended';
      readonly chunk: number;
      readonly first: number;
      readonly last: number;
      readonly how: 'done' | 'given_back' | 'lost';
    }
  /** A reply that arrived after another worker had taken over the chunk. */
  | {
      readonly event: 'late_reply';
      readonly batch: number;
      readonly attempt: number;
      /** Items that got their outcome from it, after the takeover had left them unknown. */
      readonly settled: number;
    }
  /** The sweep released a chunk of a worker without a heartbeat; `unknown` of its attempts became unknown. */
  | {
      readonly event: 'chunk_freed';
      readonly chunk: number;
      readonly from: string;
      readonly job: string;
      readonly operation: string;
      readonly connection: string;
      readonly unknown: number;
    }
  /** This worker ended the run's last batch. */
  | { readonly event: 'run_concluded'; readonly status: string; readonly exitCode: number };

interface AttemptEntry {
  readonly event: 'attempt';
  readonly batch: number;
  /** Counted from 1 within the batch. */
  readonly attempt: number;
  readonly nonce: string;
  readonly httpStatus?: number;
  /** `reply`, `timeout`, `reset`, `refused`, … as in the ledger. */
  readonly outcome: string;
  /** Whether request headers were sent. */
  readonly sent: boolean;
  readonly durationMs: number;
  readonly items: number;
  /** Outcomes that the attempt gave its items, by status. Its other items are sent again. */
  readonly settled: ItemCounts;
}

/** The platform requested that all requests wait. */
interface PauseEntry {
  readonly event: 'paused';
  readonly httpStatus: number;
  /** The value of `Retry-After`, if there was one. */
  readonly retryAfterMs?: number;
  readonly waitMs: number;
}

/** @param now milliseconds since 1970 */
export function pauseEvent(run: string, { asked, until }: PauseEvent, now: number): RunEvent {
  return { run, event: 'paused', ...asked, waitMs: Math.max(0, Math.round(until - now)) };
}

/** Receives the run's events in order. Never throws and never waits, because a log must not harm the run. */
export interface RunLog {
  add(event: RunEvent): void;
}

export function countItems(outcomes: Iterable<{ readonly status: ItemStatus }>): ItemCounts {
  const counts: Partial<Record<ItemStatus, number>> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
