import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-team-'));
  await writeFile(path.join(folder, 'orders.yaml'), orderJob({ extra: 'connection: sandbox\n' }));
  await writeFile(path.join(folder, 'orders.csv'), orderRows(2));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('where the ledger is a file, commands for several machines', () => {
  it.each([
    ['submit', 'orders.yaml'],
    ['wait', '20261121-020311-4f9a21'],
    ['stop', '20261121-020311-4f9a21'],
    ['worker', '--once'],
    ['workers'],
    ['resume', '20261121-020311-4f9a21', '--queue'],
  ])('%s ends with 2, says what to do, and makes nothing', async (...args) => {
    const { code, stdout, stderr } = await licenseSync(args, { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('postgres://');
    expect(stderr).toContain('ledger copy --to');
    expect((await readdir(folder)).sort()).toEqual(['orders.csv', 'orders.yaml']);
  });

  it('reports it in Chinese too', async () => {
    const { stderr } = await licenseSync(['--lang', 'zh', 'workers'], { cwd: folder });
    expect(stderr).toContain('PostgreSQL');
    expect(stderr).toContain('共用的账本');
  });
});
