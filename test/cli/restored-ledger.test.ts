import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSync, start } from '../support/command.js';
import { orderJob, orderRows } from '../support/orders.js';
import { ServedPlatform } from '../support/served-platform.js';

const JOB = orderJob({ extra: 'run: { concurrency: 2 }\n' }).replace(
  'normal_recover_usbkey',
  'cloud_account',
);

let folder = '';
let platform: ServedPlatform;
let env: Record<string, string> = {};

const state = (): string => path.join(folder, 'work', '.license-sync');
const file = (side = ''): string => path.join(state(), `ledger.db${side}`);
const call = (args: readonly string[], more: Record<string, string> = {}) =>
  licenseSync(args, { cwd: path.join(folder, 'work'), env: { ...env, ...more } });
const sent = async (): Promise<number> => (await platform.orders()).length;

/** Runs so many orders, from a number on. */
async function run(from: number, count: number, ...flags: readonly string[]) {
  await writeFile(path.join(folder, 'work', 'orders.csv'), orderRows(count, from));
  const ended = await call(['run', 'orders.yaml', '--json', ...flags]);
  return { code: ended.code, reported: JSON.parse(ended.stdout), stderr: ended.stderr };
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-restored-'));
  await mkdir(path.join(folder, 'work'));
  await mkdir(path.join(folder, 'platform'));
  await writeFile(path.join(folder, 'work', 'orders.yaml'), JOB);
  platform = await ServedPlatform.serve(path.join(folder, 'platform'), { latencyMs: 5, faults: '' });
  env = { ...platform.environment, XDG_STATE_HOME: path.join(folder, 'user') };
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Keeps the log from being brought into the main file. */
async function whileRead<T>(work: () => Promise<T>): Promise<T> {
  const reader = new DatabaseSync(file());
  reader.exec('BEGIN; SELECT count(*) FROM runs');
  try {
    return await work();
  } finally {
    reader.exec('COMMIT');
    reader.close();
  }
}

/** Puts an older state in the place of the newer one; the orders 4 to 6 were sent since. */
const LOSSES: readonly (readonly [what: string, code: string, lose: () => Promise<void>])[] = [
  [
    'an older file that was put back',
    'ledger.restored_run',
    async () => {
      await copyFile(file(), path.join(folder, 'backup.db'));
      expect((await run(4, 3)).code).toBe(0);
      await copyFile(path.join(folder, 'backup.db'), file());
    },
  ],
  [
    'an older state folder that was put back',
    'ledger.restored_run',
    async () => {
      await cp(state(), path.join(folder, 'backup'), { recursive: true });
      expect((await run(4, 3)).code).toBe(0);
      await rm(state(), { recursive: true });
      await cp(path.join(folder, 'backup'), state(), { recursive: true });
    },
  ],
  [
    'a copy without its log',
    'ledger.restored_run',
    async () => {
      await whileRead(async () => {
        expect((await run(4, 3)).code).toBe(0);
        expect((await stat(file('-wal'))).size).toBeGreaterThan(0);
        const filter = (it: string): boolean => !/-(wal|shm)$/.test(it);
        await cp(state(), path.join(folder, 'copy'), { recursive: true, filter });
      });
      await rm(state(), { recursive: true });
      await cp(path.join(folder, 'copy'), state(), { recursive: true });
    },
  ],
  [
    'a removed folder',
    'ledger.restored_other',
    async () => {
      expect((await run(4, 3)).code).toBe(0);
      await rm(state(), { recursive: true });
    },
  ],
];

describe('a ledger that lost records', () => {
  it.each(LOSSES)('%s sends nothing until it is accepted', async (_what, code, lose) => {
    expect((await run(1, 3)).code).toBe(0);
    await lose();
    expect(await sent()).toBe(6);
    for (const flags of [[], ['--yes']]) {
      const refused = await run(4, 3, ...flags);
      expect(refused).toMatchObject({ code: 4, reported: { status: 'stopped', requests: 0 } });
      expect(JSON.stringify(refused.reported)).toContain('ledger accept-restored');
    }
    expect(await sent()).toBe(6);
    expect(await call(['doctor'])).toMatchObject({ code: 2 });
    const checked = await call(['ledger', 'check']);
    expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining('accept-restored') });
    // Of another user, who has no marks.
    const other = { XDG_STATE_HOME: path.join(folder, 'another user') };
    expect((await call(['ledger', 'check'], other)).code).toBe(0);

    expect((await call(['ledger', 'accept-restored'])).code).toBe(0);
    const audit = JSON.parse((await call(['audit', '--json'])).stdout) as { act: string; detail: unknown }[];
    expect(audit.find((it) => it.act === 'ledger_accept')?.detail).toMatchObject({
      why: code,
      was: { run: expect.any(String) },
    });
    expect((await run(4, 3)).code).toBe(0);
    expect(await sent()).toBe(9);
    expect((await call(['ledger', 'check'])).code).toBe(0);
  });

  it('is accepted by --accept-restored for all users; a further loss is not', async () => {
    const other = { XDG_STATE_HOME: path.join(folder, 'another user') };
    const asOther = (...flags: string[]) => call(['run', 'orders.yaml', '--json', ...flags], other);
    expect((await run(1, 3)).code).toBe(0);
    await copyFile(file(), path.join(folder, 'backup.db'));
    await writeFile(path.join(folder, 'work', 'orders.csv'), orderRows(3, 4));
    expect((await asOther()).code).toBe(0);
    await copyFile(path.join(folder, 'backup.db'), file());
    expect((await asOther()).code).toBe(4);
    // The first user lacks nothing that they have seen, and has nothing to accept.
    expect((await call(['ledger', 'accept-restored'])).stdout).toContain('nothing to accept');
    expect((await asOther('--accept-restored')).code).toBe(0);
    expect(await sent()).toBe(9);
    expect((await run(7, 3)).code).toBe(0);
    await copyFile(path.join(folder, 'backup.db'), file());
    expect((await run(7, 3)).code).toBe(4);
    expect((await asOther()).code).toBe(4);
    expect((await run(7, 3, '--accept-restored')).code).toBe(0);
    expect((await asOther()).code).toBe(0);
  });

  it('is noticed when the requests at the end of the last run are missing', async () => {
    expect((await run(1, 3)).code).toBe(0);
    const db = new DatabaseSync(file());
    db.exec('DELETE FROM attempts WHERE batch = (SELECT max(batch) FROM attempts)');
    db.close();
    expect((await run(4, 3)).reported).toMatchObject({ status: 'stopped', requests: 0 });
    expect(await sent()).toBe(3);
  });

  it('keeps marks for itself alone, and none for the sandbox; without a place for them it warns', async () => {
    expect((await run(1, 3)).code).toBe(0);
    const marks = path.join(folder, 'user', 'license-sync', 'ledgers');
    const [name = ''] = await readdir(marks);
    expect(((await stat(marks)).mode & 0o777).toString(8)).toBe('700');
    expect(((await stat(path.join(marks, name))).mode & 0o777).toString(8)).toBe('600');
    const inSandbox = { XDG_STATE_HOME: path.join(folder, 'in the sandbox') };
    const args = ['run', 'orders.yaml', '--json', '--connection', 'sandbox'];
    expect((await call(args, inSandbox)).code).toBe(0);
    await expect(readdir(inSandbox.XDG_STATE_HOME)).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(path.join(folder, 'a file'), '');
    await writeFile(path.join(folder, 'work', 'orders.csv'), orderRows(3, 4));
    const warned = await call(['run', 'orders.yaml'], { XDG_STATE_HOME: path.join(folder, 'a file') });
    expect(warned).toMatchObject({ code: 0, stderr: expect.stringContaining('XDG_STATE_HOME') });
    const examined = await call(['doctor'], { XDG_STATE_HOME: path.join(folder, 'a file') });
    expect(examined.stdout).toContain('XDG_STATE_HOME');
  });

  it('keeps the marks of processes that send at the same time', async () => {
    const jobs = [1, 2, 3, 4];
    for (const it of jobs) {
      await writeFile(
        path.join(folder, 'work', `${it}.yaml`),
        JOB.replace('name: orders', `name: orders-${it}`).replace('orders.csv', `${it}.csv`),
      );
      await writeFile(path.join(folder, 'work', `${it}.csv`), orderRows(20, 100 * it));
    }
    const ended = await Promise.all(jobs.map((it) => call(['run', `${it}.yaml`, '--json'])));
    expect(ended.map((it) => it.code)).toEqual([0, 0, 0, 0]);
    const marks = path.join(folder, 'user', 'license-sync', 'ledgers');
    const [name = '', ...others] = await readdir(marks);
    expect(others).toEqual([]);
    const { attempts } = JSON.parse(await readFile(path.join(marks, name), 'utf8')) as {
      attempts: { run: string }[];
    };
    const runs = ended.map((it) => (JSON.parse(it.stdout) as { run: string }).run);
    expect([...new Set(attempts.map((it) => it.run))].sort()).toEqual([...runs].sort());
    expect((await call(['ledger', 'check'])).code).toBe(0);
  });

  it('a moved ledger is the same one', async () => {
    expect((await run(1, 3)).code).toBe(0);
    renameSync(state(), path.join(folder, 'moved'));
    const moved = { LICENSE_SYNC_LEDGER: path.join(folder, 'moved', 'ledger.db') };
    const repeat = await call(['run', 'orders.yaml', '--json'], moved);
    expect(JSON.parse(repeat.stdout)).toMatchObject({ counts: { skipped: 3 }, requests: 0 });
  });
});

/** What happens to the ledger while a run sends 400 orders, and what the next run finds. */
const HAPPENINGS: readonly (readonly [
  what: string,
  happen: () => void,
  then: 'lost' | 'put back' | 'whole',
])[] = [
  ['its folder is removed', () => rmSync(state(), { recursive: true }), 'lost'],
  ['its folder is moved', () => renameSync(state(), path.join(folder, 'moved')), 'put back'],
  [
    'an older file takes its place',
    () => {
      cpSync(path.join(folder, 'backup.db'), path.join(folder, 'new.db'));
      renameSync(path.join(folder, 'new.db'), file());
    },
    'lost',
  ],
  ['an older file is written into it', () => cpSync(path.join(folder, 'older.db'), file()), 'lost'],
  ['its log is removed', () => rmSync(file('-wal')), 'whole'],
  [
    'its folder is removed and made again',
    () => {
      rmSync(state(), { recursive: true });
      cpSync(path.join(folder, 'backup.db'), file());
      writeFileSync(path.join(folder, 'again'), '');
    },
    'lost',
  ],
];

describe('a ledger that is removed or replaced while a run sends', () => {
  it.each(HAPPENINGS)(
    '%s: nothing more is sent, and the result says what was',
    async (_what, happen, then) => {
      expect((await run(1, 1)).code).toBe(0);
      await copyFile(file(), path.join(folder, 'older.db'));
      expect((await run(2, 2)).code).toBe(0);
      await copyFile(file(), path.join(folder, 'backup.db'));
      await writeFile(path.join(folder, 'work', 'orders.csv'), orderRows(400, 11));
      const args = ['run', 'orders.yaml', '--output', 'result.csv'];
      const running = start(args, { cwd: path.join(folder, 'work'), env });
      await expect.poll(sent, { interval: 5 }).toBeGreaterThan(6);
      happen();
      const ended = await running.ended;
      expect(ended).toMatchObject({
        code: 5,
        stderr: expect.stringMatching(/removed, moved|replaced by another/),
      });
      const after = await sent();
      expect(after).toBeLessThan(403);
      const result = await readFile(path.join(folder, 'work', 'result.csv'), 'utf8');
      expect(result.match(/,succeeded,/g)).toHaveLength(after - 3);
      if (then === 'lost') {
        const next = await call(['run', 'orders.yaml', '--json', '--yes']);
        expect(next.code).toBe(4);
        expect(JSON.parse(next.stdout)).toMatchObject({ requests: 0 });
        expect(await sent()).toBe(after);
        return;
      }
      if (then === 'put back') renameSync(path.join(folder, 'moved'), state());
      expect((await call(['resume', '--json'])).code).toBe(0);
      const orders = (await platform.orders()).map((it) => it.channelOrderId);
      expect(orders).toHaveLength(403);
      expect(new Set(orders).size).toBe(403);
    },
  );
});
