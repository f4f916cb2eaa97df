import { normalize } from 'node:path';
import type { Message } from '../../errors/message.js';
import type { Clock } from '../../util/clock.js';
import { stateFolderOf } from '../../util/ledger-address.js';
import type { Ledger, LockAnswer, LockHolder } from '../contract/ledger.js';
import type { RestoreState } from '../contract/sending-guard.js';
import { InputFiles, PendingFileNotes } from '../files/inputs.js';
import { LedgerGuard } from '../marks/ledger-guard.js';
import { SqlApprovalStore } from '../store/approvals.js';
import { SqlAuditStore } from '../store/audit.js';
import { SqlCorrectionStore } from '../store/corrections.js';
import { SqlImportStore } from '../store/imports.js';
import { SqlLookupStore } from '../store/lookups.js';
import { SqlConsoleSessionStore, SqlPersonStore } from '../store/people.js';
import { SqlPlanStore } from '../store/plan.js';
import { SqlReportStore } from '../store/report.js';
import { SqlResolutionStore } from '../store/resolutions.js';
import { SqlReversalStore } from '../store/reversals.js';
import { SqlRunStore } from '../store/runs.js';
import { SqlScheduleStore } from '../store/schedule.js';
import { SqlThingStore } from '../store/things.js';
import { AttemptJournal } from './attempt-journal.js';
import { connect, type OlderFile } from './connect.js';
import { Database } from './database.js';
import { SqliteExecutionStore } from './execution.js';
import { diskFull, ledgerFailure } from './failures.js';
import { GroupCommit } from './group-commit.js';
import { MIGRATIONS } from './migrations/index.js';
import { PrefetchedClaims } from './prefetched-claims.js';
import { lockHolder, lockRun } from './run-lock.js';
import { RunNumbers, SqliteRunner } from './runner.js';
import { SqliteUpkeep } from './upkeep.js';

/** Opens the ledger in a SQLite file (absolute path), creating folder and file if necessary. */
export async function openSqliteLedger(
  file: string,
  clock: Clock,
  older: OlderFile,
  note?: (note: Message) => unknown,
): Promise<Ledger> {
  return new SqliteLedger(await connect(normalize(file), clock, older), clock, note);
}

/**
 * Checks, without changing an existing file, whether it has all records that this user has seen in it.
 * @returns undefined for a ledger of an older program
 */
export async function restoreStateOf(
  file: string,
  clock: Clock,
  env: NodeJS.ProcessEnv,
): Promise<RestoreState | undefined> {
  const db = new Database(file, { timeout: 10_000, readOnly: true });
  try {
    return Number(db.pragma('user_version')) === MIGRATIONS.length
      ? await guardOf(db, clock).state(env)
      : undefined;
  } finally {
    db.close();
  }
}

function guardOf(db: Database, clock: Clock): LedgerGuard {
  const runner = new SqliteRunner(db);
  return new LedgerGuard({
    location: db.location,
    db: runner,
    audit: new SqlAuditStore(runner, clock),
    clock,
    attempts: ['attempts', 'attempts_begun'],
    checkFile: () => db.checkFile(),
  });
}

class SqliteLedger implements Ledger {
  readonly location: string;
  readonly address: string;
  readonly stateFolder: string;
  readonly runs: SqlRunStore;
  readonly plan: SqlPlanStore;
  readonly lookups: SqlLookupStore;
  readonly execution: SqliteExecutionStore;
  readonly report: SqlReportStore;
  readonly resolutions: SqlResolutionStore;
  readonly reversals: SqlReversalStore;
  readonly things: SqlThingStore;
  readonly corrections: SqlCorrectionStore;
  readonly approvals: SqlApprovalStore;
  readonly schedule: SqlScheduleStore;
  readonly sessions: SqlConsoleSessionStore;
  readonly imports: SqlImportStore;
  readonly inputs: InputFiles;
  readonly pendingFiles: PendingFileNotes;
  readonly people: SqlPersonStore;
  readonly audit: SqlAuditStore;
  readonly upkeep: SqliteUpkeep;
  readonly guard: LedgerGuard;
  readonly #db: Database;
  readonly #group: GroupCommit;
  readonly #clock: Clock;
  #open = true;

  constructor(db: Database, clock: Clock, note: ((note: Message) => unknown) | undefined) {
    const numbers = new RunNumbers(db);
    const journal = new AttemptJournal(db, numbers);
    const ahead = new PrefetchedClaims(db, numbers);
    const group = new GroupCommit(
      db,
      {
        get isDue() {
          return journal.isFull || ahead.isDue;
        },
        get isNeeded() {
          return journal.holdsAny;
        },
        run(what) {
          if (what === 'all' || journal.isFull) journal.compact();
          if (what === 'due') ahead.claimFurther();
        },
      },
      clock,
      note,
    );
    const runner = new SqliteRunner(db, numbers.known, group);
    this.#db = db;
    this.#group = group;
    this.#clock = clock;
    this.location = db.location;
    this.address = db.location;
    this.stateFolder = stateFolderOf(db.location);
    this.runs = new SqlRunStore(runner, clock);
    this.plan = new SqlPlanStore(runner);
    this.lookups = new SqlLookupStore(runner);
    this.audit = new SqlAuditStore(runner, clock);
    this.guard = guardOf(db, clock);
    const attempts = { journal, ahead, guard: this.guard };
    this.execution = new SqliteExecutionStore(runner, db, numbers, group, attempts, clock);
    this.report = new SqlReportStore(runner);
    this.resolutions = new SqlResolutionStore(runner);
    this.reversals = new SqlReversalStore(runner);
    this.things = new SqlThingStore(runner);
    this.corrections = new SqlCorrectionStore(runner);
    this.approvals = new SqlApprovalStore(runner);
    this.schedule = new SqlScheduleStore(runner);
    this.sessions = new SqlConsoleSessionStore(runner);
    this.imports = new SqlImportStore(runner);
    this.inputs = new InputFiles(this.stateFolder, () => db.read(() => db.refuseClosed()), diskFull);
    this.pendingFiles = new PendingFileNotes(this.stateFolder);
    this.people = new SqlPersonStore(runner, clock);
    this.upkeep = new SqliteUpkeep(db, () => group.catchUp());
  }

  async lock(job: string, scope: string, run: string): Promise<LockAnswer> {
    // Another program may have locked the whole ledger. This must be found before the first request.
    this.#db.firstWrite(() => {});
    return lockRun(this.location, job, scope, run, this.#clock);
  }

  async holder(job: string, scope: string): Promise<LockHolder | undefined> {
    return lockHolder(this.location, job, scope);
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#group.close();
    this.guard.flush();
    try {
      this.#checkpoint();
      this.#db.close();
    } catch (error) {
      throw ledgerFailure(error, this.location, 'write');
    }
  }

  /**
   * Writes the log into the main file. If that fails (another process reads, the disk is full) nothing is lost: every commit is
   * durable in the log, and the next process that opens the ledger reads it from there.
   */
  #checkpoint(): void {
    // Also into a file that was moved; otherwise its log would stay next to the file that replaced it.
    if (this.#db.isOverwritten) return;
    try {
      this.#db.pragma('busy_timeout = 0');
      this.#db.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // Nothing is lost, and an error here would hide the one that ended the run.
    }
  }
}
