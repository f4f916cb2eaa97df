import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';

const TOKEN = 's3cret-token-0123456789';

let folder: string;
let platform: FakePlatform;

beforeAll(async () => {
  platform = await new FakePlatform(ordersDone).start();
});
afterAll(() => platform.stop());

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-report-'));
  platform.answer = ordersDone;
  platform.seen.length = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);
const page = (name: string): Promise<string> => readFile(at(name), 'utf8');

function command(args: readonly string[], env: Record<string, string> = {}) {
  return licenseSync(args, {
    cwd: folder,
    env: {
      LICENSE_SYNC_BASE_URL: platform.url,
      LICENSE_SYNC_TOKEN: TOKEN,
      LICENSE_SYNC_APP_KEY: 'app',
      ...env,
    },
  });
}

async function prepare(rows: string, extra = ''): Promise<void> {
  await writeFile(at('job.yaml'), orderJob({ extra }));
  await writeFile(at('orders.csv'), rows);
}

describe('--report', () => {
  it('reports what is wrong and what to do, also of a run that stopped, and continues reporting', async () => {
    await prepare(orderRows(60), 'run: { concurrency: 1, retries: 0, stopAfterFailures: 5 }\n');
    const { url } = platform;
    const there = { LICENSE_SYNC_BASE_URL: url };
    await platform.stop();
    const stopped = await command(['run', 'job.yaml', '--output', 'out.csv', '--report', 'run.html'], there);
    await platform.start(Number(new URL(url).port));
    expect(stopped.code).toBe(4);
    expect(stopped.stdout).toContain(`report ${at('run.html')}`);
    const run = /run (\d{8}-\d{6}-\w+)/.exec(stopped.stdout)?.[1] ?? '';
    const before = await page('run.html');
    expect(before).toContain('Stopped before its end');
    expect(before).toContain(`license-sync resume ${run}`);
    expect(before.match(/data-status="failed"/g)).toHaveLength(5);
    expect(before).toContain('not sent: platform not reached');

    const chinese = { LANG: 'zh_CN.UTF-8' };
    const resumed = await command(['resume', '--report', 'run.html', '--json'], chinese);
    expect(resumed.code).toBe(1);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ run, report: at('run.html') });
    const after = await page('run.html');
    expect(after).toContain('共 60 行，其中 55 行正常，5 行需要查看。');
    expect(after).toContain(`license-sync retry ${run}`);

    const retried = await command(['retry', run, '--report', '{job}-{run}.html', '--json']);
    const { run: retry, report } = JSON.parse(retried.stdout) as { run: string; report: string };
    expect(report).toBe(at(`orders-${retry}.html`));
    const third = await readFile(report, 'utf8');
    expect(third).toContain('All 5 rows are fine.');
    expect(third).toContain('Retry of');
    const again = await command(['runs', 'report', run, '--output', 'again.html']);
    expect(again.stdout).toBe(`report ${at('again.html')}\n`);
    expect(await page('again.html')).toContain(`license-sync runs show ${retry}`);
  });

  it('is written for plans, and for their application', async () => {
    await prepare(orderRows(2));
    const plan = await command([
      'plan',
      'job.yaml',
      '--output',
      'out.csv',
      '--report',
      'plan.html',
      '--json',
    ]);
    const { plan: id } = JSON.parse(plan.stdout) as { plan: string };
    expect(await page('plan.html')).toContain(`license-sync apply ${id}`);
    expect(platform.seen).toHaveLength(0);
    await command(['apply', id, '--report', 'applied.html']);
    expect(await page('applied.html')).toContain('All 2 rows are fine.');
  });

  it('shows what a sheet and the platform say as text, and no credential', async () => {
    const hostile = `<script>alert(1)</script>`;
    platform.answer = () => ({
      body: {
        code: '13004',
        message: `</style>${hostile} ${TOKEN}`,
        cause: 'javascript:alert(1)',
        data: null,
      },
    });
    await prepare(`Order,Customer,Asset,Nodes\nSO-1,${hostile},A1,5\nSO-2,x,A2,${hostile}\n`);
    await mkdir(at('<b>'));
    const name = at('<b>/orders.csv');
    await writeFile(name, await readFile(at('orders.csv')));
    const args = ['--input', name, '--on-invalid', 'skip', '--output', 'out.csv', '--report', 'run.html'];
    const end = await command(['run', 'job.yaml', ...args]);
    expect(end.code).toBe(1);
    const text = await page('run.html');
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text.match(/<\/style/g)).toHaveLength(1);
    expect(text).not.toContain('<b>');
    expect(text).toContain(
      '&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt; [redacted] (cause: javascript:alert(1))',
    );
    expect(text).toContain('&quot;&lt;script&gt;alert(1)&lt;/script&gt;&quot; is not a whole number');
    expect(text).not.toContain(TOKEN);
  });

  it.each([['orders.csv'], ['folder.html']])(
    'that can’t be written to %s is reported before anything is sent',
    async (report) => {
      await prepare(orderRows(2));
      await mkdir(at('folder.html'));
      const end = await command(['run', 'job.yaml', '--output', 'out.csv', '--report', report]);
      expect(end.code).toBe(2);
      expect(end.stderr).toContain(report);
      expect(platform.seen).toHaveLength(0);
      expect(await readFile(at('orders.csv'), 'utf8')).toBe(orderRows(2));
    },
  );

  it('that fails at the end changes nothing about the run', async () => {
    await prepare(orderRows(2));
    platform.answer = async (seen) => {
      await rm(at('pages'), { recursive: true, force: true });
      await writeFile(at('pages'), 'in the way');
      return ordersDone(seen);
    };
    const end = await command(['run', 'job.yaml', '--output', 'out.csv', '--report', 'pages/run.html']);
    expect(end.code).toBe(0);
    expect(end.stderr).toMatch(/is not affected, but its report was not written/);
    expect(end.stdout).not.toContain('report ');
    expect(await readdir(folder)).toContain('out.csv');
  });
});
