import type { RowCounts } from '../parts/status.js';

/** A run as the console's lists tell it. */
export interface RunAnswer {
  readonly run: string;
  readonly kind: 'run' | 'dry_run' | 'plan' | 'reconcile';
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
  readonly host?: string;
  readonly sandbox?: boolean;
  readonly state: string;
  /** What to do next, where the run was cut off. */
  readonly next?: string;
  readonly by?: string;
  readonly started: string;
  readonly applied?: string;
  readonly ended?: string;
  readonly input?: string;
  readonly rows: number;
  readonly items: number;
  readonly counts: RowCounts;
  readonly requests: number;
  readonly retries: number;
  readonly reason?: string;
  readonly parent?: string;
  readonly reverts?: string;
  readonly revertedBy?: readonly {
    readonly run: string;
    readonly rows: number;
    readonly succeeded: number;
  }[];
  readonly planHash?: string;
  readonly approval?: ApprovalAnswer;
}

/** How it stands with the second person's word on a plan. */
export interface ApprovalAnswer {
  readonly state?: 'not_asked' | 'waiting' | 'approved' | 'rejected' | 'expired' | 'applied';
  readonly by?: string;
  readonly comment?: string;
  readonly until?: string;
}

/** A page of a list; `next` is asked for by `before`. */
export interface ListAnswer<T> {
  readonly items: readonly T[];
  readonly next?: string | number;
}

/** Acts on a run or a plan: true, or why it can't be done now, in the reader's language. One that isn't named isn't offered. */
export type May = Readonly<Partial<Record<RunAct, true | string>>>;

export type RunAct =
  | 'send'
  | 'request'
  | 'approve'
  | 'reject'
  | 'stop'
  | 'resume'
  | 'retry'
  | 'revert'
  | 'resolve'
  | 'rehearse'
  | 'result'
  | 'report';

/** How far a run has come. */
export interface ProgressAnswer {
  readonly done: number;
  readonly total: number;
  /** Items per second, of late. */
  readonly rate?: number;
  readonly etaMs?: number;
  /** The platform asked to wait. */
  readonly pause?: { readonly until: string; readonly asked?: string };
  readonly series?: readonly (readonly [at: number, counts: RowCounts])[];
}

/** One part of a run of several steps. */
export interface StepAnswer {
  readonly name: string;
  readonly operation: string;
  readonly run?: string;
  readonly status: string;
  readonly rows: number;
  readonly counts: RowCounts;
  readonly requests: number;
  readonly retries: number;
}

/** The import that a run's rows were put in by. */
export interface ImportLink {
  readonly id: string;
  readonly name: string;
}

/** A run at its own page. */
export interface RunDetailAnswer extends RunAnswer {
  readonly import?: ImportLink;
  readonly steps?: readonly StepAnswer[];
  readonly progress?: ProgressAnswer;
  readonly warnings?: readonly string[];
  /** When its plan was last rehearsed. */
  readonly rehearsed?: string;
  readonly may: May;
}

/** What an event `run` tells of a run under way. */
export interface RunNews extends ProgressAnswer {
  readonly state: string;
  readonly counts: RowCounts;
}

/** What became of a row. */
export interface RowAnswer {
  readonly row: number;
  readonly status: string;
  readonly licenseOrderId?: string;
  readonly code?: string;
  readonly message: string;
  readonly attempts: number;
  readonly columns?: Readonly<Record<string, string>>;
}

export interface RowsAnswer extends ListAnswer<RowAnswer> {
  /** Rows that match, where that is known. */
  readonly total?: number;
}

interface RequestStory {
  readonly items: number;
  readonly request: { readonly method: string; readonly url: string; readonly body?: unknown };
  readonly attempts: readonly {
    readonly attempt: number;
    readonly startedAt: string;
    readonly durationMs?: number;
    readonly httpStatus?: number;
    readonly event: string;
    readonly reply?: unknown;
  }[];
}

export interface SettledAnswer {
  readonly at: string;
  readonly who?: string;
  readonly how?: string;
  readonly evidence: string;
}

/** A row's story, as `explain` tells it. */
export interface RowStoryAnswer extends Omit<RowAnswer, 'attempts'> {
  readonly sheet?: string;
  readonly cells?: readonly { readonly header: string; readonly address: string; readonly text: string }[];
  readonly cellsMissing?: string;
  /** Cells that people corrected: what is taken on trust shows. */
  readonly corrected?: readonly {
    readonly address: string;
    readonly header: string;
    readonly before: string;
    readonly text: string;
    readonly who?: string;
    readonly at?: string;
  }[];
  readonly lookups?: readonly {
    readonly field: string;
    readonly operation: string;
    readonly request: unknown;
    readonly record?: unknown;
    readonly detail?: string;
  }[];
  readonly requests: readonly RequestStory[];
  readonly steps?: readonly (Omit<RowAnswer, 'row' | 'attempts'> & {
    readonly name: string;
    readonly operation: string;
    readonly requests: readonly RequestStory[];
    readonly audit: readonly SettledAnswer[];
  })[];
  readonly audit: readonly SettledAnswer[];
  readonly undone?: readonly { readonly run: string }[];
  readonly next: string;
}
