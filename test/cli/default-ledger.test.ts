import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runJob, runRows } from '../../src/api/index.js';
import { licenseSync } from '../support/command.js';
import { BACK_TO_VERSION_4 } from '../support/older-ledger.js';
import { orderJob, orderRows } from '../support/orders.js';
import { ServedPlatform } from '../support/served-platform.js';

const JOB = orderJob().replace('normal_recover_usbkey', 'cloud_account');
const STATE = '.license-sync';

let folder = '';
let platform: ServedPlatform;
let env: Record<string, string> = {};

const at = (...names: string[]): string => path.join(folder, 'home', ...names);
const call = (cwd: string, args: readonly string[], more: Record<string, string> = {}) =>
  licenseSync(args, { cwd: at(cwd), env: { ...env, ...more } });
const run = (cwd: string, job = at('office/jobs/orders.yaml')) => call(cwd, ['run', job]);
const sent = async (): Promise<number> => (await platform.orders()).length;

/** Writes a job with its sheet, under home. */
async function put(file: string, text = JOB): Promise<string> {
  await mkdir(path.dirname(at(file)), { recursive: true });
  await writeFile(at(file), text);
  await writeFile(path.join(path.dirname(at(file)), 'orders.csv'), orderRows(3));
  return at(file);
}

async function ledgers(): Promise<readonly string[]> {
  const all = await readdir(at(), { recursive: true });
  return all.filter((it) => path.basename(it) === 'ledger.db').sort();
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-default-ledger-'));
  for (const it of ['platform', 'home/elsewhere']) await mkdir(path.join(folder, it), { recursive: true });
  await put('office/jobs/orders.yaml');
  platform = await ServedPlatform.serve(path.join(folder, 'platform'), { latencyMs: 0, faults: '' });
  env = { ...platform.environment, HOME: at(), XDG_STATE_HOME: path.join(folder, 'user') };
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the same job run from several folders', () => {
  it('sends nothing twice', async () => {
    await symlink(at('office/jobs'), at('linked'));
    await put('neighbour/jobs/orders.yaml', JOB.replaceAll('SO-', 'SN-'));
    expect((await run('elsewhere')).code).toBe(0);
    expect(await sent()).toBe(3);
    for (const cwd of ['office', 'office/jobs', 'elsewhere', '']) {
      const again = await run(cwd);
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('skipped') });
      const isFound = cwd.startsWith('office');
      expect(again.stderr.includes(`--ledger ${at('office', STATE, 'ledger.db')}`)).toBe(!isFound);
    }
    expect((await run('elsewhere', at('linked/orders.yaml'))).code).toBe(0);
    expect((await run('linked', 'orders.yaml')).code).toBe(0);
    expect(await sent()).toBe(3);
    // The ledger of another project in the current folder is not one for this job.
    await writeFile(at('neighbour/jobs/orders.csv'), orderRows(1, 100));
    expect((await run('neighbour', 'jobs/orders.yaml')).code).toBe(0);
    expect(await sent()).toBe(4);
    const fromThere = await run('neighbour');
    expect(fromThere).toMatchObject({ code: 0, stderr: expect.not.stringContaining('mv ') });
    expect(await sent()).toBe(4);
    expect(await ledgers()).toEqual([`neighbour/${STATE}/ledger.db`, `office/${STATE}/ledger.db`]);
  });

  it('sends nothing twice from a folder with the ledger of another project, before the job has one', async () => {
    await put('neighbour/jobs/orders.yaml');
    await writeFile(at('neighbour/jobs/orders.csv'), orderRows(1, 100));
    expect((await run('neighbour', 'jobs/orders.yaml')).code).toBe(0);
    expect((await run('neighbour')).code).toBe(0);
    expect((await run('office')).code).toBe(0);
    expect(await sent()).toBe(4);
  });

  it('sends nothing twice as a library, either', async () => {
    const job = at('office/jobs/orders.yaml');
    const warned: string[] = [];
    const onWarning = (text: string): unknown => warned.push(text);
    const first = await runJob(job, { cwd: at('elsewhere'), env, onWarning });
    expect(first).toMatchObject({ status: 'completed', counts: { succeeded: 3 } });
    expect(warned.join()).toContain(at('office', STATE, 'ledger.db'));
    const second = await runJob('jobs/orders.yaml', { cwd: at('office'), env });
    expect(second.counts).toEqual({ skipped: 3 });
    expect(await runRows(first.run, { cwd: at('office/jobs'), env })).toHaveLength(3);
    await expect(runRows(first.run, { cwd: at('elsewhere'), env })).rejects.toThrow('there is no ledger at');
    expect(await sent()).toBe(3);
  });
});

describe('the default ledger', () => {
  it.each([
    ['beside license-sync.yaml', 'a/b/jobs/x.yaml', ['a/license-sync.yaml', `a/b/${STATE}/`], 'a'],
    ['in the nearest .license-sync/ upwards', 'a/b/jobs/x.yaml', [`${STATE}/`, `a/${STATE}/`], 'a'],
    ['in the home folder, where the search ends', 'a/jobs/x.yaml', [`${STATE}/`, `../${STATE}/`], ''],
    ['beside the folder jobs', 'a/Jobs/x.yaml', [`../${STATE}/`], 'a'],
    ['beside the folder jobs that contains the folder of the job', 'a/jobs/b/c/x.yaml', [], 'a'],
    ['beside the job', 'a/b/x.yaml', [], 'a/b'],
    ['not in a file of that name', 'a/b/x.yaml', [`a/${STATE}`], 'a/b'],
  ])('is %s', async (_where, job, there, place) => {
    await put(job);
    for (const it of there) {
      if (it.endsWith('/')) await mkdir(at(it), { recursive: true });
      else await writeFile(at(it), 'version: 1\n');
    }
    const ended = await call('elsewhere', ['validate', at(job)]);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining(at(place, STATE, 'ledger.db')) });
    expect(await ledgers()).toEqual([path.join(place, STATE, 'ledger.db')]);
  });

  it('is found upwards from the current folder by commands without a job', async () => {
    expect((await run('office')).code).toBe(0);
    const [listed] = JSON.parse((await call('office/jobs', ['runs', '--json'])).stdout) as { run: string }[];
    const id = listed?.run ?? '';
    await mkdir(at('office/a/b'), { recursive: true });
    for (const cwd of ['office', 'office/jobs', 'office/a/b']) {
      expect(await call(cwd, ['explain', id, '2'])).toMatchObject({ code: 0, stderr: '' });
      const shown = await call(cwd, ['ledger', 'show']);
      expect(shown.stdout).toContain(at('office', STATE, 'ledger.db'));
      expect((await call(cwd, ['resume', id])).stderr).toContain(id);
    }
    // Where none is found, it would be where a job of the folder has it.
    await rm(at('office', STATE), { recursive: true });
    const none = await call('office/jobs', ['runs']);
    expect(none).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(at('office', STATE, 'ledger.db')),
    });
    expect(none.stderr).toContain('folder of license-sync.yaml or of the job');
    expect(await ledgers()).toEqual([]);
  });

  it('is written into exported schedules, as another user has another home folder', async () => {
    await put('office/jobs/orders.yaml', `${JOB}schedule: { cron: "0 2 * * *" }\n`);
    const place = at('office', STATE, 'ledger.db');
    for (const format of ['systemd', 'cron']) {
      const args = ['schedule', 'export', at('office/jobs'), '--format', format];
      const { stdout } = await call('elsewhere', args);
      expect(stdout).toContain(`LICENSE_SYNC_LEDGER=${place}`);
      await writeFile(at('office/license-sync.yaml'), 'version: 1\n');
      expect((await call('elsewhere', args)).stdout).not.toContain('LICENSE_SYNC_LEDGER');
      await rm(at('office/license-sync.yaml'));
    }
  });

  it.skipIf(process.getuid?.() === 0)(
    'is not somewhere else where its folder cannot be written to',
    async () => {
      const { chmod } = await import('node:fs/promises');
      await chmod(at('office'), 0o500);
      const refused = await run('elsewhere');
      await chmod(at('office'), 0o700);
      expect(refused.stderr).toContain(at('office', STATE, 'ledger.db'));
      expect(refused.code).not.toBe(0);
      expect(await sent()).toBe(0);
    },
  );
});

describe('a ledger of 0.1 in the current folder', () => {
  const old = (): string => at('elsewhere', STATE, 'ledger.db');

  beforeEach(async () => {
    const job = at('office/jobs/orders.yaml');
    expect((await call('elsewhere', ['run', job], { LICENSE_SYNC_LEDGER: old() })).code).toBe(0);
  });

  it('is used, with a warning that says how to move it', async () => {
    const again = await run('elsewhere');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('skipped') });
    expect(await sent()).toBe(3);
    const [, from, to] = /: mv (\S+) (\S+)/.exec(again.stderr) ?? [];
    expect([from, to]).toEqual([at('elsewhere', STATE), at('office', STATE)]);
    const summary = JSON.parse(
      (await call('elsewhere', ['run', at('office/jobs/orders.yaml'), '--json'])).stdout,
    );
    expect(summary.warnings.join()).toContain(`mv ${from} ${to}`);
    for (const args of [['validate'], ['doctor']]) {
      const other = await call('elsewhere', [...args, at('office/jobs/orders.yaml')]);
      expect(other.stdout + other.stderr).toContain(`mv ${from} ${to}`);
    }
    expect(await ledgers()).toEqual([`elsewhere/${STATE}/ledger.db`]);
    await rename(from!, to!);
    for (const cwd of ['elsewhere', 'office']) {
      const moved = await run(cwd);
      expect(moved).toMatchObject({ code: 0, stderr: expect.not.stringContaining('mv ') });
    }
    expect(await sent()).toBe(3);
  });

  it('is used by schedules, with the warning', async () => {
    await put('office/jobs/orders.yaml', `${JOB}schedule: { cron: "0 2 * * *" }\n`);
    const args = ['schedule', 'export', at('office/jobs'), '--format', 'systemd'];
    const exported = await call('elsewhere', args);
    expect(exported.stdout).toContain(`LICENSE_SYNC_LEDGER=${old()}`);
    expect(exported.stderr).toContain(`mv ${at('elsewhere', STATE)}`);
  });

  it('is not ignored in silence where the job has a newer one', async () => {
    expect((await run('office')).code).toBe(0);
    const newer = at('office', STATE, 'ledger.db');
    const job = at('office/jobs/orders.yaml');
    const renamed = `mv ${at('elsewhere', STATE)} ${at('elsewhere', STATE)}.old`;
    const [listed] = JSON.parse((await call('office', ['runs', '--json'])).stdout) as { run: string }[];
    await writeFile(at('elsewhere/license-sync.yaml'), `version: 1\nledger: ../office/${STATE}/ledger.db\n`);
    // The settings name a ledger: the user decided.
    expect((await call('elsewhere', ['retry', listed!.run])).stderr).not.toContain(old());
    await rm(at('elsewhere/license-sync.yaml'));
    for (const args of [
      ['run', job],
      ['validate', job],
      ['doctor', job],
      ['plan', job, '--json'],
    ]) {
      const { stdout, stderr } = await call('elsewhere', args);
      for (const text of [newer, `--ledger ${old()}`, renamed]) expect(stdout + stderr).toContain(text);
    }
    const chinese = await call('elsewhere', ['run', job], { LANG: 'zh_CN.UTF-8' });
    expect(chinese.stderr).toContain(`--ledger ${old()}`);
    const warnings: string[] = [];
    await runJob(job, { cwd: at('elsewhere'), env, onWarning: (text) => warnings.push(text) });
    expect(warnings.join()).toContain(`--ledger ${old()}`);
    const named = await call('elsewhere', ['run', job, '--ledger', newer]);
    expect(named.stderr).not.toContain(old());
    await put('office/jobs/orders.yaml', `${JOB}schedule: { cron: "0 2 * * *" }\n`);
    const exported = await call('elsewhere', [
      'schedule',
      'export',
      at('office/jobs'),
      '--format',
      'systemd',
    ]);
    expect(exported.stdout).toContain(`LICENSE_SYNC_LEDGER=${newer}`);
    expect(exported.stderr).toContain(renamed);
    await rename(at('elsewhere', STATE), at('elsewhere', `${STATE}.old`));
    expect((await run('elsewhere')).stderr).not.toContain(at('elsewhere', STATE));
  });

  it('is not ignored by commands for its runs, below a folder with settings and a newer one', async () => {
    await mkdir(at('office/reports'));
    await rename(at('elsewhere', STATE), at('office/reports', STATE));
    const former = at('office/reports', STATE, 'ledger.db');
    const [listed] = JSON.parse((await call('office/reports', ['runs', '--json'])).stdout) as {
      run: string;
    }[];
    await writeFile(at('office/license-sync.yaml'), 'version: 1\n');
    const resumed = await call('office/reports', ['resume', listed!.run]);
    expect(resumed.stderr).toContain(`mv ${at('office/reports', STATE)} ${at('office', STATE)}`);
    expect((await run('office')).code).toBe(0);
    const lost = await call('office/reports', ['resume', listed!.run]);
    for (const text of [at('office', STATE, 'ledger.db'), `--ledger ${former}`])
      expect(lost.stderr).toContain(text);
  });

  it.each(['license-sync.yaml', `${STATE}/`])('is used where the job has %s and no ledger', async (there) => {
    if (there.endsWith('/')) await mkdir(at('office', there), { recursive: true });
    else await writeFile(at('office', there), 'version: 1\n');
    const again = await run('elsewhere');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('skipped') });
    const [, from, to] = /: mv (\S+) (\S+)/.exec(again.stderr) ?? [];
    expect(to).toBe(at('office', STATE));
    execFileSync('sh', ['-c', `mv ${from} ${to}`]);
    for (const cwd of ['elsewhere', 'office']) {
      const moved = await run(cwd);
      expect(moved).toMatchObject({ code: 0, stdout: expect.stringContaining('skipped') });
    }
    expect(await sent()).toBe(3);
  });

  it('is used in its old form, also for a job that it does not contain', async () => {
    const db = new DatabaseSync(old());
    db.exec(`UPDATE runs SET job_file = '${at('elsewhere/own.yaml')}'`);
    db.exec(BACK_TO_VERSION_4);
    db.close();
    const again = await run('elsewhere');
    expect(again.stderr).toContain(`mv ${at('elsewhere', STATE)} ${at('office', STATE)}`);
    expect((await stat(at('office')).then(() => readdir(at('office')))).includes(STATE)).toBe(false);
  });
});
