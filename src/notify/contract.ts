import type { Language, Message } from '../errors/message.js';
import type { Notification } from '../model/notification.js';
import type { RunCounts } from '../model/run-outcome.js';
import type { Clock } from '../util/clock.js';

/** The end of a command that ran a job, whether there was a run of it or an error before there was one. */
export interface CommandEnd {
  readonly job: string;
  readonly operation: string;
  /** Name. */
  readonly connection: string;
  /** Absent when the command failed before the ledger had a run. */
  readonly run?: string;
  readonly exitCode: number;
  /** Start of the command (as for the summary's `durationMs`); milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** What `--json` prints of it. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** Nothing was tried, because an earlier run may not be resumed. Metrics ignore it: it says nothing about the job. */
  readonly refused?: boolean;
}

/** What metrics need of an ended run; times in milliseconds since 1970. */
interface RecordedRun {
  readonly id: string;
  readonly startedAt: number;
  /** Of one that was a kept plan: when that was taken to be sent. */
  readonly appliedAt?: number;
  readonly endedAt?: number;
  readonly exitCode?: number;
}

/** Sums over the ended runs of one job, connection and operation. */
export interface JobTotals {
  readonly job: string;
  readonly connection: string;
  readonly operation: string;
  /** Ended runs by exit code. */
  readonly runs: ReadonlyMap<number, number>;
  readonly requests: number;
  readonly retries: number;
  /** From start to end, over all of them, in milliseconds. */
  readonly durationMs: number;
  /** The newest of them. */
  readonly last: RecordedRun;
  /** End of the newest with exit code 0. */
  readonly lastSuccessAt?: number;
}

/** The part of a ledger that metrics are made from. */
export interface MetricsSource {
  readonly location: string;
  readonly runs: {
    totals(): Promise<readonly JobTotals[]>;
    counts(run: string): Promise<RunCounts>;
    get(run: string): Promise<RecordedRun | undefined>;
  };
  close(): Promise<void>;
}

/** Where metrics are written and what they are made from. */
export interface MetricsPlace {
  readonly file: string;
  /** Opens the ledger again: the run's own connection is closed by then. */
  readonly openLedger: () => Promise<MetricsSource>;
  /** A job whose command ended well without a run; an earlier failure without a run is over then. */
  readonly recovered?: Pick<CommandEnd, 'job' | 'operation' | 'connection'>;
}

/** Events of notifying. Of an address, only the host is told. */
export type AfterEvent =
  | { readonly event: 'warning'; readonly reason: Message }
  | { readonly event: 'notified'; readonly to: string; readonly attempts: number }
  | { readonly event: 'metrics_written'; readonly file: string };

export interface AfterRunOptions {
  /** Those of the job and of the connection. */
  readonly notify: readonly Notification[];
  readonly metrics?: MetricsPlace;
  /** Environment variables with credentials, which commands don't get. */
  readonly withheld: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly language: Language;
  readonly tell: (event: AfterEvent) => void;
  /** Called with each line that a command printed. */
  readonly printed?: (line: string) => void;
  /** Ends notifications in progress soon. */
  readonly signal: AbortSignal;
  /** Time limit of a webhook with its retries, in milliseconds; default 60 s. */
  readonly totalMs?: number;
}

/** The result of one notification. */
export type Delivery =
  | { readonly kind: 'told'; readonly to: string; readonly attempts: number }
  | { readonly kind: 'not_told'; readonly why: Message };
