import { normalize } from 'node:path';
import type { Clock } from '../../util/clock.js';
import { stateFolderOf } from '../../util/ledger-place.js';
import type { Ledger } from '../contract/ledger.js';
import type { LockAnswer, LockHolder } from '../contract/run-lock.js';
import type { RestoreState } from '../contract/sending-guard.js';
import { InputFiles } from '../files/inputs.js';
import { PendingFileNotes } from '../files/pending-files.js';
import { LedgerGuard } from '../marks/ledger-guard.js';
import { PlainConsoleSessionStore } from '../shared/console-sessions.js';
import { PlainImportStore } from '../shared/imports.js';
import { PlainScheduleStore } from '../shared/schedule.js';
import { PlainThingStore } from '../shared/things.js';
import { SqliteApprovalStore } from './approvals.js';
import { AttemptJournal } from './attempt-journal.js';
import { SqliteAuditStore } from './audit.js';
import { ClaimsAhead } from './claims-ahead.js';
import { connect, type OlderFile } from './connect.js';
import { SqliteCorrectionStore } from './corrections.js';
import { Database } from './database.js';
import { SqliteExecutionStore } from './execution.js';
import { ledgerFailure } from './failures.js';
import { GroupCommit } from './group-commit.js';
import { SqliteLookupStore } from './lookups.js';
import { MIGRATIONS } from './migrations/index.js';
import { SqlitePersonStore } from './people.js';
import { SqliteStatements } from './plain-statements.js';
import { SqlitePlanStore } from './plan.js';
import { SqliteReportStore } from './report.js';
import { SqliteResolutionStore } from './resolutions.js';
import { lockHolder, lockRun } from './run-lock.js';
import { RunNumbers } from './run-numbers.js';
import { SqliteRunStore } from './runs.js';
import { each } from './things.js';
import { SqliteUndoingStore } from './undoings.js';
import { SqliteUpkeep } from './upkeep.js';

/** Opens the ledger in a SQLite file (absolute), making folder and file when they aren't there. */
export async function openSqliteLedger(file: string, clock: Clock, older: OlderFile): Promise<Ledger> {
  return new SqliteLedger(await connect(normalize(file), clock, older), clock);
}

/**
 * Looks at an existing file without changing it: whether it has all that this user has seen in it.
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
  return new LedgerGuard({
    location: db.location,
    statements: new SqliteStatements(db),
    audit: new SqliteAuditStore(db, clock),
    clock,
    attempts: ['attempts', 'attempts_begun'],
    checkFile: () => db.checkFile(),
  });
}

class SqliteLedger implements Ledger {
  readonly location: string;
  readonly address: string;
  readonly stateFolder: string;
  readonly runs: SqliteRunStore;
  readonly plan: SqlitePlanStore;
  readonly lookups: SqliteLookupStore;
  readonly execution: SqliteExecutionStore;
  readonly report: SqliteReportStore;
  readonly resolutions: SqliteResolutionStore;
  readonly undoings: SqliteUndoingStore;
  readonly things: PlainThingStore;
  readonly corrections: SqliteCorrectionStore;
  readonly approvals: SqliteApprovalStore;
  readonly schedule: PlainScheduleStore;
  readonly sessions: PlainConsoleSessionStore;
  readonly imports: PlainImportStore;
  readonly inputs: InputFiles;
  readonly pendingFiles: PendingFileNotes;
  readonly people: SqlitePersonStore;
  readonly audit: SqliteAuditStore;
  readonly upkeep: SqliteUpkeep;
  readonly guard: LedgerGuard;
  readonly #db: Database;
  readonly #group: GroupCommit;
  readonly #clock: Clock;
  #open = true;

  constructor(db: Database, clock: Clock) {
    const numbers = new RunNumbers(db);
    const journal = new AttemptJournal(db, numbers);
    const ahead = new ClaimsAhead(db, numbers);
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
          if (what === 'all' || journal.isFull) journal.fold();
          if (what === 'due') ahead.further();
        },
      },
      clock,
    );
    this.#db = db;
    this.#group = group;
    this.#clock = clock;
    this.location = db.location;
    this.address = db.location;
    this.stateFolder = stateFolderOf(db.location);
    this.runs = new SqliteRunStore(db, numbers, group, clock);
    this.plan = new SqlitePlanStore(db, numbers, group);
    this.lookups = new SqliteLookupStore(db, numbers);
    const statements = new SqliteStatements(db);
    this.audit = new SqliteAuditStore(db, clock);
    this.guard = guardOf(db, clock);
    const attempts = { journal, ahead, guard: this.guard };
    this.execution = new SqliteExecutionStore(db, numbers, group, attempts, clock);
    this.report = new SqliteReportStore(db, numbers, group);
    this.resolutions = new SqliteResolutionStore(db, numbers, group);
    this.undoings = new SqliteUndoingStore(db, numbers, group);
    this.things = new PlainThingStore({
      statements,
      numbers,
      each,
      catchUp: () => group.catchUp(),
    });
    this.corrections = new SqliteCorrectionStore(db);
    this.approvals = new SqliteApprovalStore(db, numbers, group);
    this.schedule = new PlainScheduleStore(statements);
    this.sessions = new PlainConsoleSessionStore(statements);
    this.imports = new PlainImportStore(statements);
    this.inputs = new InputFiles(this.stateFolder);
    this.pendingFiles = new PendingFileNotes(this.stateFolder);
    this.people = new SqlitePersonStore(db, clock);
    this.upkeep = new SqliteUpkeep(db, () => group.catchUp());
  }

  async lock(job: string, scope: string, run: string): Promise<LockAnswer> {
    // Another program may hold the whole ledger: better told now than after the first request.
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
   * Brings the log into the main file. Where that can't be done (others are reading, the disk is full) nothing is
   * lost: every commit is durable in the log, and the next one that opens the ledger reads it from there.
   */
  #checkpoint(): void {
    // Also into a file that was moved: otherwise its log would be left beside the file that took its place.
    if (this.#db.isOverwritten) return;
    try {
      this.#db.pragma('busy_timeout = 0');
      this.#db.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // As said above; an error here would hide the one that ended the run.
    }
  }
}
