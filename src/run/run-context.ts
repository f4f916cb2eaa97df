import type { Language } from '../errors/message.js';
import type { RunActor } from '../ledger/contract/audit.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run, RunKind } from '../ledger/contract/run.js';
import type { Status } from '../model/status.js';
import type { Clock } from '../util/clock.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { Confirm } from './execute/consent.js';
import type { RunObserver } from './observer.js';
import type { RowProblemKind } from './report/problem-kinds.js';
import type { RunLog } from './run-events.js';
import type { RunSettings, StepsSettings } from './settings.js';

/** What whoever starts a run provides. */
export interface RunServices {
  readonly ledger: Ledger;
  /** Folder of the ledger; inputs are kept in it. */
  readonly stateFolder: string;
  readonly observer: RunObserver;
  readonly stop: StopSignal;
  readonly clock: Clock;
  readonly language: Language;
  readonly confirm: Confirm;
  /** Where credentials are looked up; the process's own environment when absent. */
  readonly env?: NodeJS.ProcessEnv;
  /** Absent where nobody is asked for: what they do isn't told in the audit. */
  readonly by?: RunActor | undefined;
  /** Absent: nothing is logged. */
  readonly log?: RunLog;
  /** State folder with the notes of written results; that of the ledger when absent. */
  readonly resultNotes?: string;
  /** Writes what came of the rows in place of the result file. */
  readonly writeReport?: (run: Run, settings: RunSettings | StepsSettings) => Promise<WrittenReport>;
}

export interface WrittenReport {
  /** Where the result was written. */
  readonly output: string;
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  readonly rows: number;
  /** Rows held back because an earlier run left their items unknown. */
  readonly heldUnknown: number;
  /** What is wrong with its rows, by kind. */
  readonly problems: readonly RowProblemKind[];
}

/** One run, as every stage gets it. */
export interface RunContext<S extends RunSettings | StepsSettings = RunSettings> {
  readonly services: RunServices;
  readonly id: string;
  readonly kind: RunKind;
  readonly settings: S;
  /** Nothing is sent here: what is to be sent waits in the ledger's queue, for workers. */
  readonly queue: boolean;
}
