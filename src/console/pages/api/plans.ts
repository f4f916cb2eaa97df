import type { RowCounts } from '../parts/status.js';
import type { ApprovalAnswer, ImportLink, May } from './runs.js';

/** What is said of a plan by people. */
export interface ApprovalLineAnswer {
  readonly act: 'request' | 'approve' | 'reject';
  readonly by: string;
  readonly at: string;
  readonly comment?: string;
  readonly until?: string;
  /** Of another plan hash than the present one: it doesn't hold. */
  readonly void?: boolean;
}

/** What a plan would send by one operation. */
export interface PlannedOperation {
  readonly operation: string;
  /** Of a run of several steps. */
  readonly step?: string;
  readonly items: number;
  /** Absent while its step's turn hasn't come. */
  readonly requests?: number;
  /** It can't be taken back. */
  readonly irreversible?: boolean;
  /** What takes it back. */
  readonly wayBack?: string;
  readonly deletes?: boolean;
}

export interface PlannedRequest {
  readonly method: string;
  readonly url: string;
  readonly operation?: string;
  readonly items?: number;
  readonly rows?: readonly number[];
  readonly body?: unknown;
}

/** Rows that are left out for one reason. */
export interface LeftOutAnswer {
  readonly reason: string;
  readonly count: number;
  /** The first of them. */
  readonly rows?: readonly number[];
  readonly status?: string;
}

export interface DifferenceAnswer {
  readonly kind: string;
  readonly depth: 0 | 1;
  readonly text: string;
}

export interface PlanAnswer {
  readonly run: string;
  readonly job: string;
  readonly state: string;
  readonly input?: string;
  readonly hash?: string;
  readonly by?: string;
  readonly madeAt: string;
  readonly rows?: number;
  readonly items?: number;
  readonly counts?: RowCounts;
  /** `skip`: invalid rows are left out, and the others can be sent. */
  readonly onInvalid?: 'abort' | 'skip';
  /** What its rows were put in by; there they are mended. */
  readonly import?: ImportLink;
  readonly operations: readonly PlannedOperation[];
  readonly first: readonly PlannedRequest[];
  readonly skipped: readonly LeftOutAnswer[];
  readonly difference?: readonly DifferenceAnswer[];
  /** Against the plan of this job that was asked for last. */
  readonly sinceAsked?: { readonly run: string; readonly lines: readonly DifferenceAnswer[] };
  readonly approval: ApprovalAnswer & {
    readonly needed: boolean;
    readonly lines?: readonly ApprovalLineAnswer[];
  };
  readonly connection: { readonly name: string; readonly host?: string; readonly sandbox?: boolean };
  /** Who sent it, when: a plan is sent once. */
  readonly sent?: { readonly by: string; readonly at: string };
  readonly warnings?: readonly string[];
  readonly corrections?: number;
  readonly reverts?: string;
  readonly parent?: string;
  /** When it was last rehearsed. */
  readonly rehearsed?: string;
  readonly may: May;
}
