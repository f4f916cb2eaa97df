import type { Language } from '../errors/message.js';
import type { DriftStatus } from '../model/comparison.js';
import type { Status } from '../model/status.js';

/** The data of a run's page. Times are milliseconds since 1970. */
export interface RunPage {
  readonly language: Language;
  readonly run: RunFacts;
  /** Rows by status, in the order of statuses, without zeros. */
  readonly counts: readonly StatusCount[];
  readonly messages: readonly StatusMessages[];
  readonly steps: readonly PageStep[];
  /** The steps of a multi-step run. */
  readonly parts?: readonly PagePart[];
  readonly figures: AttemptTotals;
  readonly problems: PageProblems;
  /** Warnings of the run; `warningsLeft`: number of warnings not listed. */
  readonly warnings: readonly string[];
  readonly warningsLeft: number;
}

export interface RunFacts {
  readonly id: string;
  readonly kind: 'run' | 'dry_run' | 'plan' | 'reconcile';
  /** `going`: the run has not ended. */
  readonly state: 'completed' | 'invalid' | 'stopped' | 'interrupted' | 'cut_off' | 'going';
  readonly job: string;
  readonly jobFile: string;
  readonly operation: string;
  readonly connection: string;
  readonly sandbox: boolean;
  /** A rehearsal, executed in a sandbox with data from the platform. */
  readonly rehearsal?: boolean;
  /** IANA name of the time zone of the page's times. */
  readonly timezone: string;
  /** The run that this one retries, whose step it is, or whose action it executes. */
  readonly parent?: { readonly id: string; readonly as: 'retry' | 'step' | 'action' };
  readonly inputFile: string;
  readonly inputSha256: string;
  /** The result workbook, if there is one. */
  readonly output?: string;
  readonly startedAt: number;
  /** When a stored plan was sent. */
  readonly appliedAt?: number;
  readonly endedAt?: number;
  /** Time spent sending, including resumes. */
  readonly executeMs: number;
  readonly requests: number;
  readonly retries: number;
  readonly items: number;
  /** Why the run stopped. */
  readonly reason?: string;
  /** Version of the program that created the page, and when. */
  readonly version: string;
  readonly madeAt: number;
}

/** Status of a run's row or of a compared row. */
export type PageStatus = Status | DriftStatus;

interface StatusCount {
  readonly status: PageStatus;
  readonly rows: number;
}

/** Messages of the rows with one status, the most frequent first. A row with several messages is counted for each. */
export interface StatusMessages {
  readonly status: Status;
  readonly rows: number;
  readonly groups: readonly MessageGroup[];
  /** Number of messages not listed. */
  readonly others: number;
}

interface MessageGroup {
  /** Parts that differ between rows are replaced by `…`. */
  readonly text: string;
  readonly code?: string;
  readonly rows: number;
  readonly firstRow: number;
}

/** A step of a multi-step run. */
export interface PagePart {
  readonly name: string;
  readonly operation: string;
  /** The step's run; absent before it has started. */
  readonly run?: string;
  readonly counts: readonly StatusCount[];
  readonly requests: number;
}

/** A recommended action and its commands. */
export interface PageStep {
  readonly text: string;
  readonly commands: readonly string[];
}

export interface AttemptTotals {
  /** Results of attempts, the most frequent first. */
  readonly kinds: readonly AttemptKind[];
  /** Absent if no attempt has ended. */
  readonly timeline?: Timeline;
  /** Over all attempts that were sent. */
  readonly latency?: Latency;
}

export interface AttemptKind {
  /** `reply`, `timeout`, `refused`, …; `open` if the attempt has not ended. */
  readonly event: string;
  readonly httpStatus?: number;
  /** Whether the request was sent; absent if unknown. */
  readonly sent?: boolean;
  readonly attempts: number;
  /** Items that got their outcome from these attempts. */
  readonly settled: number;
}

/** Bins of time, ascending; long pauses are omitted. */
export type Timeline = readonly TimelineBin[];

export interface TimelineBin {
  readonly from: number;
  /** Width of the bin in milliseconds. */
  readonly ms: number;
  /** Length of the omitted pause before the bin. */
  readonly pauseMs?: number;
  /** Attempts that ended in the bin: `answered` with HTTP 2xx, `others` without. */
  readonly answered: number;
  readonly others: number;
  /** Items that got their outcome in the bin. */
  readonly settled: number;
  readonly latency?: Latency;
}

/** Milliseconds from an attempt's intent to its end. */
export interface Latency {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

export interface PageProblems {
  /** Rows that need attention, by ascending number. */
  readonly rows: readonly PageProblem[];
  /** Rows not listed, by status. */
  readonly left: readonly StatusCount[];
}

export interface PageProblem {
  /** Absent for a record without a row. */
  readonly row?: number;
  readonly status: PageStatus;
  readonly code?: string;
  readonly message: string;
  readonly licenseOrderId?: string;
}
