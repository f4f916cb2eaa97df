import type { Language, Message } from '../errors/message.js';
import type { RunActor } from '../ledger/contract/audit.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Connection } from '../model/connection.js';
import type { Fault } from '../model/fault.js';
import type { Job, ReconcileJob } from '../model/job.js';
import type { JsonObject } from '../model/json.js';
import type { ActionEnd, ActionRuns, RunCounts, RunStatus } from '../model/run-outcome.js';
import type { PageProblems } from '../pages/contract.js';
import type { PlatformClient } from '../platform/client/client.js';
import type { PauseNews } from '../platform/client/request-gate.js';
import type { Clock } from '../util/clock.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { Difference } from './compare.js';

/** What a reconciliation reports of its progress. */
export interface ReconcileObserver {
  started(
    run: string,
    about: { readonly job: string; readonly operation: string; readonly connection: string },
  ): void;
  progress(progress: {
    readonly stage: 'plan' | 'execute' | 'report';
    readonly done: number;
    readonly total?: number;
  }): void;
  warn(message: Message): void;
  /** The platform asked for a pause; undefined when the pause is over. */
  paused(pause: PauseNews | undefined): void;
}

/** Carries out actions as runs of their own, under limits that hold for all of them together. */
type RunActions = (jobs: readonly Job[], parent: string) => Promise<ActionRuns>;

/** What whoever starts a reconciliation provides. */
export interface ReconcileServices {
  readonly ledger: Ledger;
  readonly stateFolder: string;
  readonly observer: ReconcileObserver;
  readonly stop: StopSignal;
  readonly clock: Clock;
  readonly language: Language;
  /** Where the password of an encrypted source is looked up; the process's own environment when absent. */
  readonly env?: NodeJS.ProcessEnv;
  /** Absent where nobody is asked for. */
  readonly by?: RunActor | undefined;
  /** Called when the source has been read: a faulty file needs no credential. */
  openClient(): Promise<{ readonly client: PlatformClient; close(): Promise<void> }>;
  readonly runActions: RunActions;
}

export interface ReconcileOptions {
  readonly job: ReconcileJob;
  readonly connection: Connection;
  /** Carry out the actions; otherwise they are only proposed. */
  readonly apply: boolean;
}

/** How a reconciliation ended. */
export interface ReconcileEnd {
  readonly run: string;
  readonly job: string;
  readonly operation: `reconcile.${ReconcileJob['reconcile']}`;
  readonly connection: string;
  readonly sandbox: boolean;
  readonly status: RunStatus;
  /** Rows of the source and extra records. */
  readonly rows: number;
  readonly counts: RunCounts;
  /** Requests of the comparison alone; actions have runs of their own. */
  readonly requests: number;
  readonly retries: number;
  readonly output: string;
  readonly exitCode: number;
  readonly reason?: Message;
  /** All warnings, each once. */
  readonly warnings: readonly Message[];
  /** Rows that aren't in sync, for a page. */
  readonly drift: PageProblems;
  readonly actions: readonly ActionEnd[];
}

/** A difference, with the record's name if the row names several. */
export interface Drift extends Difference {
  readonly label?: string;
}

/** The result of comparing one row, or of an extra record. */
export interface DriftVerdict {
  readonly status: 'in_sync' | 'different' | 'missing' | 'extra' | 'error' | 'skipped';
  readonly differences: readonly Drift[];
  /** The missing records' names, if the row names several. */
  readonly missing?: readonly string[];
  readonly faults?: readonly Fault[];
  readonly message?: Message | string;
  /** The record as it is; of several the first that differs. */
  readonly actual?: JsonObject;
  /** The verdict before actions were carried out, if it has been read again since. */
  readonly before?: DriftVerdict;
}
