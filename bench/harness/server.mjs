// A PostgreSQL server for the ledger, on this machine and durable, for as long as this process lives.

import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../../test/support/postgres/server.mjs', import.meta.url));
const READY_WITHIN_MS = 60_000;

let served;
let schemas = 0;

/** The address of a ledger that isn't there yet. */
export async function freshLedger() {
  served ??= serve();
  schemas += 1;
  return `${await served}?schema=bench_${process.pid}_${schemas}`;
}

async function serve() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'license-sync-bench-'));
  const log = openSync(path.join(folder, 'log'), 'w');
  // It may not be run by root, and its folder is another user's then.
  chmodSync(folder, 0o755);
  spawn(process.execPath, [SERVER, folder, String(process.pid)], {
    detached: true,
    stdio: ['ignore', log, log],
  }).unref();
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await delay(50)) {
    const ready = await readFile(path.join(folder, 'ready.json'), 'utf8').catch(() => undefined);
    if (ready) return JSON.parse(ready).url;
  }
  throw new Error(await readFile(path.join(folder, 'log'), 'utf8'));
}
