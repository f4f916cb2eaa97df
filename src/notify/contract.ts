import type { Language, Message } from '../errors/message.js';
import type { Notification } from '../model/notification.js';
import type { RunCounts } from '../model/run-outcome.js';
import type { Clock } from '../util/clock.js';

/** A run that is over, or a command that was to carry one and ended by an error before there was any. */
export interface CommandEnd {
  readonly job: string;
  readonly operation: string;
  /** Name. */
  readonly connection: string;
  /** Absent when the command ended before the ledger had a run. */
  readonly run?: string;
  readonly exitCode: number;
  /** Of the command, as `durationMs` of the summary is; milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** What `--json` prints of it. */
  readonly summary: Readonly<Record<string, unknown>>;
  /**
   * Nothing was tried: a run of before that was not to be taken up. Says nothing about how the job fares, so metrics
   * leave it out.
   */
  readonly refused?: boolean;
}

/** What a run left behind, as far as metrics tell it; times in milliseconds since 1970. */
export interface RecordedRun {
  readonly id: string;
  readonly startedAt: number;
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

/** Where metrics go and what they are made from. */
export interface MetricsPlace {
  readonly file: string;
  /** Opens the ledger once more: the run's own was closed before anything followed. */
  readonly openLedger: () => Promise<MetricsSource>;
  /** A job whose command ended well without a run: what went wrong before there was one is over. */
  readonly recovered?: Pick<CommandEnd, 'job' | 'operation' | 'connection'>;
}

/** What is told about following up a run: never more of an address than its host. */
export type AfterEvent =
  | { readonly event: 'warning'; readonly reason: Message }
  | { readonly event: 'notified'; readonly to: string; readonly attempts: number }
  | { readonly event: 'metrics_written'; readonly file: string };

export interface AfterRunOptions {
  /** Of the job and of the connection. */
  readonly notify: readonly Notification[];
  readonly metrics?: MetricsPlace;
  /** Environment variables that commands don't get to see: those that hold credentials. */
  readonly withheld: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly language: Language;
  readonly tell: (event: AfterEvent) => void;
  /** Takes a line that a command printed. */
  readonly printed?: (line: string) => void;
  /** Ends what is under way, soon. */
  readonly signal: AbortSignal;
  /** For all that a webhook takes, its retries too, in milliseconds; default 60 s. */
  readonly totalMs?: number;
}

/** What came of telling somebody. */
export type Delivery =
  | { readonly kind: 'told'; readonly to: string; readonly attempts: number }
  | { readonly kind: 'not_told'; readonly why: Message };
