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
  readonly state?: 'none' | 'waiting' | 'approved' | 'rejected' | 'expired';
  readonly by?: string;
  readonly comment?: string;
  readonly until?: string;
}

/** A page of a list; `next` is asked for by `before`. */
export interface ListAnswer<T> {
  readonly items: readonly T[];
  readonly next?: string | number;
}
