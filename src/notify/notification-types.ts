import type { Language, Message } from '../errors/message.js';
import type { Notification } from '../model/connection.js';
import type { RunCounts } from '../model/run-outcome.js';
import type { Clock } from '../util/clock.js';

/** The end of a command that ran a job, with a run, or with an error before there was one. */
export interface CommandEnd {
  readonly job: string;
  readonly operation: string;
  /** Name. */
  readonly connection: string;
  /** Absent if the command failed before the ledger had a run. */
  readonly run?: string;
  readonly exitCode: number;
  /** Start of the command (as for the summary's `durationMs`); milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The object that `--json` prints. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** Nothing was tried, because an earlier run may not be resumed. Metrics ignore it. */
  readonly refused?: boolean;
}

/** What metrics need of an ended run; times in milliseconds since 1970. */
interface RecordedRun {
  readonly id: string;
  readonly startedAt: number;
  /** For a stored plan: when it was applied. */
  readonly appliedAt?: number;
  readonly endedAt?: number;
  readonly exitCode?: number;
}

/** Totals of the ended runs of one job, connection and operation. */
export interface JobTotals {
  readonly job: string;
  readonly connection: string;
  readonly operation: string;
  /** Ended runs by exit code. */
  readonly runs: ReadonlyMap<number, number>;
  readonly requests: number;
  readonly retries: number;
  /** Total time from start to end, in milliseconds. */
  readonly durationMs: number;
  /** The newest of them. */
  readonly last: RecordedRun;
  /** End of the newest with exit code 0. */
  readonly lastSuccessAt?: number;
}

/** The part of a ledger that metrics are computed from. */
export interface MetricsSource {
  readonly location: string;
  readonly runs: {
    totals(): Promise<readonly JobTotals[]>;
    counts(run: string): Promise<RunCounts>;
    get(run: string): Promise<RecordedRun | undefined>;
  };
  close(): Promise<void>;
}

/** The metrics file and its source. */
export interface MetricsPlace {
  readonly file: string;
  /** Opens the ledger again: the run's own connection is closed by then. */
  readonly openLedger: () => Promise<MetricsSource>;
  /** A job whose command succeeded without a run, which clears an earlier failure without a run. */
  readonly recovered?: Pick<CommandEnd, 'job' | 'operation' | 'connection'>;
}

/** Events of notifications. Addresses are reduced to the host. */
export type NotificationEvent =
  | { readonly event: 'warning'; readonly reason: Message }
  | { readonly event: 'notified'; readonly to: string; readonly attempts: number }
  | { readonly event: 'metrics_written'; readonly file: string };

export interface AfterRunOptions {
  /** Notifications of the job and of the connection. */
  readonly notify: readonly Notification[];
  readonly metrics?: MetricsPlace;
  /** Environment variables with credentials, which commands do not receive. */
  readonly withheld: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly language: Language;
  readonly onEvent: (event: NotificationEvent) => void;
  /** Called with each line that a command printed. */
  readonly printed?: (line: string) => void;
  /** If aborted, notifications in progress end soon. */
  readonly signal: AbortSignal;
  /** Time limit of a webhook with its retries, in milliseconds; default 60 s. */
  readonly totalMs?: number;
}

/** The result of one notification. */
export type Delivery =
  | { readonly kind: 'delivered'; readonly to: string; readonly attempts: number }
  | { readonly kind: 'failed'; readonly why: Message };
