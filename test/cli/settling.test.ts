import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ended, licenseSync, licenseSyncAlone, start } from '../support/command.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';
import { unreachedInChild } from '../support/unreached.js';

let folder: string;
let platform: FakePlatform;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-settling-'));
  platform = await new FakePlatform(ordersDone).start();
  await writeFile(at('orders.csv'), orderRows(4));
  await writeFile(
    at('job.yaml'),
    orderJob({ extra: 'run: { retries: 0, timeout: 5s }\noutput: { file: result.xlsx }\n' }),
  );
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);

/** A story shows requests without the token, which only its own process must have learnt. */
const call = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  (args[0] === 'explain' ? licenseSyncAlone : licenseSync)(args, {
    cwd: folder,
    env: {
      LICENSE_SYNC_BASE_URL: platform.url,
      LICENSE_SYNC_TOKEN: 's3cret-token-0123456789',
      LICENSE_SYNC_APP_KEY: 'app',
      ...env,
    },
  });

const answers: Record<string, Answer> = {
  'SO-2': 'reset',
  'SO-4': 'reset',
};

interface Said {
  readonly run: string;
  readonly counts: Record<string, number>;
  readonly settled: { rows: number[]; to: string }[];
  readonly left: { rows: number[]; command: string }[];
}

const said = (end: Ended): Said => JSON.parse(end.stdout) as Said;

describe('rows that failed or are unknown, by the program', () => {
  it('are explained, resolved and sent again, each as its outcome allows', async () => {
    platform.answer = (seen: Seen) => answers[String(seen.body.channelOrderId)] ?? ordersDone(seen);
    const away = { NODE_OPTIONS: unreachedInChild(/SO-3/) };
    const first = await call(['run', 'job.yaml', '--json'], away);
    expect(first.code).toBe(6);
    const { run } = said(first);
    expect(said(first).counts).toEqual({ succeeded: 1, failed: 1, unknown: 2 });
    platform.answer = ordersDone;
    platform.seen.length = 0;

    const story = await call(['explain', run, '3']);
    expect(story.code).toBe(0);
    expect(story.stdout).toMatch(/SO-2[\s\S]*POST .*batchOrder[\s\S]*Bearer \[redacted\][\s\S]*reset/);
    expect(story.stdout).toContain(`license-sync resolve ${run} --row 3`);
    expect(story.stdout).not.toContain('s3cret');
    expect(story.stdout).toMatch(/attempt 1 on [-\d]+ [\d:]+ Asia\/Shanghai/);
    const chinese = await call(['explain', run, '3'], { LANG: 'zh_CN.UTF-8' });
    expect(chinese.stdout).toMatch(/第 1 次请求，[-\d]+ [\d:]+ Asia\/Shanghai/);
    expect(chinese.stdout).toContain('状态: 结果未知（unknown）');
    expect(chinese.stdout).toContain('请先不要再次发送');
    const reported = await call(['explain', run, '3', '--json']);
    expect(JSON.parse(reported.stdout)).toMatchObject({
      row: 3,
      status: 'unknown',
      requests: [{ sent: true }],
    });
    const nowhere = await call(['explain', run, '77']);
    expect(nowhere).toMatchObject({ code: 2, stdout: '' });
    expect(nowhere.stderr).toContain('3, 4, 5');

    const asked = await call(['resolve', run, '--verify', '--json']);
    expect(asked.code).toBe(6);
    expect(said(asked).left.map((it) => it.rows)).toEqual([[3], [5]]);
    expect(said(asked).left[0]?.command).toContain(`resolve ${run} --row 3`);

    const refused = await call(['retry', run, '--include', 'unknown', '--json', '--output', at('no.csv')]);
    expect(refused.code).toBe(4);
    expect(platform.seen).toEqual([]);

    const done = await call([
      'resolve',
      run,
      '--row',
      '3',
      '--as',
      'succeeded',
      '--license-order-id',
      'LO-77',
      '--note',
      'in the portal',
      '--output',
      at('settled.csv'),
    ]);
    expect(done.code).toBe(0);
    expect((await readSheet(at('settled.csv')))[1]).toMatchObject({
      status: 'succeeded',
      licenseOrderId: 'LO-77',
    });
    expect((await call(['resolve', run, '--row', '5', '--as', 'failed'])).code).toBe(0);
    const twice = await call(['resolve', run, '--row', '5', '--as', 'failed']);
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain('failed, not unknown');

    const again = await call(['retry', run, '--json', '--output', at('retried.xlsx')]);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 2, counts: { succeeded: 2 }, parent: run });
    expect((await readSheet(at('retried.xlsx'))).map((it) => it.row)).toEqual(['4', '5']);
    expect(platform.seen.map((it) => it.body.channelOrderId).sort()).toEqual(['SO-3', 'SO-4']);

    const whole = await call(['run', 'job.yaml', '--json', '--output', at('whole.xlsx')]);
    expect(JSON.parse(whole.stdout)).toMatchObject({ counts: { skipped: 4 }, requests: 0 });
    const shown = await call(['runs', 'show', run]);
    expect(shown.stdout).toMatch(/started +[-\d]+ [\d:]+ Asia\/Shanghai\n/);
    expect(shown.stdout).toMatch(/resolved +2 items: succeeded 1, failed 1/);
    const nothing = await call(['retry', said(whole).run]);
    expect(nothing).toMatchObject({ code: 0 });
    expect(nothing.stdout).toContain('nothing to retry');
  });

  it('are resolved by several rows, a range and a workbook; what is refused is not in the audit', async () => {
    await writeFile(at('orders.csv'), orderRows(9));
    platform.answer = () => 'reset';
    const { run } = said(await call(['run', 'job.yaml', '--json', '--output', at('r.xlsx')]));
    const resolve = (...args: readonly string[]) => call(['resolve', run, '--json', ...args]);
    const rows = (end: Ended) => said(end).settled.map((it) => it.rows[0]);
    expect(await resolve('--row', '2', '--row', '99', '--as', 'failed')).toMatchObject({ code: 2 });
    expect(rows(await resolve('--row', '2', '--row', '4-5,7', '--as', 'failed'))).toEqual([2, 4, 5, 7]);
    await writeFile(
      at('checked.csv'),
      'row,status,licenseOrderId\n3,succeeded,LO-3\n6,unknown,\n8,failed,\n',
    );
    const from = await resolve('--from', 'checked.csv', '--note', 'looked up');
    expect(rows(from)).toEqual([3, 8]);
    const lines = JSON.parse((await call(['audit', '--run', run, '--json'])).stdout) as {
      act: string;
      detail: unknown;
    }[];
    expect(lines.filter(({ act }) => act === 'resolve').map(({ detail }) => detail)).toEqual([
      { rows: '2, 4-5, 7', as: 'failed' },
      { file: 'checked.csv', note: 'looked up' },
    ]);
  });

  it('call an option that is given twice a usage error', async () => {
    const calls = [
      ['explain', 'a', '3', '--ledger', 'a', '--ledger', 'b'],
      ['resolve', 'a', '--row', '3', '--as', 'failed', '--as', 'succeeded'],
      [
        'resolve',
        'a',
        '--row',
        '3',
        '--row',
        '4',
        '--as',
        'failed',
        '--license-order-id',
        '1',
        '--license-order-id',
        '2',
      ],
      ['run', 'job.yaml', '--input', 'a.csv', '--input=b.csv'],
      ['run', 'job.yaml', '--max-items', '5', '--max-items', '50'],
      ['runs', 'prune', '--older-than', '90d', '--older-than', '1d'],
    ];
    for (const args of calls) {
      const end = await call(args);
      expect(end, args.join(' ')).toMatchObject({ code: 2, stdout: '' });
      expect(end.stderr).toContain('is given twice, but takes one value');
    }
    const chinese = await call(calls[0]!, { LANG: 'zh_CN.UTF-8' });
    expect(chinese.stderr).toContain('写了两次');
    expect(platform.seen).toEqual([]);
    // Booleans and options whose values are collected may be repeated.
    const set = ['--set', 'run.concurrency=1', '--set', 'run.timeout=5s'];
    expect(await call(['run', 'job.yaml', '--json', '--json', ...set])).toMatchObject({ code: 0 });
  });

  it('call what cannot be meant a usage error, also in JSON', async () => {
    platform.answer = () => 'reset';
    const { run } = said(await call(['run', 'job.yaml', '--json', '--output', at('r.csv')]));
    const calls = [
      ['resolve', run],
      ['resolve', run, '--row', '3'],
      ['resolve', run, '--as', 'failed'],
      ['resolve', run, '--row', '3', '--as', 'maybe'],
      ['resolve', run, '--row', '3', '--as', 'failed', '--verify'],
      ['resolve', run, '--row', '5-3', '--as', 'failed'],
      ['resolve', run, '--row', '3', '--as', 'failed', '--from', 'r.csv'],
      ['resolve', run, '--row', '3', '--as', 'failed', '--license-order-id', 'LO-1'],
      ['retry', run, '--include', 'unkown'],
      ['explain', run, 'three'],
      ['retry', 'no-such-run'],
      ['explain', 'no-such-run', '3'],
    ];
    for (const args of calls) {
      const end = await call(args);
      expect(end, args.join(' ')).toMatchObject({ code: 2, stdout: '' });
      expect(end.stderr).not.toBe('');
    }
    const reported = await call(['resolve', run, '--row', '99', '--as', 'failed', '--json']);
    expect(reported.code).toBe(2);
    expect(JSON.parse(reported.stdout)).toMatchObject({ error: { code: 'explain.no_such_row' } });
  });

  it('resumes a killed retry, and sends no order twice', async () => {
    await writeFile(at('orders.csv'), orderRows(80));
    const args = ['run', 'job.yaml', '--json', '--set', 'run.stopAfterFailures=1000'];
    const { run } = said(await call(args, { NODE_OPTIONS: unreachedInChild(/SO-/) }));
    platform.seen.length = 0;
    let kill = (): void => {};
    platform.answer = (seen, count) => {
      if (count === 30) kill();
      return ordersDone(seen);
    };
    const env = {
      LICENSE_SYNC_BASE_URL: platform.url,
      LICENSE_SYNC_TOKEN: 's3cret-token-0123456789',
      LICENSE_SYNC_APP_KEY: 'app',
    };
    const retry = start(['retry', run, '--concurrency', '4'], { cwd: folder, env });
    kill = () => retry.child.kill('SIGKILL');
    expect((await retry.ended).signal).toBe('SIGKILL');
    const end = await call(['resume', '--json', '--output', at('resumed.csv')]);
    const { succeeded = 0, unknown = 0, ...others } = said(end).counts;
    expect(others).toEqual({});
    expect(succeeded + unknown).toBe(80);
    expect(unknown).toBeLessThanOrEqual(4);
    const sent = platform.seen.map((it) => it.body.channelOrderId);
    expect(new Set(sent).size).toBe(sent.length);
    expect((await readFile(at('resumed.csv'), 'utf8')).trim().split('\n')).toHaveLength(81);
  });
});
