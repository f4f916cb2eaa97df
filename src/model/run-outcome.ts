import type { Message } from '../errors/message.js';
import type { DriftStatus } from './drift.js';
import type { Status } from './status.js';

/** Rows by status; a reconciliation has statuses of its own. */
export type RunCounts = Readonly<Partial<Record<Status | DriftStatus, number>>>;

/** How a run ended (contract section 7); `queued`: it hasn't, workers carry it. */
export type RunStatus = 'completed' | 'invalid' | 'stopped' | 'interrupted' | 'queued';

/** How the run of one action of a reconciliation ended. */
export interface ActionEnd {
  readonly run: string;
  readonly operation: string;
  readonly status: RunStatus;
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  readonly output?: string;
}

/** How one step of a run of several ended, or how far it has come. */
export interface StepEnd {
  readonly name: string;
  readonly operation: string;
  /** Its own run; absent where the whole run ended before it. */
  readonly run?: string;
  /** `waiting`: its turn hasn't come. */
  readonly status: RunStatus | 'going' | 'waiting';
  readonly rows: number;
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
}

/** The run of one action, with what became of its rows. */
export interface ActionRun extends ActionEnd {
  readonly exitCode: number;
  /** By ascending row. */
  rows(): AsyncIterable<readonly ActionRow[]>;
}

export interface ActionRow {
  readonly row: number;
  readonly status: string;
  readonly message: string;
}

/** The runs of a reconciliation's actions. */
export interface ActionRuns {
  /** One for each job that was planned, in order. */
  readonly runs: readonly ActionRun[];
  /** Why nothing (more) was sent; absent when all was carried out. */
  readonly refusal?: Message;
}
