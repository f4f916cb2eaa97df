import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const SERVER = fileURLToPath(new URL('server.mjs', import.meta.url));
const READY_WITHIN_MS = 60_000;

/**
 * The URL of the one server of this test run. The first test that requires it starts it, in a process that watches the run and
 * takes the server and its data away with it, however it ends (global-setup.ts names which run it is).
 */
export async function serverUrl(): Promise<string> {
  const run = process.env.LICENSE_SYNC_TEST_RUN ?? String(process.ppid);
  const folder = path.join(tmpdir(), `license-sync-test-postgres-${run}`);
  const ready = path.join(folder, 'ready.json');
  try {
    mkdirSync(folder, { mode: 0o755 });
    const log = openSync(path.join(folder, 'log'), 'w');
    spawn(process.execPath, [SERVER, folder, run], { detached: true, stdio: ['ignore', log, log] }).unref();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  for (const deadline = Date.now() + READY_WITHIN_MS; !existsSync(ready); ) {
    if (Date.now() > deadline) throw new Error(readFileSync(path.join(folder, 'log'), 'utf8'));
    await delay(20);
  }
  return (JSON.parse(readFileSync(ready, 'utf8')) as { url: string }).url;
}

/** A place for a ledger of its own: the address to open it by, here or as `--ledger` of a process. */
export interface PostgresPlace {
  readonly url: string;
  readonly schema: string;
  /** A statement as the owner of the database, with what it gives. */
  ask<T = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<T[]>;
  /** Schema and all. */
  remove(): Promise<void>;
}

/** A place without a ledger. */
export async function postgresPlace(): Promise<PostgresPlace> {
  const server = await serverUrl();
  const schema = `t_${randomBytes(6).toString('hex')}`;
  const ask = asking(server, schema);
  return {
    url: `${server}?schema=${schema}`,
    schema,
    ask,
    async remove() {
      for (const name of [schema, `${schema}_queue`]) await ask(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
    },
  };
}

const TEMPLATE = 'ledger_template';
const SCHEMA = 'license_sync';
/** Any number: who makes the template holds it. */
const MAKING = 4_711;

/** Databases of this process that hold an empty ledger and that no test uses. */
const unused: string[] = [];
let pristine: Promise<EmptyLedger> | undefined;

/** What a database with an empty ledger contains. */
interface EmptyLedger {
  /** Of its tables, columns, constraints, triggers, functions and grants. */
  readonly fingerprint: string;
  /** The rows of its tables, as JSON, by table. */
  readonly rows: ReadonlyMap<string, string | null>;
  readonly sequences: readonly string[];
}

/** A place with an empty ledger in a database of its own: one of an earlier test that was emptied, or a copy of the template. */
export async function madePostgresPlace(make: (url: string) => Promise<unknown>): Promise<PostgresPlace> {
  const server = await serverUrl();
  // A new name for each use: the program remembers ledgers by their addresses.
  const name = `t_${randomBytes(6).toString('hex')}`;
  const database = (it: string): string => server.replace(/\/postgres$/, `/${it}`);
  const owner = asking(server);
  const ask = asking(database(name), SCHEMA);
  const emptied = unused.pop();
  if (emptied !== undefined) await owner(`ALTER DATABASE ${emptied} RENAME TO ${name}`);
  else {
    copies ??= prepareTemplate(server, () => make(`${database('ledger_making')}?schema=${SCHEMA}`));
    await owner(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} ${await copies}`);
    pristine ??= withClient(database(name), contentsOf);
    await pristine;
  }
  // Otherwise all of them would be one ledger that was restored again and again.
  await ask(
    "DELETE FROM server_identity; UPDATE ledger_identity SET id = replace(gen_random_uuid()::text, '-', '')",
  );
  return {
    url: `${database(name)}?schema=${SCHEMA}`,
    schema: SCHEMA,
    ask,
    async remove() {
      const empty = await pristine;
      if (empty && (await emptyDatabase(database(name), empty))) unused.push(name);
      else await owner(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** @returns false where a test changed more than the rows of the tables, or removed the database */
async function emptyDatabase(url: string, empty: EmptyLedger): Promise<boolean> {
  try {
    return await withClient(url, async (client) => {
      await client.query(
        `SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA}_queue CASCADE`);
      if ((await fingerprint(client)) !== empty.fingerprint) return false;
      const deleted = [...empty.rows.keys()].map((table) => `DELETE FROM ${table}`);
      const restarted = empty.sequences.map((it) => `ALTER SEQUENCE ${it} RESTART`);
      // Triggers and foreign keys refuse what a test run does only.
      await client.query(
        `BEGIN; SET LOCAL session_replication_role = replica; ${[...deleted, ...restarted].join('; ')}`,
      );
      for (const [table, rows] of empty.rows) {
        if (rows === null) continue;
        await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
          rows,
        ]);
      }
      await client.query('COMMIT');
      return true;
    });
  } catch (error) {
    if (error instanceof pg.DatabaseError) return false;
    throw error;
  }
}

async function contentsOf(client: pg.Client): Promise<EmptyLedger> {
  const found = await client.query(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1",
    [SCHEMA],
  );
  const rows = new Map<string, string | null>();
  for (const { name } of found.rows) {
    const content = await client.query(`SELECT json_agg(it)::text AS it FROM ${name} AS it`);
    rows.set(name, content.rows[0].it);
  }
  const sequences = await client.query(
    "SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences WHERE schemaname = $1",
    [SCHEMA],
  );
  return { fingerprint: await fingerprint(client), rows, sequences: sequences.rows.map(({ name }) => name) };
}

async function fingerprint(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`WITH own AS (
      SELECT c.oid, c.relname, c.relkind, c.relacl, c.relowner, c.relrowsecurity
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
    ), described AS (
      SELECT concat_ws(' ', relname, relkind, relacl, relowner, relrowsecurity) AS it FROM own
      UNION ALL SELECT concat_ws(' ', relname, attname, atttypid, attnotnull) FROM own
        JOIN pg_attribute ON attrelid = own.oid WHERE attnum > 0 AND NOT attisdropped
      UNION ALL SELECT concat_ws(' ', relname, tgname, tgenabled) FROM own JOIN pg_trigger ON tgrelid = own.oid
        WHERE NOT tgisinternal
      UNION ALL SELECT concat_ws(' ', relname, conname, pg_get_constraintdef(k.oid)) FROM own
        JOIN pg_constraint k ON conrelid = own.oid
      UNION ALL SELECT concat_ws(' ', nspname, nspowner, nspacl) FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%'
      UNION ALL SELECT concat_ws(' ', proname, proacl, prosrc) FROM pg_proc p
        JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
      UNION ALL SELECT concat_ws(' ', datacl, datdba, datconnlimit) FROM pg_database WHERE datname = current_database()
      UNION ALL SELECT concat_ws(' ', setconfig) FROM pg_db_role_setting s
        JOIN pg_database d ON d.oid = s.setdatabase WHERE d.datname = current_database()
    ) SELECT md5(string_agg(it, E'\n' ORDER BY it)) AS it FROM described`);
  return rows[0].it;
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A server that is stopped ends the session; the query reports it.
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

let copies: Promise<string> | undefined;

/** Gives how the server copies a database soonest; before version 15 there was one way. */
async function prepareTemplate(server: string, make: () => Promise<unknown>): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MAKING]);
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (found.rowCount === 0) {
      await client.query('DROP DATABASE IF EXISTS ledger_making WITH (FORCE)');
      await client.query('CREATE DATABASE ledger_making');
      await make();
      await client.query(`ALTER DATABASE ledger_making RENAME TO ${TEMPLATE}`);
    }
    const [version] = (await client.query("SELECT current_setting('server_version_num')::int AS it")).rows;
    return version.it < 150_000 ? '' : 'STRATEGY FILE_COPY';
  } finally {
    await client.end();
  }
}

/** Queries a server, each time in a session of its own. */
export function asking(server: string, schema?: string): PostgresPlace['ask'] {
  return <T>(sql: string, params: readonly unknown[] = []): Promise<T[]> =>
    withClient(server, async (client) => {
      if (schema !== undefined) await client.query(`SET search_path TO ${schema}`);
      return (await client.query(sql, [...params])).rows as T[];
    });
}
