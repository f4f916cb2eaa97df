import type { Message } from '../../errors/message.js';
import type { Clock } from '../../util/clock.js';
import {
  accessOf,
  ledgerPatienceMs,
  ledgerReplyMs,
  parsePostgresUrl,
  stateFolderOf,
} from '../../util/ledger-address.js';
import type { InputStore } from '../contract/inputs.js';
import type { Ledger, LockAnswer, LockHolder } from '../contract/ledger.js';
import type { MigrationObserver } from '../contract/upkeep.js';
import { LedgerGuard } from '../marks/ledger-guard.js';
import { TAKEN_OVER } from '../rules/attempts.js';
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
import { type Connected, connect, type InspectedServer, inspect } from './connect.js';
import type { Database } from './database.js';
import { PostgresExecutionStore } from './execution.js';
import { PostgresInputStore, PostgresPendingFileStore } from './inputs.js';
import type { OlderSchema } from './migrate.js';
import { passwordOf } from './password.js';
import { PostgresQueueStore } from './queue.js';
import { recoverBatches } from './recover.js';
import { RunLocks } from './run-lock.js';
import { PostgresRunner, RunNumbers } from './runner.js';
import type { ServerWatch } from './server-watch.js';
import { SpooledReplies } from './spooled-replies.js';
import { PostgresUpkeep } from './upkeep.js';

/**
 * Opens the ledger of a URL returned by `ledgerPlace`.
 * @returns undefined if there is none and none is to be created
 */
export async function openPostgresLedger(
  place: string,
  clock: Clock,
  {
    note = () => {},
    ...how
  }: {
    readonly make: boolean;
    readonly older: OlderSchema;
    readonly made?: (() => void) | undefined;
    readonly migrated?: MigrationObserver;
    readonly note?: ((note: Message) => unknown) | undefined;
  },
): Promise<Ledger | undefined> {
  const access = accessOf(place);
  const address = parsePostgresUrl(place, access.env);
  const password = () => passwordOf(access);
  const connected = await connect(address, clock, {
    ...how,
    password,
    patienceMs: ledgerPatienceMs(),
    replyMs: ledgerReplyMs(),
    waits: note,
  });
  if (!connected) return undefined;
  const ledger = new PostgresLedger({ ...connected, schema: address.schema }, clock, note);
  await ledger.importSpooled();
  return ledger;
}

/** Inspects the server of a URL returned by `ledgerPlace`; changes nothing. */
export function inspectPostgresLedger(
  place: string,
  clock: Clock,
  env: NodeJS.ProcessEnv,
): Promise<InspectedServer> {
  const access = accessOf(place);
  const address = parsePostgresUrl(place, access.env);
  const options = { password: () => passwordOf(access), replyMs: ledgerReplyMs() };
  return inspect(address, clock, options, (connected) => guardOf(connected, clock).state(env));
}

function guardOf({ db, server }: Connected, clock: Clock): LedgerGuard {
  const runner = new PostgresRunner(db);
  const audit = new SqlAuditStore(runner, clock);
  return new LedgerGuard({ location: db.location, db: runner, audit, clock, attempts: ['attempts'], server });
}

/** The ledger in a schema of a PostgreSQL database. */
class PostgresLedger implements Ledger {
  readonly location: string;
  readonly address: string;
  readonly stateFolder: string;
  readonly runs: SqlRunStore;
  readonly plan: SqlPlanStore;
  readonly lookups: SqlLookupStore;
  readonly execution: PostgresExecutionStore;
  readonly report: SqlReportStore;
  readonly resolutions: SqlResolutionStore;
  readonly reversals: SqlReversalStore;
  readonly things: SqlThingStore;
  readonly corrections: SqlCorrectionStore;
  readonly approvals: SqlApprovalStore;
  readonly schedule: SqlScheduleStore;
  readonly sessions: SqlConsoleSessionStore;
  readonly imports: SqlImportStore;
  readonly inputs: InputStore;
  readonly pendingFiles: PostgresPendingFileStore;
  readonly people: SqlPersonStore;
  readonly audit: SqlAuditStore;
  readonly upkeep: PostgresUpkeep;
  readonly queue: PostgresQueueStore;
  readonly guard: LedgerGuard;
  readonly #db: Database;
  readonly #inputs: PostgresInputStore;
  readonly #locks: RunLocks;
  readonly #kept: SpooledReplies;
  readonly #clock: Clock;
  #open = true;

  constructor(
    { db, server, schema }: { readonly db: Database; readonly server: ServerWatch; readonly schema: string },
    clock: Clock,
    note: (note: Message) => unknown,
  ) {
    this.#locks = new RunLocks(db, schema, clock);
    const numbers = new RunNumbers(db, (run) => this.#locks.of(run));
    const runner = new PostgresRunner(db, numbers.known, (whole, work) => numbers.underLock(whole, work));
    this.#db = db;
    this.#inputs = new PostgresInputStore(db, clock);
    this.#clock = clock;
    this.#kept = new SpooledReplies(db, db.location, note);
    this.audit = new SqlAuditStore(runner, clock);
    this.guard = guardOf({ db, server }, clock);
    const place = { server, guard: this.guard, kept: this.#kept };
    this.location = db.location;
    this.address = db.location;
    this.stateFolder = stateFolderOf(db.location);
    this.runs = new SqlRunStore(runner, clock);
    this.plan = new SqlPlanStore(runner);
    this.lookups = new SqlLookupStore(runner);
    this.execution = new PostgresExecutionStore(runner, db, { numbers, clock }, place);
    this.report = new SqlReportStore(runner);
    this.resolutions = new SqlResolutionStore(runner);
    this.reversals = new SqlReversalStore(runner);
    this.things = new SqlThingStore(runner);
    this.corrections = new SqlCorrectionStore(runner);
    this.approvals = new SqlApprovalStore(runner);
    this.schedule = new SqlScheduleStore(runner);
    this.sessions = new SqlConsoleSessionStore(runner);
    this.imports = new SqlImportStore(runner);
    this.inputs = this.#inputs;
    this.pendingFiles = new PostgresPendingFileStore(db);
    this.people = new SqlPersonStore(runner, clock);
    this.upkeep = new PostgresUpkeep(db);
    this.queue = new PostgresQueueStore(db, schema, numbers, (tx, run, range, lost, now) =>
      recoverBatches(tx, run, { ...range, event: TAKEN_OVER }, lost, now),
    );
  }

  /** Imports replies that processes of this machine kept while the ledger was unreachable. */
  importSpooled(): Promise<void> {
    return this.#kept.importSpooled(this.execution, () => this.#clock.now());
  }

  lock(job: string, connection: string, run: string): Promise<LockAnswer> {
    return this.#locks.take(job, connection, run);
  }

  holder(job: string, connection: string): Promise<LockHolder | undefined> {
    return this.#locks.holder(job, connection);
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.execution.idle();
    this.guard.flush();
    this.#kept.reportProblems();
    await this.#locks.close();
    await this.#inputs.close();
    await this.#db.close();
  }
}
