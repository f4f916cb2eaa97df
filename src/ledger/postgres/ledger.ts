import type { Message } from '../../errors/message.js';
import type { Clock } from '../../util/clock.js';
import {
  accessOf,
  ledgerPatienceMs,
  ledgerReplyMs,
  parsePostgresUrl,
  passwordOf,
  stateFolderOf,
} from '../../util/ledger-address.js';
import type { Ledger } from '../contract/ledger.js';
import type { MigrationObserver } from '../contract/upkeep.js';
import { LedgerGuard } from '../marks/ledger-guard.js';
import { TAKEN_OVER } from '../rules/attempts.js';
import { SqlAuditStore } from '../store/audit.js';
import { sqlStores } from '../store/stores.js';
import { type Connected, connect, type InspectedServer, inspect } from './connect.js';
import { PostgresExecutionStore } from './execution.js';
import { PostgresInputStore, PostgresPendingFileStore } from './inputs.js';
import type { OlderSchema } from './migrate.js';
import { PostgresQueueStore } from './queue.js';
import { recoverBatches } from './recover.js';
import { RunLocks } from './run-lock.js';
import { PostgresRunner, RunNumbers } from './runner.js';
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
  const { ledger, kept } = postgresLedger(connected, address.schema, clock, note);
  // Replies that processes of this machine kept while the ledger was unreachable.
  await kept.importSpooled(ledger.execution, () => clock.now());
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

function postgresLedger(
  { db, server }: Connected,
  schema: string,
  clock: Clock,
  note: (note: Message) => unknown,
) {
  const locks = new RunLocks(db, schema, clock);
  const numbers = new RunNumbers(db, (run) => locks.of(run));
  const runner = new PostgresRunner(db, numbers.known, (whole, work) => numbers.underLock(whole, work));
  const kept = new SpooledReplies(db, db.location, note);
  const guard = guardOf({ db, server }, clock);
  const inputs = new PostgresInputStore(db, clock);
  const execution = new PostgresExecutionStore(runner, db, { numbers, clock }, { server, guard, kept });
  let open = true;
  const ledger = {
    ...sqlStores(runner, clock),
    location: db.location,
    address: db.location,
    stateFolder: stateFolderOf(db.location),
    guard,
    execution,
    inputs,
    pendingFiles: new PostgresPendingFileStore(db),
    upkeep: new PostgresUpkeep(db),
    queue: new PostgresQueueStore(db, schema, numbers, (tx, run, range, lost, now) =>
      recoverBatches(tx, run, { ...range, event: TAKEN_OVER }, lost, now),
    ),
    lock: (job: string, connection: string, run: string) => locks.take(job, connection, run),
    holder: (job: string, connection: string) => locks.holder(job, connection),
    async close() {
      if (!open) return;
      open = false;
      await execution.idle();
      guard.flush();
      kept.reportProblems();
      await locks.close();
      await inputs.close();
      await db.close();
    },
  } satisfies Ledger;
  return { ledger, kept };
}
