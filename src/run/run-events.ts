import type { Message } from '../errors/message.js';
import type { ItemStatus } from '../model/outcome.js';
import type { Status } from '../model/status.js';
import type { PauseNews } from '../platform/client/request-gate.js';

type ItemCounts = Readonly<Partial<Record<ItemStatus, number>>>;

/** One event of the run log. Holds no customer data, only numbers, codes and ids. */
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
  | {
      readonly event: 'waiting';
      readonly batch: number;
      readonly attempt: number;
      readonly waitMs: number;
    }
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

/** What a worker did with a run's work; a chunk is a piece of it, batches that follow one another. */
type WorkerEntry =
  | {
      readonly event: 'chunk_taken';
      readonly chunk: number;
      /** Of its lease. */
      readonly token: number;
      readonly first: number;
      readonly last: number;
      readonly job: string;
      readonly operation: string;
      readonly connection: string;
      /** It was taken over from one whose lease had expired; that many of its attempts became unknown. */
      readonly unknown?: number;
    }
  /** `done`: all of it; `given_back`: the rest is for others; `lost`: another one has taken it over. */
  | {
      readonly event: 'chunk_ended';
      readonly chunk: number;
      readonly first: number;
      readonly last: number;
      readonly how: 'done' | 'given_back' | 'lost';
    }
  /** A reply that came after another worker had taken the chunk over. */
  | {
      readonly event: 'late_reply';
      readonly batch: number;
      readonly attempt: number;
      /** Items that it settled, which the takeover had left unknown. */
      readonly settled: number;
    }
  /** The sweep freed a chunk of a worker that wasn't heard of; that many of its attempts became unknown. */
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
  /** Whether request headers had left. */
  readonly sent: boolean;
  readonly durationMs: number;
  readonly items: number;
  /** Outcomes that the attempt gave its items, by status. Its other items are sent again. */
  readonly settled: ItemCounts;
}

/** The platform asked everybody to wait. */
interface PauseEntry {
  readonly event: 'paused';
  readonly httpStatus: number;
  /** `Retry-After`, where it named one. */
  readonly retryAfterMs?: number;
  readonly waitMs: number;
}

/** `now`: milliseconds since 1970, as in the news. */
export function pauseEvent(run: string, { asked, until }: PauseNews, now: number): RunEvent {
  return { run, event: 'paused', ...asked, waitMs: Math.max(0, Math.round(until - now)) };
}

/** Takes the run's events in order. Never throws and never waits: a log must not harm the run. */
export interface RunLog {
  add(event: RunEvent): void;
}

/** How many outcomes there are of each status. */
export function countItems(outcomes: Iterable<{ readonly status: ItemStatus }>): ItemCounts {
  const counts: Partial<Record<ItemStatus, number>> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
