import type { Language, Message } from '../errors/message.js';
import type { RunActor } from '../ledger/contract/audit.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Connection } from '../model/connection.js';
import type { Job, ReconcileJob } from '../model/job.js';
import type { JsonObject } from '../model/json.js';
import type { Fault } from '../model/row.js';
import type { ActionEnd, ActionRuns, RunCounts, RunStatus } from '../model/run-outcome.js';
import type { PageProblems } from '../pages/run-page.js';
import type { PlatformClient } from '../platform/client/client.js';
import type { PauseEvent } from '../platform/client/request-gate.js';
import type { Clock } from '../util/clock.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { Difference } from './compare.js';

/** Receives the progress of a reconciliation. */
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
  /** The platform requested a wait; undefined at its end. */
  paused(pause: PauseEvent | undefined): void;
}

/** Executes actions as separate runs, with limits that apply to all of them together. */
type RunActions = (jobs: readonly Job[], parent: string) => Promise<ActionRuns>;

/** What the caller of a reconciliation provides. */
export interface ReconcileServices {
  readonly ledger: Ledger;
  readonly stateFolder: string;
  readonly observer: ReconcileObserver;
  readonly stop: StopSignal;
  readonly clock: Clock;
  readonly language: Language;
  /** Source of the password of an encrypted source; default: the process's environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Absent if no user is known. */
  readonly by?: RunActor | undefined;
  /** Called after the source has been read, so that an invalid file needs no credential. */
  openClient(): Promise<{ readonly client: PlatformClient; close(): Promise<void> }>;
  readonly runActions: RunActions;
}

export interface ReconcileOptions {
  readonly job: ReconcileJob;
  readonly connection: Connection;
  /** Executes the actions; otherwise they are only proposed. */
  readonly apply: boolean;
}

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
  /** Requests of the comparison only; actions have separate runs. */
  readonly requests: number;
  readonly retries: number;
  readonly output: string;
  readonly exitCode: number;
  readonly reason?: Message;
  /** All warnings, each once. */
  readonly warnings: readonly Message[];
  /** Rows that are not in sync, for a page. */
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
  /** The actual record; of several the first that differs. */
  readonly actual?: JsonObject;
  /** The verdict before actions were executed, if the row was read again since. */
  readonly before?: DriftVerdict;
}
