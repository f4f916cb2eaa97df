import type { Message } from '../../errors/message.js';
import type { Clock } from '../../util/clock.js';
import { accessOf, ledgerPatienceMs, ledgerReplyMs, stateFolderOf } from '../../util/ledger-place.js';
import { parsePostgresUrl } from '../../util/postgres-url.js';
import type { InputStore } from '../contract/inputs.js';
import type { Ledger } from '../contract/ledger.js';
import type { LockAnswer, LockHolder } from '../contract/run-lock.js';
import type { MigrationObserver } from '../contract/upkeep.js';
import { LedgerGuard } from '../marks/ledger-guard.js';
import { TAKEN_OVER } from '../rules/attempts.js';
import { PlainConsoleSessionStore } from '../shared/console-sessions.js';
import { PlainImportStore } from '../shared/imports.js';
import { PlainScheduleStore } from '../shared/schedule.js';
import { PlainThingStore } from '../shared/things.js';
import { PostgresApprovalStore } from './approvals.js';
import { PostgresAuditStore } from './audit.js';
import { Claims } from './claims.js';
import { type Connected, connect, type InspectedServer, inspect, type OlderSchema } from './connect.js';
import { PostgresCorrectionStore } from './corrections.js';
import type { Database } from './database.js';
import { PostgresExecutionStore } from './execution.js';
import { PostgresInputStore } from './inputs.js';
import { KeptReplies } from './kept-replies.js';
import { PostgresLookupStore } from './lookups.js';
import { passwordOf } from './password.js';
import { PostgresPendingFileStore } from './pending-files.js';
import { PostgresPersonStore } from './people.js';
import { PostgresStatements } from './plain-statements.js';
import { PostgresPlanStore } from './plan.js';
import { PostgresQueueStore } from './queue.js';
import { recoverBatches } from './recover.js';
import { PostgresReportStore } from './report.js';
import { PostgresResolutionStore } from './resolutions.js';
import { RunLocks } from './run-lock.js';
import { RunNumbers } from './run-numbers.js';
import { PostgresRunStore } from './runs.js';
import type { ServerWatch } from './server-watch.js';
import { each } from './things.js';
import { PostgresUndoingStore } from './undoings.js';
import { PostgresUpkeep } from './upkeep.js';

/**
 * Opens the ledger of a URL that `ledgerPlace` gave.
 * @returns undefined where there is none and none is to be made
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
    readonly note?: ((it: Message) => unknown) | undefined;
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
  await ledger.takeIn();
  return ledger;
}

/** Looks at the server of a URL that `ledgerPlace` gave; changes nothing. */
export function inspectPostgresLedger(
  place: string,
  clock: Clock,
  env: NodeJS.ProcessEnv,
): Promise<InspectedServer> {
  const access = accessOf(place);
  const address = parsePostgresUrl(place, access.env);
  return inspect(address, clock, { password: () => passwordOf(access), replyMs: ledgerReplyMs() }, (it) =>
    guardOf(it, clock).state(env),
  );
}

function guardOf({ db, server }: Connected, clock: Clock): LedgerGuard {
  const audit = new PostgresAuditStore(db, clock);
  const statements = new PostgresStatements(db);
  return new LedgerGuard({ location: db.location, statements, audit, clock, attempts: ['attempts'], server });
}

/** The ledger in a schema of a PostgreSQL database. */
class PostgresLedger implements Ledger {
  readonly location: string;
  readonly address: string;
  readonly stateFolder: string;
  readonly runs: PostgresRunStore;
  readonly plan: PostgresPlanStore;
  readonly lookups: PostgresLookupStore;
  readonly execution: PostgresExecutionStore;
  readonly report: PostgresReportStore;
  readonly resolutions: PostgresResolutionStore;
  readonly undoings: PostgresUndoingStore;
  readonly things: PlainThingStore;
  readonly corrections: PostgresCorrectionStore;
  readonly approvals: PostgresApprovalStore;
  readonly schedule: PlainScheduleStore;
  readonly sessions: PlainConsoleSessionStore;
  readonly imports: PlainImportStore;
  readonly inputs: InputStore;
  readonly pendingFiles: PostgresPendingFileStore;
  readonly people: PostgresPersonStore;
  readonly audit: PostgresAuditStore;
  readonly upkeep: PostgresUpkeep;
  readonly queue: PostgresQueueStore;
  readonly guard: LedgerGuard;
  readonly #db: Database;
  readonly #inputs: PostgresInputStore;
  readonly #locks: RunLocks;
  readonly #kept: KeptReplies;
  readonly #clock: Clock;
  #open = true;

  constructor(
    { db, server, schema }: { readonly db: Database; readonly server: ServerWatch; readonly schema: string },
    clock: Clock,
    note: (it: Message) => unknown,
  ) {
    const numbers = new RunNumbers(db);
    const claims = new Claims();
    this.#db = db;
    this.#inputs = new PostgresInputStore(db, clock);
    this.#locks = new RunLocks(db, schema, clock);
    this.#clock = clock;
    this.#kept = new KeptReplies(db, db.location, note);
    const statements = new PostgresStatements(db);
    this.audit = new PostgresAuditStore(db, clock);
    this.guard = guardOf({ db, server }, clock);
    const place = {
      server,
      guard: this.guard,
      lockOf: (run: string) => this.#locks.token(run),
      kept: this.#kept,
    };
    this.location = db.location;
    this.address = db.location;
    this.stateFolder = stateFolderOf(db.location);
    this.runs = new PostgresRunStore(db, numbers, clock);
    this.plan = new PostgresPlanStore(db, numbers);
    this.lookups = new PostgresLookupStore(db, numbers);
    this.execution = new PostgresExecutionStore(db, { numbers, claims, clock }, place);
    this.report = new PostgresReportStore(db, numbers);
    this.resolutions = new PostgresResolutionStore(db, numbers);
    this.undoings = new PostgresUndoingStore(db, numbers);
    this.things = new PlainThingStore({
      statements,
      numbers,
      each,
    });
    this.corrections = new PostgresCorrectionStore(db);
    this.approvals = new PostgresApprovalStore(db, numbers);
    this.schedule = new PlainScheduleStore(statements);
    this.sessions = new PlainConsoleSessionStore(statements);
    this.imports = new PlainImportStore(statements);
    this.inputs = this.#inputs;
    this.pendingFiles = new PostgresPendingFileStore(db);
    this.people = new PostgresPersonStore(db, clock);
    this.upkeep = new PostgresUpkeep(db);
    this.queue = new PostgresQueueStore(db, schema, (tx, run, range, lost, now) =>
      recoverBatches(tx, claims, run, { ...range, event: TAKEN_OVER }, lost, now),
    );
  }

  /** What processes of this machine kept while they couldn't reach the ledger. */
  takeIn(): Promise<void> {
    return this.#kept.takeIn(this.execution, () => this.#clock.now());
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
    this.#kept.tell();
    await this.#locks.close();
    await this.#inputs.close();
    await this.#db.close();
  }
}
