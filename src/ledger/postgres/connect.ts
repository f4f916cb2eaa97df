import type pg from 'pg';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Clock } from '../../util/clock.js';
import { type PostgresAddress, postgresUrl } from '../../util/ledger-address.js';
import type { RestoreState } from '../contract/sending-guard.js';
import { Database } from './database.js';
import { isBroken, NoAnswer, openFailure } from './failures.js';
import { olderSchema, prepareTables, type TableOptions, versionOf } from './migrate.js';
import { MIGRATIONS } from './migrations/index.js';
import { refusePooler } from './pooler.js';
import { ServerWatch } from './server-watch.js';
import { besideMs, Session, type SessionLimits } from './session.js';
import { tlsTrials } from './tls.js';

/** The oldest supported server version. */
const OLDEST = 140_000;
const KEEP_ALIVE_MS = 5000;
/** Maximum number of sessions of one process. */
const SESSIONS = 8;
const TRY_AGAIN_MS = 500;

export interface ConnectOptions extends TableOptions {
  /** Called when a session needs it. If it returns undefined, `~/.pgpass` is used. */
  readonly password?: () => Promise<string | undefined>;
  /** How long to wait for a reply before a connection is considered broken. */
  readonly replyMs: number;
}

export interface Connected {
  readonly db: Database;
  /** Has checked every session. */
  readonly server: ServerWatch;
}

/**
 * Opens the ledger in a schema, creating schema and tables if needed. Refuses, before anything is written, a newer or foreign
 * schema, a pooler in transaction mode, and a standby server.
 * @returns undefined if there is none and none is to be created
 */
export async function connect(
  address: PostgresAddress,
  clock: Clock,
  options: ConnectOptions,
): Promise<Connected | undefined> {
  return onServer(address, clock, options, async (connected) => {
    const isThere = await prepareTables(connected.db, address.schema, clock, options);
    return isThere ? connected : undefined;
  });
}

/** The result of an inspection, which changes nothing on the server. */
export interface InspectedServer {
  readonly hasLedger: boolean;
  /** Its schema is older than the program's. */
  readonly older?: Message;
  /** A COMMIT may be lost in a power failure. */
  readonly unsafe: boolean;
  /** It has standbys, but a COMMIT waits for none of them: a promoted standby may lack the last commits. */
  readonly asynchronous: boolean;
  /** Absent if there is no ledger, or one with an older schema. */
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
  /** Also 0 if this user may not see it. */
  readonly synchronous: number;
  readonly awaited: string;
}

/** Inspects the server of a ledger that may not exist yet. */
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
      older:
        version !== undefined && version < MIGRATIONS.length ? olderSchema(db.location, version) : undefined,
      restored,
      unsafe: safety?.unsafe === 1,
      asynchronous: (safety?.standbys ?? 0) > 0 && safety?.synchronous === 0 && safety.awaited === '',
    };
  });
  return found ?? { hasLedger: false, unsafe: false, asynchronous: false };
}

/** Connects to a server and refuses one that can't be used. Closes the connection if `work` fails or returns undefined. */
async function onServer<T>(
  address: PostgresAddress,
  clock: Clock,
  options: ConnectOptions,
  work: (connected: Connected) => Promise<T | undefined>,
): Promise<T | undefined> {
  const location = postgresUrl(address);
  const config = await reach(address, clock, options, location);
  const { patienceMs, replyMs, waits } = options;
  const setUp = setUpOf(address.schema);
  const db = new Database({ location, config, setUp, most: SESSIONS, patienceMs, replyMs, waits }, clock);
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

/** Client settings that the server accepts. Waits for an unreachable server. */
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
  const hasPassword = (await password?.()) !== undefined;
  if (hasPassword) base.password = async () => (await password?.()) ?? '';
  const trials = tlsTrials(address).map((ssl): pg.ClientConfig => ({ ...base, ssl }));
  const until = clock.monotonic() + patienceMs;
  for (let isReported = false; ; ) {
    const left = until - clock.monotonic();
    const openMs = patienceMs === 0 ? replyMs : Math.max(Math.min(replyMs, left), besideMs(replyMs));
    try {
      return await firstAccepted(trials, { replyMs, openMs });
    } catch (error) {
      const rest = until - clock.monotonic();
      const failure = openFailure(error, location);
      if (!isBroken(error) || rest <= 0) throw failure;
      const seconds = Math.ceil(rest / 1000);
      if (!isReported) waits?.(message('ledger.waits_for_server', { why: failure.detail, seconds }));
      isReported = true;
      await clock.sleep(Math.min(TRY_AGAIN_MS, rest));
    }
  }
}

/** The first of the settings that the server accepts. */
async function firstAccepted(
  trials: readonly pg.ClientConfig[],
  limits: SessionLimits,
): Promise<pg.ClientConfig> {
  let failure: unknown;
  for (const config of trials) {
    try {
      await (await Session.open(config, 'SELECT 1', limits)).close();
      return config;
    } catch (error) {
      // The error of the first trial fits the address best.
      failure = failure === undefined || isTlsUnsupported(failure) ? error : failure;
      // The next trial would take as long.
      if (error instanceof NoAnswer) break;
    }
  }
  throw failure;
}

/** The server doesn't support TLS, so the next trial decides. */
function isTlsUnsupported(error: unknown): boolean {
  return error instanceof Error && error.message.includes('does not support SSL');
}

/**
 * Statements that set up every session, regardless of the defaults of role and database. A COMMIT returns when it is on disk,
 * here and on every synchronous standby. A process that is suspended within a transaction keeps its locks for seconds only,
 * and the server notices a machine that no longer exists. Pages are read in the order of an index: the planner has no
 * statistics of what a run has just written, and would sort the rest for each page, or scan a table that was small when the
 * plan was made.
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
  if (version < OLDEST)
    throw new ProductError('usage', message('ledger.server_too_old', { location, version: named }));
  if (encoding !== 'UTF8')
    throw new ProductError('usage', message('ledger.server_encoding', { location, encoding }));
  if (found.copies) throw new ProductError('usage', message('ledger.server_standby', { location }));
}
