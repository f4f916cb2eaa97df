import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
import { type Ended, licenseSync, start } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { collect } from '../support/ledger-samples.js';
import { OnboardingPlatform, onboarding, onboardingRows } from '../support/onboarding.js';
import { orderJob, orderRows } from '../support/orders.js';
import { until } from '../support/until.js';

let folder: string;
let platform: FakePlatform;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-cut-off-'));
  platform = await new FakePlatform(ordersDone).start();
  await writeFile(at('job.yaml'), orderJob({ extra: 'run: { concurrency: 1, retries: 0 }\n' }));
  await writeFile(at('orders.csv'), orderRows(3));
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const env = (more: Record<string, string> = {}): Record<string, string> => ({
  LICENSE_SYNC_BASE_URL: platform.url,
  LICENSE_SYNC_TOKEN: 's3cret-token',
  LICENSE_SYNC_APP_KEY: 'app',
  ...more,
});
const call = (args: readonly string[], more: Record<string, string> = {}): Promise<Ended> =>
  licenseSync(args, { cwd: folder, env: env(more) });
const killed = async (args: readonly string[], point: string): Promise<void> => {
  const end = await call(args, { LICENSE_SYNC_CRASH_AT: point });
  expect(end.signal).toBe('SIGKILL');
};

interface Line {
  readonly run: string;
  readonly kind: string;
  readonly state: string;
  readonly next?: string;
  readonly counts: Record<string, number>;
}
const runs = async (): Promise<readonly Line[]> =>
  JSON.parse((await call(['runs', '--json'])).stdout) as Line[];

describe('a run that had no token when it should send', () => {
  const left = {
    counts: { not_sent: 3 },
    exitCode: 2,
    reason: expect.stringContaining('LICENSE_SYNC_TOKEN'),
  };

  it.each([
    ['of one operation', orderJob(), orderRows(3)],
    ['of several steps', onboarding(), onboardingRows(['O1,C1,,1,5', 'O2,C2,,1,5', 'O3,C3,,1,5'])],
  ])('is stopped, whole, and continues when there is one: %s', async (_, job, rows) => {
    const done = new OnboardingPlatform();
    platform.answer = (seen) => done.answer(seen);
    await writeFile(at('job.yaml'), job.replace('rows.csv', 'orders.csv'));
    await writeFile(at('orders.csv'), rows);
    expect(await call(['run', 'job.yaml', '--yes'], { LICENSE_SYNC_TOKEN: '' })).toMatchObject({ code: 2 });
    const [line] = await runs();
    expect(line).toMatchObject({ state: 'stopped', ...left });
    expect(platform.seen).toEqual([]);
    expect(await call(['resume', line!.run, '--yes'])).toMatchObject({ code: 0 });
    expect(await runs()).toMatchObject([{ state: 'completed', counts: { succeeded: 3 }, exitCode: 0 }]);
  });
});

describe('a run whose process died', () => {
  it('reads cut off wherever it is shown, with resume as the next step', async () => {
    await killed(['run', 'job.yaml'], 'reply-received:2');
    const [line] = await runs();
    expect(line).toMatchObject({ state: 'cut off', counts: { succeeded: 1, unknown: 1, not_sent: 1 } });
    const run = line?.run ?? '';
    expect(line?.next).toContain(`license-sync resume ${run}`);
    const list = await call(['runs']);
    expect(list.stdout).toMatch(/cut off .*unknown 1/);
    expect(list.stdout).toContain(`license-sync resume ${run}`);
    expect(list.stdout).not.toContain('executing');
    const shown = await call(['runs', 'show', run], { LANG: 'zh_CN.UTF-8' });
    expect(shown.stdout).toMatch(/状态 +cut off/);
    expect(shown.stdout).toContain(`异常中断（程序意外退出）。请继续：license-sync resume ${run}`);
    const story = await call(['explain', run, '3']);
    expect(story.stdout).toContain(`run ${run} was cut off`);
    expect(story.stdout).toMatch(new RegExp(`what to do next\\n.*license-sync resume ${run}`));
    await call(['runs', 'report', run, '--output', at('page.html')]);
    expect((await call(['resume', run])).code).toBe(6);
    expect((await runs())[0]).toMatchObject({ state: 'completed' });
  });

  it('may be resolved where a resume sends nothing because it was not confirmed', async () => {
    await writeFile(
      at('job.yaml'),
      orderJob({ operation: 'order.delete_asset', extra: 'run: { concurrency: 1, retries: 0 }\n' }),
    );
    await killed(['run', 'job.yaml', '--yes'], 'reply-received:2');
    const run = (await runs())[0]?.run ?? '';
    const sent = platform.seen.length;
    expect((await call(['resume', run])).code).not.toBe(0);
    expect((await runs())[0]).toMatchObject({
      state: 'stopped',
      counts: { succeeded: 1, unknown: 1, not_sent: 1 },
    });
    expect(platform.seen).toHaveLength(sent);
    const ledger = await openLedger(at('.license-sync/ledger.db'));
    expect((await collect(ledger.resolutions.unknown(run))).map((it) => it.item)).toEqual([2]);
    await ledger.close();
    const resolved = await call(['resolve', run, '--row', '3', '--as', 'failed']);
    expect([resolved.code, resolved.stderr]).toEqual([0, '']);
    expect((await runs())[0]).toMatchObject({ counts: { succeeded: 1, failed: 1, not_sent: 1 } });
  });

  it('is named by resume where another run came to its end since', async () => {
    await killed(['run', 'job.yaml'], 'reply-received:2');
    const cutOff = (await runs())[0]?.run ?? '';
    await writeFile(
      at('other.csv'),
      orderRows(5)
        .split('\n')
        .filter((line) => !/SO-[123],/.test(line))
        .join('\n'),
    );
    expect((await call(['run', 'job.yaml', '--input', 'other.csv'])).code).toBe(6);
    const refused = await call(['resume']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`license-sync resume ${cutOff}`);
    expect((await call(['resume', cutOff])).code).toBe(6);
    const nothing = await call(['resume']);
    expect([nothing.code, nothing.stderr]).toEqual([
      2,
      expect.stringContaining('there is nothing to continue'),
    ]);
  });

  it('reads cut off too where it died while writing its result', async () => {
    await killed(['run', 'job.yaml'], 'report:2');
    expect((await runs())[0]).toMatchObject({ state: 'cut off' });
    expect((await call(['resume'])).code).toBe(0);
  });

  it('reads cut off too where it only checked', async () => {
    await killed(['validate', 'job.yaml'], 'plan:2');
    const [line] = await runs();
    expect(line).toMatchObject({ state: 'cut off', kind: 'dry_run' });
    expect((await call(['resume', line?.run ?? ''])).code).toBe(0);
  });

  it('reads cut off where it compared, which is simply made again', async () => {
    await writeFile(
      at('compare.yaml'),
      'version: 1\nname: compare\nreconcile: asset\nsource: { file: orders.csv }\nkey: { enterpriseGlobalId: Order, assetNum: Asset }\n',
    );
    platform.answer = () => ({ body: { code: 0, message: 'success', data: [] } });
    await killed(['reconcile', 'compare.yaml'], 'before-rename');
    const [line] = await runs();
    expect(line).toMatchObject({ state: 'cut off', kind: 'reconcile' });
    expect(line?.next).toContain(`license-sync reconcile ${at('compare.yaml')}`);
    expect(line?.next).not.toContain('resume');
  });

  it('reads executing while its process is at work', async () => {
    let hold = (): void => {};
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    platform.answer = async (seen) => {
      await held;
      return ordersDone(seen);
    };
    const running = start(['run', 'job.yaml'], { cwd: folder, env: env() });
    await until(() => platform.seen.length > 0);
    const [line] = await runs();
    expect(line).toMatchObject({ state: 'executing' });
    expect(line).not.toHaveProperty('next');
    const story = await call(['explain', line?.run ?? '', '3']);
    expect(story.stdout).toContain('Wait for the end of the run');
    hold();
    expect((await running.ended).code).toBe(0);
  });

  it('is named by the next run of its job over another input, which ends with 6 until it is resolved', async () => {
    await killed(['run', 'job.yaml'], 'reply-received:2');
    const [{ run = '' } = {}] = await runs();
    await writeFile(at('orders.csv'), orderRows(2, 11));
    const next = await call(['run', 'job.yaml', '--json']);
    expect(next.code).toBe(6);
    expect(JSON.parse(next.stdout)).toMatchObject({ status: 'completed', counts: { succeeded: 2 } });
    expect(next.stderr).toContain(`run ${run} of this job`);
    expect(next.stderr).toContain(at('orders.csv'));
    // Resolved without resuming it: nothing is uncertain any more, but rows were not sent.
    expect((await call(['resolve', run, '--row', '3', '--as', 'succeeded'])).code).toBe(0);
    await writeFile(at('orders.csv'), orderRows(2, 21));
    const later = await call(['run', 'job.yaml']);
    expect(later.code).toBe(0);
    expect(later.stderr).toMatch(new RegExp(`run ${run} of this job.*1 of its rows was not sent`));
  });

  it('is named by a plan that was made before it, too', async () => {
    await writeFile(at('other.csv'), orderRows(1, 11));
    const planned = await call(['plan', 'job.yaml', '--input', at('other.csv'), '--json']);
    const { plan } = JSON.parse(planned.stdout) as { plan: string };
    await killed(['run', 'job.yaml'], 'reply-received:2');
    const [{ run = '' } = {}] = await runs();
    const applied = await call(['apply', plan, '--json']);
    expect(applied.code).toBe(6);
    expect(applied.stderr).toContain(`run ${run} of this job`);
    expect(JSON.parse(applied.stdout)).toMatchObject({
      counts: { succeeded: 1 },
      warnings: [expect.stringContaining(run)],
    });
  });

  it('is named, without a doubt, by the very next run where it left rows unsent only', async () => {
    await killed(['run', 'job.yaml'], 'before-intent');
    const [{ run = '' } = {}] = await runs();
    await writeFile(at('orders.csv'), orderRows(2, 11));
    const next = await call(['run', 'job.yaml']);
    expect(next.code).toBe(0);
    expect(next.stderr).toContain(`license-sync resume ${run}`);
  });

  it('is not forgotten where its file in an inbox was replaced, or taken away', async () => {
    await mkdir(at('inbox'));
    await writeFile(
      at('job.yaml'),
      orderJob({ extra: 'run: { concurrency: 1, retries: 0 }\n' }).replace('orders.csv', 'inbox/*.csv'),
    );
    const lay = async (rows: string): Promise<void> => {
      await writeFile(at('inbox/a.csv'), rows);
      const then = new Date(Date.now() - 60_000);
      await utimes(at('inbox/a.csv'), then, then);
    };
    await lay(orderRows(3));
    await killed(['run', 'job.yaml'], 'reply-received:2');
    const [{ run = '' } = {}] = await runs();
    await lay(orderRows(2, 11));
    const replaced = await call(['run', 'job.yaml', '--json']);
    expect(replaced.code).toBe(6);
    expect(JSON.parse(replaced.stdout)).toMatchObject({
      counts: { succeeded: 2 },
      cutOff: [{ run, unknown: 1 }],
    });
    // The new file itself succeeded.
    expect((await readdir(at('inbox/done'))).filter((it) => it.endsWith('.csv'))).toEqual(['a.csv']);
    const empty = await call(['run', 'job.yaml']);
    expect(empty.code).toBe(6);
    expect(empty.stdout).toContain(`license-sync resume ${run}`);
    expect((await call(['resume', run])).code).toBe(6);
    expect((await call(['run', 'job.yaml'])).code).toBe(0);
  });
});
