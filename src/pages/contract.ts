import type { Language } from '../errors/message.js';
import type { DriftStatus } from '../model/drift.js';
import type { Status } from '../model/status.js';

/** All that the page of one run shows. Times are milliseconds since 1970. */
export interface RunPage {
  readonly language: Language;
  readonly run: RunFacts;
  /** Rows by status, in the statuses' own order; those that occur. */
  readonly counts: readonly StatusCount[];
  /** Messages of the rows, by status. */
  readonly messages: readonly StatusMessages[];
  readonly steps: readonly PageStep[];
  /** Of a run of several steps: what each came to. */
  readonly parts?: readonly PagePart[];
  readonly figures: AttemptTotals;
  readonly problems: PageProblems;
  /** Warnings of the run as a whole, and how many are left out. */
  readonly warnings: readonly string[];
  readonly warningsLeft: number;
}

export interface RunFacts {
  readonly id: string;
  readonly kind: 'run' | 'dry_run' | 'plan' | 'reconcile';
  /** Its state; `going`: it has not ended. */
  readonly state: 'completed' | 'invalid' | 'stopped' | 'interrupted' | 'cut_off' | 'going';
  readonly job: string;
  readonly jobFile: string;
  readonly operation: string;
  readonly connection: string;
  readonly sandbox: boolean;
  /** It was carried out in a sandbox filled from the platform, to see what would come of it. */
  readonly rehearsal?: boolean;
  /** IANA name; the page's times are shown in it. */
  readonly timezone: string;
  /** The run whose rows it sent again, the one whose step it is, or the reconciliation whose action it carried out. */
  readonly parent?: { readonly id: string; readonly as: 'retry' | 'step' | 'action' };
  readonly inputFile: string;
  readonly inputSha256: string;
  /** The result workbook, where there is one. */
  readonly output?: string;
  readonly startedAt: number;
  /** Of one that was a kept plan: when that was taken to be sent. */
  readonly appliedAt?: number;
  readonly endedAt?: number;
  /** Time spent sending, over all resumes. */
  readonly executeMs: number;
  readonly requests: number;
  readonly retries: number;
  readonly items: number;
  /** Why it stopped. */
  readonly reason?: string;
  /** Version of the program that made the page, and when it did. */
  readonly version: string;
  readonly madeAt: number;
}

/** Status of a run's row, or of a compared one. */
export type PageStatus = Status | DriftStatus;

interface StatusCount {
  readonly status: PageStatus;
  readonly rows: number;
}

/** Messages of the rows with one status, the commonest first. A row with several messages counts with each. */
export interface StatusMessages {
  readonly status: Status;
  readonly rows: number;
  readonly groups: readonly MessageGroup[];
  /** Messages beyond those listed. */
  readonly others: number;
}

interface MessageGroup {
  /** What differs from row to row is `…`. */
  readonly text: string;
  readonly code?: string;
  readonly rows: number;
  readonly firstRow: number;
}

/** One step of a run of several. */
export interface PagePart {
  readonly name: string;
  readonly operation: string;
  /** Its own run, once it has one. */
  readonly run?: string;
  readonly counts: readonly StatusCount[];
  readonly requests: number;
}

/** One thing to do, and the commands for it. */
export interface PageStep {
  readonly text: string;
  readonly commands: readonly string[];
}

export interface AttemptTotals {
  /** How attempts ended, the commonest first. */
  readonly kinds: readonly AttemptKind[];
  /** Absent where no attempt has ended. */
  readonly timeline?: Timeline;
  /** Over all attempts that left. */
  readonly latency?: Latency;
}

export interface AttemptKind {
  /** `reply`, `timeout`, `refused`, …; `open` while it has no end. */
  readonly event: string;
  readonly httpStatus?: number;
  /** Whether the request had left; absent while that isn't known. */
  readonly sent?: boolean;
  readonly attempts: number;
  /** Items that got their outcome from these attempts. */
  readonly settled: number;
}

/** The run divided into bins of time, ascending; long pauses have none. */
export type Timeline = readonly TimelineBin[];

export interface TimelineBin {
  readonly from: number;
  /** Its length. */
  readonly ms: number;
  /** How long nothing happened before it, where time was left out. */
  readonly pauseMs?: number;
  /** Attempts that ended in it: with a reply of HTTP 2xx, and all others. */
  readonly answered: number;
  readonly others: number;
  /** Items that got their outcome. */
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
  /** How many the page leaves out. */
  readonly left: readonly StatusCount[];
}

export interface PageProblem {
  /** Absent for a record that no row names. */
  readonly row?: number;
  readonly status: PageStatus;
  readonly code?: string;
  readonly message: string;
  readonly licenseOrderId?: string;
}
