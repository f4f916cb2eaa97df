import type { ApprovalStore } from './approvals.js';
import type { AuditStore } from './audit.js';
import type { ConsoleSessionStore } from './console-sessions.js';
import type { CorrectionStore } from './corrections.js';
import type { ExecutionStore } from './execution.js';
import type { ImportStore } from './imports.js';
import type { InputStore } from './inputs.js';
import type { LookupStore } from './lookups.js';
import type { PendingFileStore } from './pending-files.js';
import type { PersonStore } from './people.js';
import type { PlanStore } from './plan.js';
import type { QueueStore } from './queue.js';
import type { ReportStore } from './report.js';
import type { ResolutionStore } from './resolutions.js';
import type { LockAnswer, LockHolder } from './run-lock.js';
import type { RunStore } from './runs.js';
import type { ScheduleStore } from './schedule.js';
import type { SendingGuard } from './sending-guard.js';
import type { ThingStore } from './things.js';
import type { UndoingStore } from './undoings.js';
import type { LedgerUpkeep } from './upkeep.js';

/**
 * The database of runs, batches, attempts and outcomes. Asynchronous throughout, so that a server database can
 * stand beside SQLite. Opening refuses (`ProductError`, kind internal) a ledger that is corrupt, newer than the
 * program, or not a ledger.
 */
export interface Ledger {
  /** For people: the file's path or the server's address without a password. */
  readonly location: string;
  /** Opens the same ledger again, here or as `--ledger` of another process. It may hold a password: never shown. */
  readonly address: string;
  /** Local folder for what goes with the ledger: kept inputs, inboxes, actions, the address of a served sandbox. */
  readonly stateFolder: string;
  readonly runs: RunStore;
  readonly plan: PlanStore;
  readonly lookups: LookupStore;
  readonly execution: ExecutionStore;
  readonly report: ReportStore;
  readonly resolutions: ResolutionStore;
  readonly undoings: UndoingStore;
  readonly things: ThingStore;
  readonly corrections: CorrectionStore;
  readonly approvals: ApprovalStore;
  readonly schedule: ScheduleStore;
  readonly sessions: ConsoleSessionStore;
  readonly imports: ImportStore;
  readonly inputs: InputStore;
  readonly pendingFiles: PendingFileStore;
  readonly people: PersonStore;
  readonly audit: AuditStore;
  readonly upkeep: LedgerUpkeep;
  /** Runs that workers carry; absent where the ledger is a file of one machine. */
  readonly queue?: QueueStore;
  /** Whether it still has the records that it had. */
  readonly guard: SendingGuard;
  /**
   * Takes the lock of a job and platform (`scopeOf`) for a run; doesn't wait for it.
   * @throws ProductError usage when another program holds the whole ledger
   */
  lock(job: string, scope: string, run: string): Promise<LockAnswer>;
  /** Who holds that lock now; undefined when nobody does, also where a process died that did. */
  holder(job: string, scope: string): Promise<LockHolder | undefined>;
  /** Finishes what was asked and closes. */
  close(): Promise<void>;
}
