import type { z } from 'zod';
import type { importListItemSchema } from '../../routes/import-schemas.js';
import type {
  differenceSchema,
  planRowsSchema,
  planSchema,
  rowSchema,
  runListItemSchema,
  runSchema,
  stepSchema,
} from '../../routes/run-schemas.js';
import type { RowCounts } from '../parts/status.js';

// Response types are inferred from the schemas of the endpoints.

/** A run in lists. */
export type RunAnswer = z.infer<typeof runListItemSchema>;

/** A run with details. */
export type RunDetailAnswer = z.infer<typeof runSchema>;

/** An import in lists. */
export type ListedImport = z.infer<typeof importListItemSchema>;

/** The import that a run was planned from. */
export type ImportLink = NonNullable<RunDetailAnswer['import']>;

/** A step of a multi-step run. */
export type StepAnswer = z.infer<typeof stepSchema>;

/** The outcome of a row. */
type RowAnswer = z.infer<typeof rowSchema>;

/** A page of a list; `next` is the value of `before` for the next page. */
export interface ListAnswer<T> {
  readonly items: readonly T[];
  readonly next?: string | number;
}

/** The progress of a run. */
export interface ProgressAnswer {
  readonly done: number;
  readonly total: number;
  /** Items per second in the last seconds. */
  readonly rate?: number;
  readonly etaMs?: number;
  /** The platform requested a pause or is unavailable. */
  readonly pause?: { readonly until: string; readonly asked?: string };
  readonly series?: readonly (readonly [at: number, counts: RowCounts])[];
}

/** The data of a `run` event. */
export interface RunPageEvent extends ProgressAnswer {
  readonly state: string;
  readonly counts: RowCounts;
}

export interface RowsAnswer extends ListAnswer<RowAnswer> {
  /** Number of matching rows, if known. */
  readonly total?: number;
}

interface RequestHistory {
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

export interface ResolutionAnswer {
  readonly at: string;
  readonly who?: string;
  readonly how?: string;
  readonly evidence: string;
}

/** A row's history, as in `explain`. */
export interface RowHistoryAnswer extends Omit<RowAnswer, 'attempts'> {
  readonly sheet?: string;
  readonly cells?: readonly { readonly header: string; readonly address: string; readonly text: string }[];
  readonly cellsMissing?: string;
  /** Cells that users corrected. */
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
  readonly requests: readonly RequestHistory[];
  readonly steps?: readonly (Omit<RowAnswer, 'row' | 'attempts'> & {
    readonly name: string;
    readonly operation: string;
    readonly requests: readonly RequestHistory[];
    readonly audit: readonly ResolutionAnswer[];
  })[];
  readonly audit: readonly ResolutionAnswer[];
  readonly undone?: readonly { readonly run: string }[];
  readonly next: string;
}

export type PlanAnswer = z.infer<typeof planSchema>;

/** A page of the rows that a plan sends. */
export type PlanRowsAnswer = z.infer<typeof planRowsSchema>;

/** The items of a plan with one operation. */
export type PlannedOperation = PlanAnswer['operations'][number];

/** An entry in a plan's approval history. */
export type ApprovalLineAnswer = PlanAnswer['approval']['lines'][number];

/** Rows excluded for one reason. */
export type SkippedAnswer = PlanAnswer['skipped'][number];

export type DifferenceAnswer = z.infer<typeof differenceSchema>;
