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

export async function postgresPlace(): Promise<PostgresPlace> {
  const server = await serverUrl();
  const schema = `t_${randomBytes(6).toString('hex')}`;
  const ask = async <T>(sql: string, params: readonly unknown[] = []): Promise<T[]> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(`SET search_path TO ${schema}`);
      return (await client.query(sql, [...params])).rows as T[];
    } finally {
      await client.end();
    }
  };
  return {
    url: `${server}?schema=${schema}`,
    schema,
    ask,
    async remove() {
      for (const name of [schema, `${schema}_queue`]) await ask(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
    },
  };
}
