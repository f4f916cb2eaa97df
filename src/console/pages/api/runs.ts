import type { z } from 'zod';
import type { rowSchema, runListedSchema, runSchema, stepSchema } from '../../routes/run-schemas.js';
import type { RowCounts } from '../parts/status.js';

// What is answered is told once, by the schemas of the endpoints.

/** A run as the console's lists tell it. */
export type RunAnswer = z.infer<typeof runListedSchema>;

/** A run at its own page. */
export type RunDetailAnswer = z.infer<typeof runSchema>;

/** The import that a run's rows were put in by. */
export type ImportLink = NonNullable<RunDetailAnswer['import']>;

/** One part of a run of several steps. */
export type StepAnswer = z.infer<typeof stepSchema>;

/** What became of a row. */
export type RowAnswer = z.infer<typeof rowSchema>;

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
  /** The platform asked to wait, or is not available. */
  readonly pause?: { readonly until: string; readonly asked?: string };
  readonly series?: readonly (readonly [at: number, counts: RowCounts])[];
}

/** What an event `run` tells of a run under way. */
export interface RunNews extends ProgressAnswer {
  readonly state: string;
  readonly counts: RowCounts;
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
