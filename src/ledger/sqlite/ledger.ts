import { normalize } from 'node:path';
import type { Message } from '../../errors/message.js';
import type { Clock } from '../../util/clock.js';
import { stateFolderOf } from '../../util/ledger-address.js';
import type { Ledger } from '../contract/ledger.js';
import type { RestoreState } from '../contract/sending-guard.js';
import { InputFiles, PendingFileNotes } from '../files/inputs.js';
import { LedgerGuard } from '../marks/ledger-guard.js';
import { SqlAuditStore } from '../store/audit.js';
import { sqlStores } from '../store/stores.js';
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
  return sqliteLedger(await connect(normalize(file), clock, older), clock, note);
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

function sqliteLedger(db: Database, clock: Clock, note: ((note: Message) => unknown) | undefined): Ledger {
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
  const { location } = db;
  const stateFolder = stateFolderOf(location);
  const guard = guardOf(db, clock);
  let open = true;
  return {
    ...sqlStores(runner, clock),
    location,
    address: location,
    stateFolder,
    guard,
    execution: new SqliteExecutionStore(runner, db, numbers, group, { journal, ahead, guard }, clock),
    inputs: new InputFiles(stateFolder, () => db.read(() => db.refuseClosed()), diskFull),
    pendingFiles: new PendingFileNotes(stateFolder),
    upkeep: new SqliteUpkeep(db, () => group.catchUp()),
    async lock(job, scope, run) {
      // Another program may have locked the whole ledger. This must be found before the first request.
      db.firstWrite(() => {});
      return lockRun(location, job, scope, run, clock);
    },
    holder: async (job, scope) => lockHolder(location, job, scope),
    async close() {
      if (!open) return;
      open = false;
      await group.close();
      guard.flush();
      try {
        checkpoint(db);
        db.close();
      } catch (error) {
        throw ledgerFailure(error, location, 'write');
      }
    },
  };
}

/**
 * Writes the log into the main file. If that fails (another process reads, the disk is full) nothing is lost: every commit is
 * durable in the log, and the next process that opens the ledger reads it from there.
 */
function checkpoint(db: Database): void {
  // Also into a file that was moved; otherwise its log would stay next to the file that replaced it.
  if (db.isOverwritten) return;
  try {
    db.pragma('busy_timeout = 0');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // Nothing is lost, and an error here would hide the one that ended the run.
  }
}
