import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';

const DATA = fileURLToPath(new URL('../../jobs/data/', import.meta.url));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-guess-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);

describe('guess', () => {
  it('writes a job that validates, and names which column feeds which field', async () => {
    await mkdir(at('jobs'));
    await writeFile(at('job.schema.json'), '{}');
    const args = ['guess', path.join(DATA, 'bind-customers.xlsx'), '--output', 'jobs/bind.yaml'];
    const end = await licenseSync(args, { cwd: folder });
    expect(end.code).toBe(0);
    expect(end.stdout.split('\n')[0]).toBe(path.join('jobs', 'bind.yaml'));
    expect(end.stdout).toMatch(/Security Phone +-> +passwordMobile +sure/);
    expect(end.stderr).toMatch(/operation enterprise\.bind: 6 of its 6/);
    expect(end.stderr).toContain('next likely: ');
    expect(end.stderr).not.toContain('license-sync schema >');
    const text = await readFile(at('jobs/bind.yaml'), 'utf8');
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../job.schema.json');
    const checked = await licenseSync(['validate', 'jobs/bind.yaml', '--json'], { cwd: folder });
    expect(checked.code).toBe(0);
    expect(JSON.parse(checked.stdout)).toMatchObject({ job: 'bind', counts: { valid: 40 } });
    expect(await readdir(at('results'))).toHaveLength(1);
  });

  it('reads a text file by the encoding that it is given, and writes it where the file does not report', async () => {
    // A header and two names in Big5; the second line is plain.
    const big5 = Buffer.from('4c6f636b204e6f2c4f70657261746f720a383030303030303030312ca4fda46aa9fa0a', 'hex');
    await writeFile(at('locks.csv'), big5);
    const reported = await licenseSync(['guess', 'locks.csv', '--operation', 'asset.lock'], { cwd: folder });
    expect(reported.code).toBe(3);
    expect(reported.stderr).toContain('source.encoding');
    const named = ['guess', 'locks.csv', '--operation', 'asset.lock', '--encoding'];
    expect((await licenseSync([...named, 'big-5'], { cwd: folder })).code).toBe(2);
    const end = await licenseSync([...named, 'big5'], { cwd: folder });
    expect(end.code).toBe(0);
    expect(await readFile(at('locks.yaml'), 'utf8')).toContain('\n  encoding: big5\n');
    expect((await licenseSync(['validate', 'locks.yaml'], { cwd: folder })).code).toBe(0);
    await writeFile(at('plain.csv'), '\ufeffLock No,Operator\n8000000001,王大明\n');
    const plain = ['guess', 'plain.csv', '--operation', 'asset.lock', '--encoding', 'utf-8'];
    expect((await licenseSync(plain, { cwd: folder })).code).toBe(0);
    expect(await readFile(at('plain.yaml'), 'utf8')).not.toContain('encoding');
  });

  it('leaves a job that is there alone, unless it is forced', async () => {
    await writeFile(at('locks-to-enable.yaml'), 'mine');
    const input = path.join(DATA, 'locks-to-enable.csv');
    const end = await licenseSync(['guess', input], { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('--force');
    expect(await readFile(at('locks-to-enable.yaml'), 'utf8')).toBe('mine');
    const forced = await licenseSync(['guess', input, '--force', '--json'], { cwd: folder });
    expect(forced.code).toBe(0);
    expect(JSON.parse(forced.stdout)).toMatchObject({
      file: at('locks-to-enable.yaml'),
      operation: 'asset.unlock',
      lacking: [],
      unused: ['paid_on', 'note'],
    });
    expect(await readFile(at('locks-to-enable.yaml'), 'utf8')).toContain('operation: asset.unlock');
    expect(await readdir(folder)).toEqual(['locks-to-enable.yaml']);
  });

  it('speaks Chinese, in the job too, and names what is lacking', async () => {
    const args = ['guess', path.join(DATA, 'revoke-assets.xlsx'), '--output', 'revoke.yml'];
    const end = await licenseSync(args, { cwd: folder, env: { LC_ALL: 'zh_CN.UTF-8' } });
    expect(end.code).toBe(0);
    expect(end.stderr).toContain('以下必填字段没有找到对应的列：channelCode');
    expect(await readFile(at('revoke.yml'), 'utf8')).toContain('# 没有找到 channelCode（必填）对应的列');
    const checked = await licenseSync(['validate', 'revoke.yml'], { cwd: folder });
    expect(checked.code).toBe(2);
    expect(checked.stderr).toContain('"channelCode"');
  });

  it('asks where nothing reports which operation is meant, in both languages', async () => {
    await writeFile(at('locks.csv'), '锁号,操作人\r\n8000000001,李\r\n');
    const english = await licenseSync(['guess', 'locks.csv'], { cwd: folder });
    expect(english.code).toBe(2);
    expect(english.stdout).toBe('');
    expect(english.stderr).toContain('asset.lock, asset.unlock');
    expect(english.stderr).toMatch(/--operation asset\.lock/);
    const chinese = await licenseSync(['guess', 'locks.csv', '--lang', 'zh'], { cwd: folder });
    expect(chinese.code).toBe(2);
    expect(chinese.stderr).toContain('请指明所要的操作，例如 --operation asset.lock');
    expect(await readdir(folder)).toEqual(['locks.csv']);
    const named = await licenseSync(['guess', 'locks.csv', '--operation', 'asset.unlock', '--lang', 'zh'], {
      cwd: folder,
    });
    expect(named.code).toBe(0);
    expect(await readFile(at('locks.yaml'), 'utf8')).toContain('operation: asset.unlock');
  });

  it('asks in the job about what is only likely, in the language of the job', async () => {
    await writeFile(at('新购.csv'), '订单号,电话,锁号\r\n1,13800000001,8000000001\r\n');
    const end = await licenseSync(['guess', '新购.csv', '--lang', 'zh'], { cwd: folder });
    expect(end.code).toBe(0);
    expect(end.stderr).toContain('不确定的列：电话');
    const text = await readFile(at('新购.yaml'), 'utf8');
    expect(text).toContain(
      '# “电话”列是 adminCellNumber 吗？也可能是 passwordMobile：请核对。\n    adminCellNumber: 电话',
    );
    expect(text).toContain('description: 新购下单（新购.csv）');
  });

  it.each([
    ['a file that is not there', ['guess', 'none.xlsx'], 2, 'none.xlsx'],
    ['an operation that there is not', ['guess', 'x.csv', '--operation', 'asset.lok'], 2, 'asset.lock'],
    ['an output that is no job file', ['guess', 'x.csv', '--output', 'x.xlsx'], 2, '.yaml'],
    ['headers that mean nothing', ['guess', 'x.csv'], 2, '--operation'],
    [
      'a folder that cannot be made',
      ['guess', 'x.csv', '--operation', 'asset.list', '--output', 'x.csv/a.yaml'],
      2,
      'ENOTDIR',
    ],
  ])('refuses %s', async (_what, args, code, said) => {
    await writeFile(at('x.csv'), 'Pressure,Wind\r\n1,2\r\n');
    const end = await licenseSync(args, { cwd: folder });
    expect(end.code).toBe(code);
    expect(end.stderr).toContain(said);
    expect(await readdir(folder)).toEqual(['x.csv']);
  });
});
