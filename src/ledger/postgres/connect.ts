import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Clock } from '../../util/clock.js';
import { type PostgresAddress, postgresUrl } from '../../util/postgres-url.js';
import type { RestoreState } from '../contract/sending-guard.js';
import type { MigrationObserver } from '../contract/upkeep.js';
import type { Migration } from '../shared/platform-scopes.js';
import { Database } from './database.js';
import { isBroken, LostCommit, NoAnswer, openFailure } from './failures.js';
import { MIGRATIONS } from './migrations/index.js';
import { refusePooler } from './pooler.js';
import { ServerWatch } from './server-watch.js';
import { besideMs, Session, type SessionLimits } from './session.js';
import { tlsTrials } from './tls.js';
import type { Queryable } from './transaction.js';

/** The oldest server whose words are used here. */
const OLDEST = 140_000;
const KEEP_ALIVE_MS = 5000;
/** Sessions of one process at once. */
const SESSIONS = 8;
const MIGRATOR_LOOKS_MS = 50;
/** Without the table of proofs: what became of a COMMIT without an answer is found by trying again. */
const MIGRATING = { lostCommit: 'thrown', patienceMs: 0 } as const;
const MIGRATION_TRIES = 5;
const TRY_AGAIN_MS = 500;

export interface ConnectOptions {
  /** Asked for with every session that wants it; undefined: `~/.pgpass` may know. */
  readonly password?: () => Promise<string | undefined>;
  /** How long to go on trying while the server can't be reached, at the start or later. */
  readonly patienceMs: number;
  /** How long to wait for a reply before a connection is considered broken. */
  readonly replyMs: number;
  /** Told once that the server can't be reached yet. */
  readonly waits?: (note: Message) => unknown;
  /** Whether a ledger is made where there is none. */
  readonly make: boolean;
  readonly made?: () => void;
  /** What happens to a schema older than the program's. */
  readonly older: OlderSchema;
  readonly migrated?: MigrationObserver;
}

/**
 * - refuse: the command ends with exit code 2
 * - wait: it is migrated by another command within `patienceMs`, or this one ends with exit code 5
 * - migrate: it is migrated here
 */
export type OlderSchema = 'refuse' | 'wait' | 'migrate';

export interface Connected {
  readonly db: Database;
  /** It has seen every session. */
  readonly server: ServerWatch;
}

/**
 * Opens the ledger in a schema, making schema and tables if need be. What can't be used (a newer or a foreign schema, a
 * pooler that hands out a session for a transaction only, a server that copies another one) is refused before anything is
 * written.
 * @returns undefined where there is none and none is to be made
 */
export async function connect(
  address: PostgresAddress,
  clock: Clock,
  options: ConnectOptions,
): Promise<Connected | undefined> {
  return onServer(address, clock, options, async (connected) => {
    const { db } = connected;
    const { schema } = address;
    const version = await versionOf(db, schema, db.location);
    if (version === undefined && !options.make) return undefined;
    if (version === undefined) {
      await migrate(db, schema, clock);
      options.made?.();
    } else if (version < MIGRATIONS.length && options.older === 'migrate') {
      const from = await migrate(db, schema, clock);
      if (from < MIGRATIONS.length) options.migrated?.({ from, to: MIGRATIONS.length });
    } else if (version < MIGRATIONS.length) await migratedByAnother(db, schema, clock, options);
    return connected;
  });
}

function olderSchema(location: string, found: number): Message {
  return message('ledger.older', { location, found, known: MIGRATIONS.length });
}

/** @throws ProductError usage for an older schema; internal where it was waited for */
async function migratedByAnother(
  db: Database,
  schema: string,
  clock: Clock,
  { older, patienceMs, waits }: ConnectOptions,
): Promise<void> {
  const { location } = db;
  const until = clock.monotonic() + patienceMs;
  for (let told = false; ; told = true) {
    const found = (await versionOf(db, schema, location)) ?? 0;
    if (found === MIGRATIONS.length) return;
    const left = until - clock.monotonic();
    const why = olderSchema(location, found);
    if (older !== 'wait' || left <= 0) throw new ProductError(older === 'wait' ? 'internal' : 'usage', why);
    if (!told) waits?.(message('ledger.waits_for_server', { why, seconds: Math.ceil(left / 1000) }));
    await clock.sleep(Math.min(TRY_AGAIN_MS, left));
  }
}

/** What a look at a server found; nothing was changed there. */
export interface InspectedServer {
  readonly hasLedger: boolean;
  /** Its schema is older than the program's. */
  readonly older?: Message;
  /** A COMMIT may be lost with the power. */
  readonly unsafe: boolean;
  /** It has standbys, and none of them is waited for: what takes its place may lack the last commits. */
  readonly asynchronous: boolean;
  /** Absent where there is no ledger, or one of an older program. */
  readonly restored?: RestoreState;
}

const SAFETY = `
SELECT (current_setting('fsync') = 'off')::int AS unsafe,
  (SELECT count(*) FROM pg_stat_replication) AS standbys,
  (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS synchronous,
  current_setting('synchronous_standby_names') AS awaited`;

interface SafetyLine {
  readonly unsafe: number;
  readonly standbys: number;
  /** 0 as well where this user may not see it. */
  readonly synchronous: number;
  readonly awaited: string;
}

/** Looks at the server of a ledger, whether there is one yet or not. */
export async function inspect(
  address: PostgresAddress,
  clock: Clock,
  how: Pick<ConnectOptions, 'password' | 'replyMs'>,
  stateOf: (connected: Connected) => Promise<RestoreState>,
): Promise<InspectedServer> {
  const options: ConnectOptions = { ...how, make: false, patienceMs: 0, older: 'refuse' };
  const found = await onServer(address, clock, options, async (connected) => {
    const { db } = connected;
    const version = await versionOf(db, address.schema, db.location);
    const restored = version === MIGRATIONS.length ? await stateOf(connected) : undefined;
    const safety = await db.get<SafetyLine>(SAFETY);
    await db.close();
    return {
      hasLedger: version !== undefined,
      ...(version !== undefined && version < MIGRATIONS.length
        ? { older: olderSchema(db.location, version) }
        : {}),
      ...(restored ? { restored } : {}),
      unsafe: safety?.unsafe === 1,
      asynchronous: (safety?.standbys ?? 0) > 0 && safety?.synchronous === 0 && safety.awaited === '',
    };
  });
  return found ?? { hasLedger: false, unsafe: false, asynchronous: false };
}

/** Reaches a server and refuses one that can't be used; closed again unless something comes of `work`. */
async function onServer<T>(
  address: PostgresAddress,
  clock: Clock,
  options: ConnectOptions,
  work: (connected: Connected) => Promise<T | undefined>,
): Promise<T | undefined> {
  const location = postgresUrl(address);
  const found = await reach(address, clock, options, location);
  const { patienceMs, replyMs } = options;
  const setUp = setUpOf(address.schema);
  const db = new Database({ location, config: found, setUp, most: SESSIONS, patienceMs, replyMs }, clock);
  const server = new ServerWatch(db);
  try {
    await refusePooler(db, location);
    await refuseServer(db);
    const result = await work({ db, server });
    if (result === undefined) await db.close();
    return result;
  } catch (error) {
    await db.close();
    throw openFailure(error, location);
  }
}

/** Settings by which the server takes a session; one that can't be reached is waited for. */
async function reach(
  address: PostgresAddress,
  clock: Clock,
  { password, patienceMs, replyMs, waits }: ConnectOptions,
  location: string,
): Promise<pg.ClientConfig> {
  const { host, port, user, database } = address;
  const base: pg.ClientConfig = {
    host,
    port,
    user,
    database,
    application_name: 'license-sync',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const found = await password?.();
  if (found !== undefined) base.password = async () => (await password?.()) ?? '';
  const trials = tlsTrials(address).map((ssl): pg.ClientConfig => ({ ...base, ssl }));
  const until = clock.monotonic() + patienceMs;
  for (let told = false; ; ) {
    const left = until - clock.monotonic();
    const openMs = patienceMs === 0 ? replyMs : Math.max(Math.min(replyMs, left), besideMs(replyMs));
    try {
      return await firstTaken(trials, { replyMs, openMs });
    } catch (error) {
      const rest = until - clock.monotonic();
      const failure = openFailure(error, location);
      if (!isBroken(error) || rest <= 0) throw failure;
      const seconds = Math.ceil(rest / 1000);
      if (!told) waits?.(message('ledger.waits_for_server', { why: failure.detail, seconds }));
      told = true;
      await clock.sleep(Math.min(TRY_AGAIN_MS, rest));
    }
  }
}

/** The first of the settings by which the server takes a session. */
async function firstTaken(
  trials: readonly pg.ClientConfig[],
  limits: SessionLimits,
): Promise<pg.ClientConfig> {
  let failure: unknown;
  for (const config of trials) {
    try {
      await (await Session.open(config, 'SELECT 1', limits)).close();
      return config;
    } catch (error) {
      // What the first trial says is nearer to what was asked for than what comes of the next one.
      failure = failure === undefined || isWayRound(failure) ? error : failure;
      // The next one would take as long.
      if (error instanceof NoAnswer) break;
    }
  }
  throw failure;
}

/** The server doesn't do TLS, so that the next trial decides. */
function isWayRound(error: unknown): boolean {
  return error instanceof Error && error.message.includes('does not support SSL');
}

/**
 * What every session begins with. A COMMIT returns once it is on disk, here and on every synchronous standby, whatever the
 * role's or the database's defaults are. A process that stands still within a transaction keeps its locks for seconds only,
 * and a machine that is gone is noticed. Whatever is read by the page is read in the order of an index: the planner knows
 * little of what a run has just written, and would sort all the rest of it for each page, or go over the whole of a table that
 * was small when it made a plan.
 */
function setUpOf(schema: string): string {
  return `
    SET search_path TO ${schema};
    SET TIME ZONE 'UTC';
    SET statement_timeout = 0;
    SET lock_timeout = 0;
    SET idle_in_transaction_session_timeout = '10s';
    SET jit = off;
    SET enable_seqscan = off;
    SET enable_bitmapscan = off;
    SET random_page_cost = 1.1;
    SET tcp_keepalives_idle = 10;
    SET tcp_keepalives_interval = 5;
    SET tcp_keepalives_count = 3;
    SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
      WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false);`;
}

interface ServerLine {
  readonly version: number;
  readonly named: string;
  readonly encoding: string;
  readonly copies: boolean;
}

async function refuseServer(db: Database): Promise<void> {
  const { location } = db;
  const found = await db.get<ServerLine>(`SELECT current_setting('server_version_num')::int AS version,
    current_setting('server_version') AS named, current_setting('server_encoding') AS encoding,
    pg_is_in_recovery() AS copies`);
  if (!found) return;
  const { version, named, encoding } = found;
  if (version < OLDEST) {
    throw new ProductError('usage', message('ledger.server_too_old', { location, version: named }));
  }
  if (encoding !== 'UTF8') {
    throw new ProductError('usage', message('ledger.server_encoding', { location, encoding }));
  }
  if (found.copies) throw new ProductError('usage', message('ledger.server_standby', { location }));
}

/** @returns undefined where the schema has no ledger yet */
async function versionOf(db: Queryable, schema: string, location: string): Promise<number | undefined> {
  const there = await db.get<{ version: boolean; others: number }>(
    `SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = 'schema_version') AS version,
      (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')) AS others`,
    [schema],
  );
  if (!there?.version) {
    if ((there?.others ?? 0) === 0) return undefined;
    throw new ProductError('usage', message('ledger.schema_taken', { location, schema }));
  }
  const found = (await db.get<{ version: number }>('SELECT version FROM schema_version'))?.version ?? 0;
  if (found > MIGRATIONS.length) {
    const params = { location, found: String(found), known: String(MIGRATIONS.length) };
    throw new ProductError('usage', message('ledger.server_newer', params));
  }
  return found;
}

async function migrateOnce(tx: Queryable, step: Migration): Promise<void> {
  if (typeof step === 'string') {
    await tx.run(step);
    return;
  }
  await tx.run(step.before);
  await tx.run(step.fill, [step.parameter(await tx.all<never>(step.read))]);
  await tx.run(step.after);
}

/**
 * Brings the tables up to date in one transaction; of several programs one does it, and the others wait for it.
 * @returns the version that it found
 */
async function migrate(db: Database, schema: string, clock: Clock): Promise<number> {
  const key = lockKey(['migration', schema]);
  let lost = 0;
  for (;;) {
    const migrating = db.transaction(async (tx) => {
      const [lock] = await tx.all<{ had: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS had', [key]);
      if (!lock?.had) return undefined;
      // Asked for first: to make one that is there takes the right to make schemas.
      const [has] = await tx.all('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
      if (!has) await tx.run(`CREATE SCHEMA ${schema}`);
      const from = (await versionOf(tx, schema, db.location)) ?? 0;
      for (const step of MIGRATIONS.slice(from)) await migrateOnce(tx, step);
      if (from === 0) {
        await tx.run('CREATE TABLE schema_version (version integer NOT NULL)');
        await tx.run('CREATE UNIQUE INDEX one_version ON schema_version ((true))');
        await tx.run('INSERT INTO schema_version VALUES (0)');
      }
      await tx.run(`UPDATE schema_version SET version = ${MIGRATIONS.length}`);
      return from;
    }, MIGRATING);
    const found = await migrating.catch(async (error: unknown) => {
      lost += 1;
      if (!(error instanceof LostCommit) || lost === MIGRATION_TRIES) throw error;
      await db.settled(error);
      return undefined;
    });
    if (found !== undefined) return found;
    await clock.sleep(MIGRATOR_LOOKS_MS);
  }
}

/** A number for the server's advisory locks; as text, because it takes all of an int8. */
export function lockKey(about: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['license-sync', ...about]))
    .digest()
    .readBigInt64BE()
    .toString();
}
