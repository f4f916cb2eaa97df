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
 * The URL of the one server of this test run. The first test that wants it starts it, in a process that watches the run and
 * takes the server and its data away with it, however it ends (global-setup.ts says which run it is).
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

/** A place with an empty ledger in a database of its own: a copy of one that was made once, which is made sooner. */
export async function madePostgresPlace(make: (url: string) => Promise<unknown>): Promise<PostgresPlace> {
  const server = await serverUrl();
  const name = `t_${randomBytes(6).toString('hex')}`;
  const database = (it: string): string => server.replace(/\/postgres$/, `/${it}`);
  const owner = asking(server);
  copies ??= prepareTemplate(server, () => make(`${database('ledger_making')}?schema=${SCHEMA}`));
  await owner(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} ${await copies}`);
  const ask = asking(database(name), SCHEMA);
  // Otherwise the copies would be one ledger that was restored again and again.
  await ask("UPDATE ledger_identity SET id = replace(gen_random_uuid()::text, '-', '')");
  await ask('DELETE FROM server_identity');
  return {
    url: `${database(name)}?schema=${SCHEMA}`,
    schema: SCHEMA,
    ask,
    remove: async () => void (await owner(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
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

/** Asks a server, each time by a session of its own. */
export function asking(server: string, schema?: string): PostgresPlace['ask'] {
  return async <T>(sql: string, params: readonly unknown[] = []): Promise<T[]> => {
    const client = new pg.Client({ connectionString: server });
    // A server that is stopped ends the session; the query says so.
    client.on('error', () => {});
    await client.connect();
    try {
      if (schema !== undefined) await client.query(`SET search_path TO ${schema}`);
      return (await client.query(sql, [...params])).rows as T[];
    } finally {
      await client.end();
    }
  };
}
