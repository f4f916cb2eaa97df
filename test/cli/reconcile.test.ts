import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { licenseSync } from '../support/command.js';
import { FakePlatform } from '../support/fake-platform.js';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'reconcile-'));
  await writeFile(path.join(cwd, 'want.csv'), 'Enterprise,Lock,Locked\nENT-0001,8100000001,TRUE\n');
  await writeFile(
    path.join(cwd, 'job.yaml'),
    [
      'version: 1',
      'name: compare',
      'reconcile: asset',
      'connection: sandbox',
      'source: { file: want.csv }',
      'key: { enterpriseGlobalId: Enterprise, assetNum: Lock }',
      'expect: { locked: Locked }',
      'extra: ignore',
      'actions:',
      '  - on: different',
      '    operation: asset.lock',
      '    map: { assetNums: Lock, operatorIdentity: { value: ops } }',
      'output: { file: "compared-{run}.xlsx" }',
    ].join('\n'),
  );
});

afterEach(async () => {
  await rm(cwd, { recursive: true, force: true });
});

describe('reconcile', () => {
  test('looks, fixes, and is one run among others that is neither explained nor exported', async () => {
    const looked = await licenseSync(['reconcile', 'job.yaml', '--json'], { cwd });
    expect(looked.code, looked.stderr).toBe(1);
    expect(JSON.parse(looked.stdout)).toMatchObject({
      job: 'compare',
      operation: 'reconcile.asset',
      connection: 'sandbox',
      status: 'completed',
      rows: 1,
      counts: { different: 1 },
      requests: 1,
      retries: 0,
      actions: [],
      sandbox: 'SANDBOX',
    });
    const corrected = await licenseSync(['reconcile', 'job.yaml', '--apply', '--json'], { cwd });
    expect(corrected.code, corrected.stderr).toBe(0);
    const { run, output, actions } = JSON.parse(corrected.stdout) as {
      run: string;
      output: string;
      actions: { run: string; counts: object }[];
    };
    expect(actions.map((it) => it.counts)).toEqual([{ succeeded: 1 }]);
    expect((await readFile(output)).subarray(0, 2).toString()).toBe('PK');

    const shown = await licenseSync(['runs', 'show', run], { cwd });
    expect(shown.stdout).toMatch(/kind\s+reconcile/);
    expect(shown.stdout).toMatch(/counts\s+in_sync 1/);
    for (const args of [
      ['explain', run, '2'],
      ['retry', run],
      ['runs', 'export', run, '--output', 'again.xlsx'],
    ]) {
      const refused = await licenseSync(args, { cwd });
      expect([args, refused.code, refused.stderr]).toEqual([
        args,
        2,
        expect.stringContaining('is a reconciliation'),
      ]);
    }
    const explained = await licenseSync(['explain', actions[0]!.run, '2'], { cwd });
    expect(explained.code, explained.stderr).toBe(0);
    expect(explained.stdout).toContain('8100000001');
  });

  test('what a user gets wrong is reported with the correct value', async () => {
    const asRun = await licenseSync(['run', 'job.yaml'], { cwd });
    expect([asRun.code, asRun.stderr]).toEqual([2, expect.stringContaining('license-sync reconcile')]);
    await writeFile(path.join(cwd, 'want.csv'), 'Enterprise,Lock No,Locked\nENT-0001,8100000001,TRUE\n');
    const column = await licenseSync(['reconcile', 'job.yaml'], { cwd });
    expect([column.code, column.stderr]).toEqual([2, expect.stringContaining('Lock No')]);
    const input = await licenseSync(['reconcile', 'job.yaml', '--input', 'nowhere.csv'], { cwd });
    expect([input.code, input.stderr]).toEqual([2, expect.stringContaining('nowhere.csv')]);
  });

  test.each([
    ['its map', 'map: { assetNums: Nowhere, operatorIdentity: { value: ops } }', ''],
    [
      'its condition',
      'map: { assetNums: Lock, operatorIdentity: { value: ops } }',
      'when: row["Nowhere"] == "1"',
    ],
  ])(
    'a column of an action that is not there is reported before anything is asked: %s',
    async (_, map, when) => {
      const platform = await new FakePlatform(() => ({ body: { code: 0, data: [] } })).start();
      try {
        await writeFile(
          path.join(cwd, 'wrong.yaml'),
          (await readFile(path.join(cwd, 'job.yaml'), 'utf8'))
            .replace('connection: sandbox\n', '')
            .replace(/map: .*/, `${map}${when === '' ? '' : `\n    ${when}`}`),
        );
        const env = { LICENSE_SYNC_BASE_URL: platform.url, LICENSE_SYNC_TOKEN: 's3cret-token-0123456789' };
        for (const more of [[], ['--apply', '--yes']]) {
          const end = await licenseSync(['reconcile', 'wrong.yaml', ...more], { cwd, env });
          expect(end.code).toBe(2);
          expect(end.stderr).toContain('Nowhere');
        }
        expect(platform.seen).toEqual([]);
      } finally {
        await platform.stop();
      }
    },
  );

  test('--report writes a page of what differs, and of the runs of its actions', async () => {
    const page = path.join(cwd, 'compared.html');
    const end = await licenseSync(['reconcile', 'job.yaml', '--report', 'compared.html', '--json'], { cwd });
    expect(end.code).toBe(1);
    expect(JSON.parse(end.stdout)).toMatchObject({ report: page, warnings: [] });
    const text = await readFile(page, 'utf8');
    expect(text).toContain('Comparison');
    expect(text).toMatch(/data-status="different"/);
    expect(text).toContain('locked: expected TRUE, actual FALSE');
    expect(text).toContain('SANDBOX');
    const applied = ['reconcile', 'job.yaml', '--apply', '--report', 'both.html', '--json'];
    const both = await licenseSync(applied, { cwd, env: { LANG: 'zh_CN.UTF-8' } });
    const { reports } = JSON.parse(both.stdout) as { reports: string[] };
    expect(reports).toHaveLength(2);
    expect(await readFile(reports[0]!, 'utf8')).toContain('核对');
    await mkdir(path.join(cwd, 'folder.html'));
    const refused = await licenseSync(['reconcile', 'job.yaml', '--report', 'folder.html'], { cwd });
    expect(refused.code).toBe(2);
  });

  test('--report replaces neither a page that was changed nor, without actions, the page of a run', async () => {
    const compare = async (...args: string[]) => {
      const end = await licenseSync(['reconcile', 'job.yaml', ...args, '--report', 'page.html', '--json'], {
        cwd,
      });
      return JSON.parse(end.stdout) as { report: string; warnings: string[] };
    };
    const page = path.join(cwd, 'page.html');
    expect((await compare()).report).toBe(page);
    expect(await compare()).toMatchObject({ report: page, warnings: [] });
    const changed = `${await readFile(page, 'utf8')}<!-- noted -->`;
    await writeFile(page, changed);
    const other = await compare();
    expect(other.report).not.toBe(page);
    expect(other.warnings.join()).toContain(other.report);
    expect(await readFile(page, 'utf8')).toBe(changed);

    await rm(page);
    await writeFile(path.join(cwd, 'want.csv'), 'Enterprise,Lock,Locked\nENT-0001,8100000001,FALSE\n');
    await writeFile(
      path.join(cwd, 'job.yaml'),
      (await readFile(path.join(cwd, 'job.yaml'), 'utf8')).replace('  - on: different', '  - on: missing'),
    );
    const { report } = await compare('--apply');
    expect(report).toBe(page);
    const run = await readFile(page, 'utf8');
    const looked = await compare();
    expect(looked.report).not.toBe(page);
    expect(looked.warnings.join()).toContain(looked.report);
    expect(await readFile(page, 'utf8')).toBe(run);
  });
});
