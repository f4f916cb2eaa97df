import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyPlan, LicenseSyncError, runJob } from '../../src/api/index.js';
import { licenseSync, start } from '../support/command.js';
import { orderJob, orderRows } from '../support/orders.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = path.join(ROOT, 'bin/license-sync.js');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-exits-'));
  await writeFile(at('orders.csv'), orderRows(2));
  await writeFile(at('job.yaml'), orderJob({ extra: 'connection: sandbox\noutput: { file: out.csv }\n' }));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);

describe.runIf(process.platform === 'linux')('what cannot be written to stdout', () => {
  it('ends in exit 5 without a stack, the run itself being whole', async () => {
    for (const args of [
      'run job.yaml --json',
      'run job.yaml',
      'runs --json',
      'operations',
      '--help',
      'schema',
    ]) {
      const { status, stderr } = spawnSync(
        'sh',
        ['-c', `"${process.execPath}" "${PROGRAM}" ${args} >/dev/full`],
        {
          cwd: folder,
          encoding: 'utf8',
        },
      );
      expect([args, status]).toEqual([args, 5]);
      expect(stderr).not.toMatch(/\n\s+at /);
      if (args !== '--help') expect(stderr).toContain('ENOSPC');
    }
    expect((await readFile(at('out.csv'), 'utf8')).split('\n').length).toBeGreaterThan(2);
    const runs = await licenseSync(['runs', '--json'], { cwd: folder });
    expect(JSON.parse(runs.stdout)).toMatchObject([
      { state: 'completed', counts: { skipped: 2 }, exitCode: 0 },
      { state: 'completed', counts: { succeeded: 2 }, exitCode: 0 },
    ]);
  });
});

describe('a program that is replaced while it is at work', () => {
  it('is reported where a part of it is missing, instead of a stack', async () => {
    for (const it of ['bin', 'dist', 'package.json'])
      await cp(path.join(ROOT, it), at(it), { recursive: true });
    await symlink(path.join(ROOT, 'node_modules'), at('node_modules'));
    const chunks = await readdir(at('dist/chunks'));
    // Chunks of earlier builds are there, too.
    const gone = chunks.filter((it) => it.startsWith('operations-') && it.endsWith('.cjs'));
    for (const it of gone) await rm(at(`dist/chunks/${it}`));
    const { status, stderr } = spawnSync(process.execPath, [at('bin/license-sync.js'), 'operations'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      5,
      expect.stringContaining('The program was replaced by another version'),
    ]);
    expect(gone.filter((it) => stderr.includes(it))).toHaveLength(1);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('an older Node', () => {
  it.each([
    ['18.20.8', 'en', 'Node.js 20.19 or newer is needed; this is 18.20.8'],
    ['20.18.0', 'zh', '需要 Node.js 20.19'],
  ])('%s gets one line with what is needed', (version, language, said) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); import(${JSON.stringify(PROGRAM)})`;
    const { status, stderr, stdout } = spawnSync(process.execPath, ['-e', pretend], {
      encoding: 'utf8',
      env: { ...process.env, LANG: language },
    });
    expect([status, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toContain(said);
  });
});

describe('a name that is not known', () => {
  it.each([
    [['init', 'x', '--operation', 'foo'], 'order.new_buy, order.delete_asset', 'did you mean'],
    [['operations', 'foo'], 'asset.lock', 'did you mean'],
    [['guess', 'orders.csv', '--operation', 'foo'], 'asset.lock', 'did you mean'],
    [['template', 'foo'], 'asset.lock', 'did you mean'],
    [['run', 'job.yaml', '--connection', 'q'], 'sandbox', 'did you mean'],
    [['run', 'job.yaml', '--set', 'zzzzzz=1'], 'safety', 'did you mean'],
  ])('%j names what there is, and nothing as near', async (args, named, never) => {
    const end = await licenseSync(args, { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).toContain(named);
    expect(end.stderr).not.toContain(never);
  });

  it.each([
    [['init', 'x', '--operation', 'new_buy'], 'did you mean order.new_buy'],
    [['template', 'asset.lok'], 'did you mean asset.lock'],
    [['run', 'job.yaml', '--connection', 'sandbx'], 'did you mean "sandbox"'],
    [['rnu'], 'Did you mean run'],
    [['run', 'job.yaml', '--jsn'], 'Did you mean --json'],
  ])('%j gets the nearest name', async (args, said) => {
    const end = await licenseSync(args, { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).toContain(said);
  });
});

describe('an error with --json', () => {
  it.each([
    [['operations', 'foo']],
    [['sandbox', '--port', '0', '--faults', 'foo=1']],
    [['guess', 'missing.csv']],
  ])('%j is one object on stdout', async (args) => {
    const end = await licenseSync([...args, '--json'], { cwd: folder });
    expect(end.code).toBe(2);
    const { error } = JSON.parse(end.stdout);
    expect(end.stderr).toContain(error.message);
  });
});

describe('numbers that hold nothing', () => {
  it.each([
    ['--canary', '0'],
    ['--canary', '-1'],
    ['--max-items', '-1'],
    ['--max-deletes', '-1'],
    ['--concurrency', '0'],
    ['--set', 'safety.maxItems=-1'],
    ['--set', 'safety.maxDeletes=-1'],
    ['--set', 'run.retries=-1'],
    ['--set', 'run.stopAfterFailures=-1'],
    ['--set', 'run.concurrency=0'],
    ['--set', 'batch.size=0'],
  ])('%s %s is a usage error', async (...args) => {
    const end = await licenseSync(['run', 'job.yaml', ...args], { cwd: folder });
    expect([args, end.code]).toEqual([args, 2]);
  });

  it('is one in a call too, as an error of the library’s own', async () => {
    const options = { cwd: folder };
    for (const wrong of [
      { canary: 0 },
      { canary: -1 },
      { canary: 1.5 },
      { maxItems: -1 },
      { maxDeletes: -1 },
      { maxItems: Number.NaN },
      { concurrency: 0 },
      { concurrency: -2 },
    ]) {
      const error: unknown = await runJob('job.yaml', { ...options, ...wrong }).catch((it: unknown) => it);
      expect(error).toBeInstanceOf(LicenseSyncError);
      expect(error).toMatchObject({ name: 'LicenseSyncError', code: 'job.unfit_number', exitCode: 2 });
    }
    // A check that is misspelt must not become a run; nor may an option of another function be ignored.
    for (const wrong of [{ dryrun: true }, { maxitems: 1 }, { apply: true }]) {
      await expect(runJob('job.yaml', { ...options, ...wrong })).rejects.toMatchObject({
        code: expect.stringMatching(/^run\.no_such_option/),
        exitCode: 2,
      });
    }
    await runJob('job.yaml', options);
    await expect(applyPlan('x', { ...options, maxAgeMs: -1 })).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe.runIf(process.platform !== 'win32')('SIGUSR1', () => {
  it('does not open the debugger, and does not stop a command', async () => {
    const running = start(['sandbox', '--port', '0'], { cwd: folder });
    await Promise.race([
      new Promise((resolve) => running.child.stdout?.once('data', resolve)),
      new Promise((resolve) => running.child.stderr?.once('data', resolve)),
    ]);
    running.child.kill('SIGUSR1');
    running.child.kill('SIGINT');
    const { stderr } = await running.ended;
    expect(stderr).not.toContain('Debugger listening');
  });
});
