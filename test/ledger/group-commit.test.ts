import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Message, message } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import { connect } from '../../src/ledger/sqlite/connect.js';
import { Database } from '../../src/ledger/sqlite/database.js';
import { GroupCommit } from '../../src/ledger/sqlite/group-commit.js';
import { type Clock, systemClock } from '../../src/util/clock.js';
import { rememberLedgerPatience } from '../../src/util/ledger-address.js';

let folder: string;
let db: Database;
let group: GroupCommit;
let commits: number;
let deferred: { isDue: boolean; isNeeded: boolean; run(what: 'due' | 'all'): void };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledger-group-'));
  db = await connect(join(folder, 'ledger.db'), systemClock);
  deferred = { isDue: false, isNeeded: false, run: () => {} };
  group = new GroupCommit(db, deferred);
  commits = 0;
  const exec = db.exec.bind(db);
  db.exec = (sql) => {
    if (sql === 'COMMIT') commits += 1;
    exec(sql);
  };
});

afterEach(async () => {
  db.close();
  await rm(folder, { recursive: true, force: true });
});

const add = (name: string) => group.add(() => db.run('INSERT INTO scopes (name) VALUES (?)', name));
const names = () => db.all<{ name: string }>('SELECT name FROM scopes ORDER BY id').map((it) => it.name);

describe('group commit', () => {
  test('what is asked for at the same time shares one commit', async () => {
    expect(await Promise.all(['a', 'b', 'c'].map(add))).toEqual([1, 1, 1]);
    expect(commits).toBe(1);
    await add('d');
    expect(commits).toBe(2);
    expect(names()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('no caller sees success before the commit', async () => {
    let heard = false;
    const done = add('a').then(() => {
      heard = true;
    });
    await Promise.resolve();
    expect(heard || names().length > 0).toBe(false);
    group.flush();
    await done;
    expect(commits).toBe(1);
  });

  test('no caller sees success before the disk has it, and what is asked for in the meantime goes together', async () => {
    const heard: string[] = [];
    const disk: (() => void)[] = [];
    db.synced = () => new Promise((resolve) => disk.push(resolve));
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const all = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      all.push(add(name).then(() => heard.push(name)));
      await turn();
      await turn();
    }
    expect([commits, disk.length, names(), heard]).toEqual([2, 2, ['a', 'b'], []]);
    disk[1]?.();
    await turn();
    await turn();
    expect([commits, names(), heard]).toEqual([3, ['a', 'b', 'c', 'd'], ['b']]);
    disk[0]?.();
    disk[2]?.();
    await Promise.all(all);
    expect(heard).toEqual(['b', 'a', 'c', 'd']);
  });

  test('a disk that fails behind a commit refuses it, and all that comes after', async () => {
    const place = db as { location: string };
    const { location } = db;
    // The log isn't there to be flushed.
    place.location = join(folder, 'gone', 'ledger.db');
    await expect(add('a')).rejects.toMatchObject({ detail: { code: 'ledger.write_failed' } });
    place.location = location;
    await expect(add('b')).rejects.toMatchObject({ detail: { code: 'ledger.write_failed' } });
    expect(names()).toEqual(['a']);
  });

  test('closing waits for the disk', async () => {
    let disk = (): void => {};
    db.synced = () =>
      new Promise((resolve) => {
        disk = resolve;
      });
    let closed = false;
    const done = add('a');
    const closing = group.close().then(() => {
      closed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(false);
    disk();
    await Promise.all([done, closing]);
  });

  test('one that breaks a rule fails alone', async () => {
    const refused = group.add(() => {
      throw new ProductError('internal', message('ledger.already_sent', { run: 'r' }));
    });
    const ended = await Promise.allSettled([add('a'), add('a'), refused, add('b')]);
    expect(ended.map((it) => it.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(ended[2]).toMatchObject({ reason: { detail: { code: 'ledger.already_sent' } } });
    expect(names()).toEqual(['a', 'b']);
  });

  test('a full disk fails the whole group, leaves nothing of it, and may be fixed', async () => {
    db.pragma(`max_page_count = ${db.pragma('page_count')}`);
    const big = 'x'.repeat(100_000);
    const ended = await Promise.allSettled([add('a'), add(big), add('b')]);
    for (const it of ended) {
      expect(it).toMatchObject({
        status: 'rejected',
        reason: { kind: 'internal', detail: { code: 'ledger.disk_full' } },
      });
    }
    expect(names()).toEqual([]);
    db.pragma('max_page_count = 100000');
    await add('c');
    expect(names()).toEqual(['c']);
  });

  test('a disk that is full within a part of a transaction is the error that is reported', () => {
    db.pragma(`max_page_count = ${db.pragma('page_count')}`);
    const insert = (name: string) => db.run('INSERT INTO scopes (name) VALUES (?)', name);
    const all = () => db.transaction(() => db.savepoint(() => insert('x'.repeat(100_000))));
    expect(all).toThrow(/full/);
    db.pragma('max_page_count = 100000');
    db.transaction(() => insert('a'));
    expect(names()).toEqual(['a']);
  });

  test('what a part wrote and cannot undo is never committed', () => {
    const insert = (name: string) => db.run('INSERT INTO scopes (name) VALUES (?)', name);
    const half = () => {
      insert('half');
      // From here on there is nothing to go back to.
      db.exec('RELEASE part');
      throw new Error('the first error');
    };
    const all = () => db.transaction(() => expect(() => db.savepoint(half)).toThrow('the first error'));
    expect(all).toThrow(/savepoint/);
    expect(names()).toEqual([]);
  });

  test('after a failing disk nothing is accepted any more', async () => {
    const folded: string[] = [];
    deferred.isNeeded = true;
    deferred.run = (what) => void folded.push(what);
    const exec = db.exec.bind(db);
    db.exec = (sql) => {
      if (sql === 'COMMIT') throw Object.assign(new Error('disk I/O error'), { errcode: 10 | (4 << 8) });
      exec(sql);
    };
    await expect(add('a')).rejects.toMatchObject({ detail: { code: 'ledger.write_failed' } });
    db.exec = exec;
    await expect(add('b')).rejects.toMatchObject({ detail: { code: 'ledger.write_failed' } });
    expect(names()).toEqual([]);
    expect(() => group.write(() => {})).toThrow(/disk I\/O error/);
    expect([commits, folded]).toEqual([0, []]);
    // What is read is brought up to date in memory alone.
    group.catchUp();
    expect([commits, folded]).toEqual([0, ['all']]);
  });

  test('what is deferred and due follows the commit in a transaction of its own, and its failure harms no other write', async () => {
    const carried: string[] = [];
    deferred.isDue = true;
    deferred.run = (what) => {
      carried.push(what);
      throw new Error('the disk is full');
    };
    const done = add('a');
    group.flush();
    expect([commits, carried]).toEqual([1, []]);
    expect(await done).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect([commits, carried]).toEqual([1, ['due']]);
    deferred.run = (what) => {
      carried.push(what);
      deferred.isDue = false;
    };
    expect(await add('b')).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect([commits, carried]).toEqual([3, ['due', 'due']]);
    expect(names()).toEqual(['a', 'b']);
  });

  test('a write that depends on the tables has them brought up to date in its own transaction', () => {
    const seen: string[][] = [];
    deferred.isNeeded = true;
    deferred.run = () => void db.run("INSERT INTO scopes (name) VALUES ('appended')");
    group.write(() => seen.push([...names()]));
    expect([seen, commits]).toEqual([[['appended']], 1]);
  });

  describe('where another holds the ledger', () => {
    let other: Database;
    let now: number;
    let afterWait: () => void;
    let notes: Message[];

    beforeEach(() => {
      other = new Database(db.location, { timeout: 0 });
      other.exec('BEGIN IMMEDIATE');
      db.pragma('busy_timeout = 1');
      now = 0;
      afterWait = () => {};
      const clock: Clock = {
        now: () => now,
        monotonic: () => now,
        sleep: async (ms) => {
          now += ms;
          afterWait();
          return true;
        },
      };
      notes = [];
      group = new GroupCommit(db, deferred, clock, (it) => notes.push(it));
    });

    afterEach(() => {
      rememberLedgerPatience(undefined);
      other.close();
    });

    const patient = (name: string) =>
      group.add(() => db.run('INSERT INTO scopes (name) VALUES (?)', name), { patient: true });

    test('what is patient is written once the other is done; what isn’t, is refused', async () => {
      afterWait = () => {
        if (now >= 50_000 && now < 50_250) other.exec('ROLLBACK');
      };
      const ended = await Promise.allSettled([patient('end'), add('intent')]);
      expect(ended).toMatchObject([
        { status: 'fulfilled', value: 1 },
        { status: 'rejected', reason: { detail: { code: 'ledger.locked' } } },
      ]);
      expect([now, names()]).toEqual([50_000, ['end']]);
      expect(db.pragma('busy_timeout')).toBe(1);
    });

    test('nothing that is asked for in the meantime is written before it', async () => {
      const end = patient('end');
      group.flush();
      const intent = add('intent');
      other.exec('ROLLBACK');
      group.flush();
      expect(names()).toEqual(['end', 'intent']);
      expect(await Promise.all([end, intent])).toEqual([1, 1]);
      expect(commits).toBe(1);
    });

    test('after a minute it is given up', async () => {
      await expect(patient('end')).rejects.toMatchObject({ detail: { code: 'ledger.locked' } });
      expect(now).toBe(60_000);
    });

    test('it is reported once, and all that waits shares the patience that the settings say', async () => {
      rememberLedgerPatience(20_000);
      const all = [patient('first')];
      afterWait = () => {
        if (all.length === 1 && now >= 15_000) all.push(patient('second'));
      };
      await expect(all[0]).rejects.toMatchObject({ detail: { code: 'ledger.locked' } });
      await expect(all[1]).rejects.toMatchObject({ detail: { code: 'ledger.locked' } });
      expect(now).toBe(20_000);
      const waits = {
        code: 'ledger.waits_to_write',
        params: { why: { code: 'ledger.locked' }, seconds: 20 },
      };
      expect(notes).toMatchObject([waits]);
      other.exec('ROLLBACK');
      expect(await patient('third')).toBe(1);
      other.exec('BEGIN IMMEDIATE');
      await expect(patient('fourth')).rejects.toMatchObject({ detail: { code: 'ledger.locked' } });
      expect([now, notes.length]).toEqual([40_000, 2]);
    });

    test('closing gives it up', async () => {
      const end = patient('end');
      group.flush();
      group.close();
      await expect(end).rejects.toMatchObject({ detail: { code: 'ledger.locked' } });
      expect(now).toBeLessThan(60_000);
    });
  });

  test('a full disk keeps what is patient until there is space', async () => {
    db.pragma(`max_page_count = ${db.pragma('page_count')}`);
    const big = 'x'.repeat(100_000);
    const work = () => db.run('INSERT INTO scopes (name) VALUES (?)', big);
    const notes: Message[] = [];
    group = new GroupCommit(db, deferred, systemClock, (it) => notes.push(it));
    const end = group.add(work, { patient: true });
    group.flush();
    const why = { code: 'ledger.disk_full', params: { location: db.location, free: expect.any(Number) } };
    expect(notes).toMatchObject([{ code: 'ledger.waits_to_write', params: { why, seconds: 60 } }]);
    db.pragma('max_page_count = 100000');
    expect(await end).toBe(1);
    expect(names()).toEqual([big]);
  });

  test('before anybody reads, all that waits is written and all that is needed is executed', async () => {
    const seen: string[][] = [];
    deferred.isNeeded = true;
    deferred.run = (what) => {
      seen.push([what, ...names()]);
      deferred.isNeeded = false;
    };
    const done = add('a');
    group.catchUp();
    expect(seen).toEqual([['all', 'a']]);
    group.catchUp();
    expect(seen).toHaveLength(1);
    await done;
  });
});
