import { statSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
import { Database } from '../../src/ledger/sqlite/database.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';

const ORDERS = 30;
/** Of SQLite's write-ahead log: its header, and a page with a header of its own. */
const LOG_HEADER = 32;
const FRAME = 24 + 4096;

let fixture: Fixture;
let scratch: string;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  scratch = await mkdtemp(path.join(tmpdir(), 'license-sync-log-'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await platform.stop();
  await fixture.close();
  await rm(scratch, { recursive: true, force: true });
});

interface Left {
  readonly nonce: string;
  /** How much of the log was on disk for sure when the request came to the platform. */
  readonly durable: number;
}

/** Runs a job; gives what left. */
async function runWatched(seed: number): Promise<readonly Left[]> {
  const ledger = fixture.ledger.location;
  let durable = 0;
  const { exec } = Database.prototype;
  vi.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database, sql: string) {
    exec.call(this, sql);
    // With `synchronous=FULL` a commit returns after its fsync (`bench/strace-order.mjs` shows it).
    if (sql === 'COMMIT' && this.location === ledger) durable = sizeOfLog(ledger);
  });
  const left: Left[] = [];
  // Answers come in an order of their own, some are refused, some are lost.
  platform = await new FakePlatform(async (seen, count) => {
    left.push({ nonce: seen.nonce, durable });
    const lot = (Math.imul(count + seed, 2_654_435_761) >>> 16) % 16;
    await new Promise((resolve) => setTimeout(resolve, lot));
    if (lot === 3) return { body: { code: '500', message: 'busy' } };
    if (lot === 5) return 'reset';
    return ordersDone(seen);
  }).start();
  await fixture.file('orders.csv', orderRows(ORDERS));
  const job = await fixture.file('job.yaml', orderJob());
  const set = ['run.concurrency=8', 'run.stopAfterFailures=1000'];
  await fixture.run(job, { set, connection: platform.connection() });
  return left;
}

function sizeOfLog(ledger: string): number {
  return statSync(`${ledger}-wal`).size;
}

/** Nonces of all attempts that a ledger knows, from its files as a crash left them. */
async function attemptsIn(file: string): Promise<Set<string>> {
  const ledger = await openLedger(file);
  // The user who reads folds first.
  await ledger.runs.list(1);
  await ledger.close();
  const db = new Database(file, { timeout: 0 });
  const found = db.all<{ nonce: string }>('SELECT nonce FROM attempts').map((it) => it.nonce);
  db.close();
  return new Set(found);
}

describe('a ledger whose log was torn', () => {
  test('knows every request that had left when so much of it was on disk, wherever it is torn', async () => {
    const seed = Number(process.env.LEDGER_SEED ?? 16);
    const left = await runWatched(seed);
    const { location } = fixture.ledger;
    const log = await readFile(`${location}-wal`);
    expect(left.length).toBeGreaterThanOrEqual(ORDERS);
    // Nothing of the log had gone into the main file, so that what lies before a tear is all of it.
    const first = Math.min(...left.map((it) => it.durable));
    let torn = 0;
    for (let end = LOG_HEADER; end <= log.length; end += FRAME) {
      if (end < first) continue;
      const expected = left.filter((it) => it.durable <= end).map((it) => it.nonce);
      const folder = path.join(scratch, String(torn));
      await mkdir(folder);
      await copyFile(location, path.join(folder, 'ledger.db'));
      await writeFile(path.join(folder, 'ledger.db-wal'), log.subarray(0, end));
      const known = await attemptsIn(path.join(folder, 'ledger.db'));
      const lost = expected.filter((nonce) => !known.has(nonce));
      expect(lost, `seed ${seed}, torn after ${end} of ${log.length} bytes`).toEqual([]);
      await rm(folder, { recursive: true });
      torn += 1;
    }
    expect(torn).toBeGreaterThan(20);
    expect((await stat(`${location}-wal`)).size).toBe(log.length);
  });
});
