import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { orderJob, orderRows } from '../support/orders.js';
import { type PostgresPlace, postgresPlace } from '../support/postgres/shared-server.js';

let folder = '';
let place: PostgresPlace;

const call = (...args: readonly string[]) => licenseSync(args, { cwd: folder });

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-ledger-'));
  place = await postgresPlace();
  const job = orderJob({ extra: 'connection: sandbox\n' }).replace('normal_recover_usbkey', 'cloud_account');
  await writeFile(path.join(folder, 'orders.yaml'), job);
  await writeFile(path.join(folder, 'orders.csv'), orderRows(3));
  expect((await call('run', 'orders.yaml')).code).toBe(0);
});

afterEach(async () => {
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

describe('license-sync ledger', () => {
  it('shows and checks a file, copies it to a server once, and repeats are known there', async () => {
    const file = path.join(folder, '.license-sync', 'ledger.db');
    const shown = await call('ledger', 'show', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ location: file, kind: 'SQLite', runs: 1 });
    const checked = await call('ledger', 'check');
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout).toContain('1 run, 3 rows, 1 input.');
    const copied = await call('ledger', 'copy', '--to', place.url, '--json');
    expect(copied.code).toBe(0);
    expect(JSON.parse(copied.stdout)).toMatchObject({ from: file });
    const there = await call('ledger', 'show', '--ledger', place.url);
    expect(there.stdout).toMatch(/kind +PostgreSQL/);
    expect(there.stdout).toMatch(/workers +0/);
    const again = await call('ledger', 'copy', '--to', place.url);
    expect(again.code).toBe(2);
    const env = { LICENSE_SYNC_LEDGER: place.url };
    const repeat = await licenseSync(['run', 'orders.yaml', '--json'], { cwd: folder, env });
    expect(JSON.parse(repeat.stdout)).toMatchObject({ counts: { skipped: 3 }, requests: 0 });
  });

  it('is closed when it was copied: it can be read, and what would write to it names the new one', async () => {
    const file = path.join(folder, '.license-sync', 'ledger.db');
    expect(await call('ledger', 'copy', '--to', place.url)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is closed'),
    });
    for (const args of [
      ['run', 'orders.yaml'],
      ['submit', 'orders.yaml'],
      ['worker', '--once'],
      ['stop', '20260101-000000-abcdef'],
      ['people', 'add', 'li', '--role', 'maker'],
      ['runs', 'prune', '--older-than', '1d'],
    ]) {
      const refused = await call(...args);
      expect(refused).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`was copied to ${place.url}`),
      });
    }
    expect((await call('runs')).code).toBe(0);
    expect((await call('ledger', 'check')).code).toBe(0);
    expect(JSON.parse((await call('ledger', 'show', '--json')).stdout)).toMatchObject({
      closedTo: place.url,
    });
    expect(await call('doctor')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining(`was copied to ${place.url}`),
    });
    expect(await call('ledger', 'reopen', '--ledger', place.url)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is not closed'),
    });
    expect(await call('ledger', 'reopen')).toMatchObject({ code: 0, stdout: expect.stringContaining(file) });
    expect(JSON.parse((await call('run', 'orders.yaml', '--json')).stdout)).toMatchObject({ requests: 0 });
    const acts = JSON.parse((await call('audit', '--json')).stdout) as { act: string }[];
    expect(acts.map((it) => it.act)).toContain('ledger_reopen');
  });

  it('is reopened where the copy could not be made', async () => {
    const to = 'postgres://nobody@127.0.0.1:1/none';
    await writeFile(path.join(folder, 'license-sync.yaml'), 'version: 1\nledgerPatience: 1s\n');
    expect((await call('ledger', 'copy', '--to', to)).code).not.toBe(0);
    expect((await call('run', 'orders.yaml')).code).toBe(0);
  });

  it('is backed up with its inputs, and a restored backup holds what was sent', async () => {
    const backup = path.join(folder, 'backup', 'ledger.db');
    expect(await call('ledger', 'backup', backup)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('with 1 input in '),
    });
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect(await call('ledger', 'check', '--ledger', backup)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 run, 3 rows, 1 input.'),
    });
    const again = await call('run', 'orders.yaml', '--ledger', backup, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ counts: { skipped: 3 }, requests: 0 });
    expect(await call('ledger', 'backup', backup)).toMatchObject({ code: 2 });
    const own = path.join(folder, '.license-sync', 'other.db');
    expect(await call('ledger', 'backup', own)).toMatchObject({ code: 2 });
    const onServer = await call('ledger', 'backup', 'x.db', '--ledger', place.url);
    expect(onServer).toMatchObject({ code: 2 });
  });

  it('copies with the password that the settings name for the new place', async () => {
    const file = path.join(folder, '.license-sync', 'ledger.db');
    const settings = `version: 1\nledger: { url: "${place.url}", password: { env: NAMED_IN_SETTINGS } }\n`;
    await writeFile(path.join(folder, 'license-sync.yaml'), settings);
    const args = ['ledger', 'copy', '--ledger', file, '--to', place.url];
    const without = await call(...args);
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('NAMED_IN_SETTINGS') });
    const given = await licenseSync(args, { cwd: folder, env: { NAMED_IN_SETTINGS: 'any' } });
    expect(given.code).toBe(0);
  });

  it('takes people and the audit along; there it requires their tokens for what writes', async () => {
    const at =
      (ledger: string, token = '') =>
      (...args: readonly string[]) =>
        licenseSync(args, {
          cwd: folder,
          env: { LICENSE_SYNC_LEDGER: ledger, LICENSE_SYNC_USER_TOKEN: token },
        });
    const [boss, li] = [
      await call('people', 'add', 'boss', '--role', 'admin'),
      await call('people', 'add', 'li', '--role', 'viewer'),
    ];
    expect((await call('ledger', 'copy', '--to', place.url)).code).toBe(0);
    const local = at(place.url);
    const acts = JSON.parse((await local('audit', '--json')).stdout) as {
      act: string;
      prev: string;
      hash: string;
    }[];
    expect(acts.map((it) => it.act)).toEqual(['run', 'people_add', 'people_add', 'ledger_copy']);
    expect(acts.slice(1).map((it) => it.prev)).toEqual(acts.slice(0, -1).map((it) => it.hash));
    expect(await local('audit', 'check')).toMatchObject({ code: 0 });
    expect((await local('runs')).code).toBe(0);
    expect(await local('run', 'orders.yaml')).toMatchObject({ code: 4 });
    expect(await local('people', 'add', 'zhao', '--role', 'admin')).toMatchObject({ code: 4 });
    expect(await at(place.url, li.stdout.trim())('run', 'orders.yaml')).toMatchObject({ code: 4 });
    expect(await at(place.url, 'nobody')('runs')).toMatchObject({ code: 4 });
    expect(await at(place.url, boss.stdout.trim())('run', 'orders.yaml')).toMatchObject({ code: 0 });
    const denied = JSON.parse((await local('audit', '--json')).stdout) as { who: string; act: string }[];
    expect(denied.slice(4).map((it) => `${it.who.replace(/@.*/, '')} ${it.act}`)).toEqual([
      expect.stringMatching(/^os:.* denied$/),
      expect.stringMatching(/^os:.* denied$/),
      'li denied',
      expect.stringMatching(/^os:.* denied$/),
      'boss run',
    ]);
    expect(await local('ledger', 'check')).toMatchObject({ code: 0 });
  });

  it('an audit that was tampered with is found by audit check and ledger check', async () => {
    await call('people', 'add', 'boss', '--role', 'admin');
    await call('people', 'add', 'li', '--role', 'viewer');
    const db = new DatabaseSync(path.join(folder, '.license-sync', 'ledger.db'));
    db.exec(
      `DROP TRIGGER audit_unchanged; UPDATE audit SET detail = '{"name":"li","roles":["viewer"]}' WHERE n = 2`,
    );
    db.close();
    const checked = await call('audit', 'check');
    expect(checked).toMatchObject({ code: 1 });
    expect(checked.stdout).toMatch(/entry 2 of the audit .*people_add/);
    expect(JSON.parse((await call('audit', 'check', '--json')).stdout)).toMatchObject({
      lines: 1,
      fault: { n: 2 },
    });
    expect((await call('ledger', 'check')).stdout).toMatch(/entry 2 of the audit/);
    expect((await call('ledger', 'check')).code).toBe(1);
  });

  it('check ends with 1 where something does not fit, and says what', async () => {
    const db = new DatabaseSync(path.join(folder, '.license-sync', 'ledger.db'));
    db.exec('UPDATE runs SET "rows" = 7');
    db.close();
    const { code, stdout } = await call('ledger', 'check', '--json');
    expect(code).toBe(1);
    const { faults } = JSON.parse(stdout) as { faults: string[] };
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('7 rows');
  });
});
