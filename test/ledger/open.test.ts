import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
import { connect } from '../../src/ledger/sqlite/connect.js';
import { Database } from '../../src/ledger/sqlite/database.js';
import { MIGRATIONS } from '../../src/ledger/sqlite/migrations/index.js';
import { takeLock } from '../../src/ledger/take-lock.js';
import { systemClock } from '../../src/util/clock.js';
import { rememberLedgerPatience } from '../../src/util/ledger-address.js';
import {
  allPending,
  carry,
  openBatch,
  order,
  planRun,
  SUCCEEDED,
  statuses,
} from '../support/ledger-samples.js';
import { BACK_TO_VERSION_4 } from '../support/older-ledger.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledger-open-'));
  file = join(folder, 'state', 'ledger.db');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function mode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

/** A ledger on disk with one planned run. */
async function made(): Promise<void> {
  const ledger = await openLedger(file);
  await planRun(ledger, 'r1', [order(2)]);
  await ledger.close();
}

function change(sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

describe('opening a SQLite ledger', () => {
  test.skipIf(process.platform === 'win32')('folder 0700, files 0600 with their side files', async () => {
    const ledger = await openLedger(file);
    await planRun(ledger, 'r1', [order(2)]);
    const lock = await takeLock(ledger, 'j', 'c', 'r1');
    expect(await mode(join(folder, 'state'))).toBe('700');
    expect((await readdir(join(folder, 'state'))).sort()).toEqual([
      'ledger.db',
      'ledger.db-shm',
      'ledger.db-wal',
      'locks',
    ]);
    for (const side of ['', '-wal', '-shm']) expect(await mode(file + side)).toBe('600');
    expect(await mode(join(folder, 'state', 'locks'))).toBe('700');
    for (const name of await readdir(join(folder, 'state', 'locks'))) {
      expect(await mode(join(folder, 'state', 'locks', name))).toBe('600');
    }
    await lock.release();
    await ledger.close();
    await chmod(file, 0o644);
    await (await openLedger(file)).close();
    expect(await mode(file)).toBe('600');
  });

  test('commits are on disk when they return: settings are read back, on every opening', async () => {
    for (let time = 0; time < 2; time += 1) {
      const db = await connect(file, systemClock);
      expect(db.pragma('journal_mode')).toBe('wal');
      expect(db.pragma('synchronous')).toBe(2);
      expect(db.pragma('foreign_keys')).toBe(1);
      expect(db.pragma('user_version')).toBe(MIGRATIONS.length);
      db.close();
    }
  });

  test('a file has one name, however its path is written: locks are named after it', async () => {
    const ledger = await openLedger(`${folder}/elsewhere/..//state/ledger.db`);
    expect([ledger.location, ledger.address]).toEqual([file, file]);
    expect(ledger.stateFolder).toBe(join(folder, 'state'));
    await ledger.close();
    await ledger.close();
  });

  test('a newer ledger is refused and left as it is', async () => {
    const newer = await connect(file, systemClock);
    newer.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    newer.pragma('wal_checkpoint(TRUNCATE)');
    newer.close();
    const before = await readFile(file);
    await expect(openLedger(file)).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'ledger.newer' },
    });
    expect(await readFile(file)).toEqual(before);
  });

  test.each([
    ['text', async () => writeFile(file, 'Order No,Customer\n1,客户\n'.repeat(50))],
    ['another database', async () => change('CREATE TABLE t (a); INSERT INTO t VALUES (1)')],
    [
      'the database of another program',
      async () => change('PRAGMA application_id = 7; CREATE TABLE runs (a)'),
    ],
  ])('%s is no ledger, is refused and left as it is', async (_what, make) => {
    await mkdir(join(folder, 'state'));
    await make();
    const before = await readFile(file);
    await expect(openLedger(file)).rejects.toMatchObject({
      kind: 'internal',
      detail: { code: 'ledger.not_a_ledger', params: { location: file } },
    });
    expect(await readFile(file)).toEqual(before);
    expect(await readdir(join(folder, 'state'))).toEqual(['ledger.db']);
  });

  test('a damaged ledger is refused and left as it is', async () => {
    await made();
    const whole = await readFile(file);
    const torn = Buffer.from(whole);
    torn.fill(0x5a, 4096, 4096 * 12);
    for (const damaged of [torn, whole.subarray(0, whole.length - 4096 * 3)]) {
      await writeFile(file, damaged);
      await expect(openLedger(file)).rejects.toMatchObject({
        kind: 'internal',
        detail: { code: 'ledger.corrupt' },
      });
      expect(await readFile(file)).toEqual(damaged);
    }
  });

  test('closing leaves all of it in the main file', async () => {
    await made();
    const sizes = await Promise.all(['', '-wal'].map((side) => stat(file + side).catch(() => ({ size: 0 }))));
    expect(sizes[1]?.size).toBe(0);
    await writeFile(join(folder, 'copy.db'), await readFile(file));
    const copy = await openLedger(join(folder, 'copy.db'));
    expect(await copy.runs.get('r1')).toMatchObject({ state: 'planned', rows: 1 });
    await copy.close();
  });

  test('an empty file becomes a ledger', async () => {
    await mkdir(join(folder, 'state'));
    await (await open(file, 'w')).close();
    const ledger = await openLedger(file);
    expect(await ledger.runs.list(1)).toEqual([]);
    await ledger.close();
  });

  test('many that open a new ledger at once all get it', async () => {
    const ledgers = await Promise.all(Array.from({ length: 8 }, () => openLedger(file)));
    await Promise.all(ledgers.map((it, index) => planRun(it, `r${index}`, [order(2)])));
    expect(await ledgers[0]?.runs.list(20)).toHaveLength(8);
    for (const it of ledgers) await it.close();
  });

  test('one that another process makes while it is looked at is treated as what it is', async () => {
    await mkdir(join(folder, 'state'));
    change('PRAGMA journal_mode = WAL');
    const { pragma } = Database.prototype;
    const looking = vi.spyOn(Database.prototype, 'pragma').mockImplementation(function (
      this: Database,
      name: string,
    ) {
      const found = pragma.call(this, name);
      looking.mockRestore();
      change('BEGIN; PRAGMA application_id = 1280530755; CREATE TABLE theirs (x); COMMIT');
      return found;
    });
    const ledger = await openLedger(file);
    expect(await ledger.runs.list(1)).toEqual([]);
    await ledger.close();
  });

  test('a place that cannot be written to is a usage error that names it', async () => {
    await writeFile(join(folder, 'state'), '');
    await expect(openLedger(file)).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'ledger.cannot_open', params: { location: file } },
    });
  });

  test('a server that cannot be reached is waited for, and no password is repeated', async () => {
    rememberLedgerPatience(50);
    const refused = openLedger('postgres://user:secret@127.0.0.1:1/db');
    await expect(refused).rejects.toMatchObject({
      kind: 'internal',
      detail: {
        code: 'ledger.server_unreachable',
        params: { location: 'postgres://user@127.0.0.1:1/db' },
      },
    });
    await expect(refused).rejects.not.toThrow(/secret/);
    rememberLedgerPatience(undefined);
  });

  test('continues where a process died in the middle of making it', async () => {
    const half = join(folder, 'half.db');
    const db = new DatabaseSync(half);
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; CREATE TABLE half (text TEXT)');
    const insert = db.prepare('INSERT INTO half VALUES (?)');
    for (let row = 0; row < 500; row += 1) insert.run('x'.repeat(1000));
    await mkdir(join(folder, 'state'));
    // What lies on disk now is what a killed process leaves: pages of a change that was never finished.
    for (const side of ['', '-journal']) await copyFile(half + side, file + side);
    db.exec('ROLLBACK');
    db.close();
    await made();
    expect((await (await openLedger(file)).runs.list(5)).map((it) => it.id)).toEqual(['r1']);
  });

  test('an emptied one next to the inputs of earlier runs is not treated as a new one', async () => {
    await mkdir(join(folder, 'state', 'inputs', 'abc'), { recursive: true });
    await writeFile(file, '');
    await expect(openLedger(file)).rejects.toMatchObject({
      kind: 'internal',
      detail: { code: 'ledger.emptied' },
    });
    expect(await readFile(file, 'utf8')).toBe('');
  });

  test.skipIf(process.platform === 'win32')(
    'its own folder is closed to others, another one is left alone',
    async () => {
      const own = join(folder, '.license-sync');
      const shared = join(folder, 'shared');
      for (const it of [own, shared]) {
        await mkdir(it);
        await chmod(it, 0o755);
        await (await openLedger(join(it, 'ledger.db'))).close();
      }
      expect(await mode(own)).toBe('700');
      expect(await mode(shared)).toBe('755');
    },
  );

  test('a run that an older version began and left is resumed, its open attempts and its keys too', async () => {
    const ledger = await openLedger(file);
    const items = [2, 3, 4].map((row) => order(row, { key: `k${row}` }));
    await planRun(ledger, 'r1', items);
    await planRun(ledger, 'r2', items);
    await carry(ledger, 'r1', 1, { 1: SUCCEEDED });
    await openBatch(ledger, 'r1', 2);
    await ledger.execution.remaining('r1');
    await ledger.execution.release('r1');
    await ledger.close();
    change(BACK_TO_VERSION_4);
    const after = await openLedger(file);
    expect(await statuses(after, 'r1')).toBe('2 succeeded, 3 unknown, 4 not_sent');
    expect(await after.execution.recover('r1', false, { status: 'unknown' })).toBe(1);
    expect((await allPending(after, 'r1')).map((it) => it.batch)).toEqual([3]);
    expect((await openBatch(after, 'r2', 2)).withheld).toMatchObject([{ holder: { run: 'r1', row: 3 } }]);
    await carry(after, 'r1', 3, { 3: SUCCEEDED });
    expect(await statuses(after, 'r1')).toBe('2 succeeded, 3 unknown, 4 succeeded');
    expect((await after.runs.get('r1'))?.requests).toBe(3);
    await after.close();
  });
});
