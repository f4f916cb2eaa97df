import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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

describe('license-sync ledger', { timeout: 60_000 }, () => {
  it('shows and checks a file, copies it to a server once, and repeats are known there', async () => {
    const file = path.join(folder, '.license-sync', 'ledger.db');
    const shown = await call('ledger', 'show', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ location: file, kind: 'SQLite', runs: 1 });
    const checked = await call('ledger', 'check');
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout).toContain('1 runs, 3 rows, 1 inputs');
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
