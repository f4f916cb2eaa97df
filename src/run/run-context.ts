import type { Language } from '../errors/message.js';
import type { RunActor } from '../ledger/contract/audit.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run, RunKind, RunState } from '../ledger/contract/runs.js';
import type { Status } from '../model/status.js';
import type { Clock } from '../util/clock.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { Confirm } from './execute/confirm-sending.js';
import type { RunObserver } from './observer.js';
import type { RowProblemKind } from './report/problem-kinds.js';
import type { StageEnd } from './run-end.js';
import type { RunLog } from './run-events.js';
import type { RunSettings, StepsSettings } from './settings.js';

/** What the caller of a run provides. */
export interface RunServices {
  readonly ledger: Ledger;
  /** Folder of the ledger, with the stored inputs. */
  readonly stateFolder: string;
  readonly observer: RunObserver;
  readonly stop: StopSignal;
  readonly clock: Clock;
  readonly language: Language;
  readonly confirm: Confirm;
  /** Where credentials are looked up; the process's own environment when absent. */
  readonly env?: NodeJS.ProcessEnv;
  /** The user; absent if unknown, and nothing is written to the audit then. */
  readonly by?: RunActor | undefined;
  /** Absent: nothing is logged. */
  readonly log?: RunLog;
  /** State folder with the notes of written results; default: that of the ledger. */
  readonly resultNotes?: string;
  /** Writes the outcomes of the rows instead of the result file. */
  readonly writeReport?: (run: Run, settings: RunSettings | StepsSettings) => Promise<WrittenReport>;
}

export interface WrittenReport {
  /** Where the result was written. */
  readonly output: string;
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  readonly rows: number;
  /** Rows withheld because an earlier run left their items unknown. */
  readonly heldUnknown: number;
  /** The problems of its rows, by kind. */
  readonly problems: readonly RowProblemKind[];
}

/** The context of one run, as every stage gets it. */
export interface RunContext<S extends RunSettings | StepsSettings = RunSettings> {
  readonly services: RunServices;
  readonly id: string;
  readonly kind: RunKind;
  readonly settings: S;
  /** Nothing is sent by this process: batches wait in the ledger's queue for workers. */
  readonly queue: boolean;
}

/** The stages of a run; the report is the same for all kinds. */
export interface RunStages<S extends RunSettings | StepsSettings> {
  plan(context: RunContext<S>): Promise<void>;
  /** Why nothing (more) may be sent, if that is the case. */
  mayExecute(context: RunContext<S>): Promise<StageEnd>;
  /** @param from the run's state before */
  execute(context: RunContext<S>, from: RunState): Promise<StageEnd>;
  /** Called before the report is written. */
  concluding?(context: RunContext<S>, ended: StageEnd): Promise<void>;
}
