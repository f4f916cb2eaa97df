import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyPlan, resumeRun, runJob, runRows } from '../../src/api/index.js';
import { licenseSync } from '../support/command.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-ledger-place-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
const ADDRESSES = [
  'postgres:wang:s3cret@db.example',
  'mysql://wang:s3cret@db.example/ledger',
  'file:/wang/s3cret/ledger.db',
];
const COMMANDS: readonly (readonly string[])[] = [
  ['runs'],
  ['runs', 'show', 'R'],
  ['runs', 'export', 'R', '--output', 'x.csv'],
  ['runs', 'report', 'R', '--output', 'x.html'],
  ['runs', 'prune', '--older-than', '1d'],
  ['explain', 'R', '2'],
  ['resolve', 'R', '--verify'],
  ['resume', 'R'],
  ['resume'],
  ['retry', 'R'],
  ['apply', 'R'],
];

describe('a ledger named by an address', () => {
  it('is refused wherever it is named, and no part of the address is repeated', async () => {
    await writeFile(at('orders.csv'), orderRows(1));
    await writeFile(at('job.yaml'), orderJob({ extra: 'connection: sandbox\n' }));
    for (const address of ADDRESSES) {
      const flagged = await licenseSync(['runs', '--ledger', address], { cwd: folder });
      const env = { LICENSE_SYNC_LEDGER: address };
      const moved = await licenseSync(['validate', 'job.yaml'], { cwd: folder, env });
      for (const end of [flagged, moved]) {
        expect(end).toMatchObject({ code: 2, stdout: '' });
        expect(end.stderr).toContain('SQLite file');
        expect(end.stderr).not.toMatch(/s3cret|wang/);
      }
      const called = runJob('job.yaml', { cwd: folder, ledger: address });
      await expect(called).rejects.toMatchObject({ detail: { code: 'ledger.bad_address' } });
    }
    expect((await readdir(folder)).sort()).toEqual(['job.yaml', 'orders.csv']);
  });

  it('is refused in license-sync.yaml by every command that reads it', async () => {
    const text = 'version: 1\nledger: mysql://wang:s3cret@db.example/ledger\n';
    await writeFile(at('license-sync.yaml'), text);
    await writeFile(at('orders.csv'), orderRows(1));
    const scheduled = 'connection: sandbox\nschedule: { cron: "0 2 * * *" }\n';
    await writeFile(at('job.yaml'), orderJob({ extra: scheduled }));
    const others = [
      ['run', 'job.yaml'],
      ['plan', 'job.yaml'],
      ['doctor'],
      ['schedule', 'list', 'job.yaml'],
      ['schedule', 'export', 'job.yaml', '--format', 'cron'],
      ['schedule', 'job.yaml'],
      ['sandbox', '--port', '0'],
    ];
    for (const args of [...COMMANDS, ...others]) {
      const end = await licenseSync(args, { cwd: folder });
      expect([args, end.code]).toEqual([args, 2]);
      expect(end.stdout + end.stderr).toContain('SQLite file');
      expect(end.stdout + end.stderr).not.toMatch(/s3cret|wang/);
    }
    expect((await readdir(folder)).sort()).toEqual(['job.yaml', 'license-sync.yaml', 'orders.csv']);
  });
});

describe('where there is no ledger', () => {
  it('those who only read make none, and say where they looked', async () => {
    const wanted = at('.license-sync/ledger.db');
    for (const args of COMMANDS) {
      const end = await licenseSync(args, { cwd: folder });
      const harmless = args.length === 1 || args[1] === 'prune';
      expect([args, end.code]).toEqual([args, harmless && args[0] === 'runs' ? 0 : 2]);
      expect(end.stderr).toContain(wanted);
      expect(end.stderr).not.toContain('at Object');
    }
    expect((await licenseSync(['runs', '--json'], { cwd: folder })).stdout.trim()).toBe('[]');
    const named = await licenseSync(['runs', '--ledger', 'typo/ledger.db'], { cwd: folder });
    expect(named.code).toBe(2);
    expect(named.stderr).toContain(at('typo/ledger.db'));
    await licenseSync(['doctor', '--connection', 'sandbox'], { cwd: folder });
    for (const call of [runRows, resumeRun, applyPlan])
      await expect(call('R', { cwd: folder })).rejects.toMatchObject({
        detail: { code: 'ledger.none_there' },
      });
    expect(await readdir(folder)).toEqual([]);
  });

  it('schedule list makes none either', async () => {
    await writeFile(at('orders.csv'), orderRows(1));
    const extra = 'connection: sandbox\nschedule: { cron: "0 2 * * *" }\n';
    await writeFile(at('job.yaml'), orderJob({ extra }));
    const end = await licenseSync(['schedule', 'list', 'job.yaml'], { cwd: folder });
    expect(end.code).toBe(0);
    expect(end.stdout).toContain('never');
    expect(end.stderr).toContain(at('.license-sync/ledger.db'));
    expect((await readdir(folder)).sort()).toEqual(['job.yaml', 'orders.csv']);
  });

  it('a run makes one and announces it once, on stderr', async () => {
    await writeFile(at('orders.csv'), orderRows(1));
    await writeFile(at('job.yaml'), orderJob({ extra: 'connection: sandbox\n' }));
    const first = await licenseSync(['validate', 'job.yaml', '--json'], { cwd: folder });
    expect(first.stderr).toContain(`a new ledger was created: ${at('.license-sync/ledger.db')}`);
    expect(JSON.parse(first.stdout)).toMatchObject({ job: 'orders' });
    const second = await licenseSync(['validate', 'job.yaml'], { cwd: folder });
    expect(second.stderr).not.toContain('new ledger');
  });

  it('what plans or sends takes the ledger that is named to it', async () => {
    await writeFile(at('orders.csv'), orderRows(1));
    await writeFile(at('job.yaml'), orderJob({ extra: 'connection: sandbox\n' }));
    for (const command of ['validate', 'plan', 'run']) {
      const own = at(`${command}/ledger.db`);
      const end = await licenseSync([command, 'job.yaml', '--ledger', `${command}/ledger.db`], {
        cwd: folder,
      });
      expect([command, end.code]).toEqual([command, 0]);
      expect(end.stderr).toContain(`a new ledger was created: ${own}`);
    }
    expect(await readdir(folder)).not.toContain('.license-sync');
  });
});
