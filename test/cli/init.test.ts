import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { licenseSync } from '../support/command.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-init-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);

const FILES = [
  'license-sync.yaml',
  'job.schema.json',
  '.vscode/settings.json',
  '.vscode/extensions.json',
  '.gitignore',
  'README.md',
  'jobs/new-buy.yaml',
  'data/new-buy.xlsx',
];

describe('init', () => {
  it('sets up a folder whose job runs on the sandbox at once', async () => {
    const end = await licenseSync(['init', 'crm'], { cwd: folder });
    expect(end.code).toBe(0);
    expect(end.stdout.trim().split('\n')).toEqual(FILES.map((it) => path.join('crm', it)));
    expect(end.stderr).toContain('cd crm && license-sync run jobs/new-buy.yaml');
    for (const file of FILES) expect((await stat(at(`crm/${file}`))).size).toBeGreaterThan(0);
    expect((await readFile(at('crm/README.md'), 'utf8')).trim().split('\n')).toHaveLength(5);
    const run = await licenseSync(['run', 'jobs/new-buy.yaml', '--json'], { cwd: at('crm') });
    expect(run.code).toBe(0);
    const said = JSON.parse(run.stdout) as { rows: number; counts: object; output: string };
    expect(said.counts).toEqual({ succeeded: said.rows });
    expect(said.rows).toBeGreaterThan(0);
    expect(path.dirname(said.output)).toBe(at('crm/results'));
    const schema = await licenseSync(['schema', '--check', 'job.schema.json'], { cwd: at('crm') });
    expect(schema.code).toBe(0);
  });

  it('warns that the settings of a folder above do not apply', async () => {
    await licenseSync(['init', '.'], { cwd: folder });
    const end = await licenseSync(['init', 'crm'], { cwd: folder });
    expect(end.stderr).toContain('the settings in license-sync.yaml do not apply in this folder');
    expect(end.stderr).toContain(`delete ${path.join('crm', 'license-sync.yaml')}`);
    const again = await licenseSync(['init', 'crm'], { cwd: folder });
    expect(again.stderr).not.toContain('Warning');
  });

  it('has a connection for the real platform ready, which reads as one when the marks are removed', async () => {
    await licenseSync(['init', '.'], { cwd: folder });
    const text = await readFile(at('license-sync.yaml'), 'utf8');
    expect(parse(text)).toEqual({
      version: 1,
      defaultConnection: 'sandbox',
      ledger: '.license-sync/ledger.db',
    });
    await writeFile(at('license-sync.yaml'), text.replace(/^# (connections:| {2}.*)$/gm, '$1'));
    const end = await licenseSync(['validate', 'jobs/new-buy.yaml', '--connection', 'production', '--json'], {
      cwd: folder,
      env: { LICENSE_APP_KEY: 'app', LICENSE_TOKEN: 'a-token-of-some-length' },
    });
    expect(JSON.parse(end.stdout)).toMatchObject({ connection: 'production', status: 'completed' });
  });

  it('leaves alone what is there, and lists it', async () => {
    await writeFile(at('README.md'), 'mine');
    await writeFile(at('.gitignore'), 'mine');
    const end = await licenseSync(['init'], { cwd: folder });
    expect(end.code).toBe(0);
    expect(end.stderr).toContain('README.md exists already and was not changed');
    expect(end.stderr).toContain('.gitignore exists already and was not changed');
    expect(await readFile(at('README.md'), 'utf8')).toBe('mine');
    const again = await licenseSync(['init', '--json'], { cwd: folder });
    expect(JSON.parse(again.stdout)).toMatchObject({ written: [], leftAlone: FILES });
    await writeFile(at('jobs/new-buy.yaml'), 'changed');
    await rm(at('data/new-buy.xlsx'));
    await licenseSync(['init'], { cwd: folder });
    await expect(stat(at('data/new-buy.xlsx'))).rejects.toThrow('ENOENT');
  });

  it('refuses a file in place of a folder, and an operation that there is not', async () => {
    await writeFile(at('x'), '');
    expect((await licenseSync(['init', 'x'], { cwd: folder })).code).toBe(2);
    const end = await licenseSync(['init', 'y', '--operation', 'asset.lok'], { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('asset.lock');
    await expect(stat(at('y'))).rejects.toThrow('ENOENT');
  });

  it('does so in Chinese', async () => {
    const env = { LANG: 'zh_CN.UTF-8' };
    await licenseSync(['init', '--operation', 'asset.lock'], { cwd: folder, env });
    expect(await readFile(at('jobs/asset-lock.yaml'), 'utf8')).toContain('assetNums: 锁号');
    const run = await licenseSync(['run', 'jobs/asset-lock.yaml', '--json'], { cwd: folder, env });
    expect(JSON.parse(run.stdout)).toMatchObject({ counts: { succeeded: 2 } });
  });
});
