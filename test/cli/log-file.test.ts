import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder: string;
let platform: FakePlatform;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-log-'));
  platform = await new FakePlatform(ordersDone).start();
  await writeFile(at('job.yaml'), orderJob());
  await writeFile(at('orders.csv'), orderRows(6));
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const carry = (...args: string[]) =>
  licenseSync(args, {
    cwd: folder,
    env: {
      LICENSE_SYNC_BASE_URL: platform.url,
      LICENSE_SYNC_TOKEN: 's3cret-token',
      LICENSE_SYNC_APP_KEY: 'app',
    },
  });

type Line = Record<string, unknown>;

async function lines(file: string): Promise<Line[]> {
  const text = await readFile(at(file), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((it) => JSON.parse(it) as Line);
}

const named = (all: readonly Line[], event: string): Line[] => all.filter((it) => it.event === event);

describe('--log-file', () => {
  it('reports a run from its start to its end, each attempt with run, batch, attempt and nonce', async () => {
    const busy: Answer = { body: { code: '500', message: 'busy', cause: '' } };
    const refused: Answer = { status: 299, body: { code: '20001', message: 'no', cause: '' } };
    platform.answer = (seen: Seen, count) => (count === 1 ? busy : count === 3 ? refused : ordersDone(seen));
    const end = await carry('run', 'job.yaml', '--json', '--concurrency', '1', '--log-file', 'logs/run.log');
    expect(end.code).toBe(1);
    const { run, output } = JSON.parse(end.stdout) as { run: string; output: string };
    const all = await lines('logs/run.log');
    expect(
      all.every((it) => it.run === run && typeof it.time === 'string' && typeof it.msg === 'string'),
    ).toBe(true);
    expect(all.map((it) => it.event)).toEqual([
      'run_started',
      'plan_finished',
      'attempt',
      'waiting',
      ...Array.from({ length: 6 }, () => 'attempt'),
      'report_written',
      'run_ended',
    ]);
    expect(named(all, 'run_started')).toMatchObject([
      { job: 'orders', operation: 'order.new_buy', connection: 'env', kind: 'run' },
    ]);
    expect(named(all, 'plan_finished')).toMatchObject([{ rows: 6, items: 6, batches: 6 }]);
    const attempts = named(all, 'attempt');
    expect(attempts.map((it) => it.nonce)).toEqual(platform.seen.map((it) => it.nonce));
    expect(attempts.slice(0, 3)).toMatchObject([
      { batch: 1, attempt: 1, httpStatus: 200, outcome: 'reply', sent: true, items: 1, settled: {} },
      { batch: 1, attempt: 2, settled: { succeeded: 1 }, level: 'info' },
      { batch: 2, attempt: 1, httpStatus: 299, settled: { rejected: 1 }, level: 'warn' },
    ]);
    expect(attempts.every((it) => Number(it.durationMs) >= 0)).toBe(true);
    expect(named(all, 'waiting')).toMatchObject([{ batch: 1, attempt: 1 }]);
    expect(named(all, 'report_written')).toMatchObject([
      { output, rows: 6, counts: { succeeded: 5, rejected: 1 } },
    ]);
    expect(named(all, 'run_ended')).toMatchObject([
      { status: 'completed', exitCode: 1, requests: 7, retries: 1 },
    ]);
  });

  it('is resumed by resume, and reports why a run stopped', async () => {
    platform.answer = (seen, count) => (count > 2 ? { status: 401, body: {} } : ordersDone(seen));
    await carry('run', 'job.yaml', '--concurrency', '1', '--log-file', 'run.log');
    platform.answer = ordersDone;
    await carry('resume', '--log-file', 'run.log');
    const all = await lines('run.log');
    expect(named(all, 'stopping')).toMatchObject([
      {
        level: 'warn',
        cause: 'safety',
        code: 'platform.unauthorized',
        reason: expect.stringContaining('401'),
      },
    ]);
    expect(named(all, 'run_ended')).toMatchObject([{ exitCode: 4 }, { exitCode: 0 }]);
    expect(named(all, 'run_resumed')).toHaveLength(1);
    expect(new Set(all.map((it) => it.run)).size).toBe(1);
    expect(named(all, 'attempt')).toHaveLength(7);
  });

  it('reports what ended a command that made no run', async () => {
    await writeFile(at('orders.csv'), 'Order,Customer,Asset,Nodes\nSO-1,"One,A1,5\n');
    const end = await carry('validate', 'job.yaml', '--log-file', 'run.log');
    expect(end.code).toBe(3);
    const last = (await lines('run.log')).at(-1);
    expect(last).toMatchObject({ level: 'error', event: 'failed', code: expect.stringMatching(/^source\./) });
    expect(end.stderr).toContain(String(last?.reason));
  });

  it('begins a new line after one that was cut off', async () => {
    await writeFile(at('run.log'), '{"event":"attempt","ba');
    await carry('run', 'job.yaml', '--log-file', 'run.log');
    const [first, second = ''] = (await readFile(at('run.log'), 'utf8')).split('\n');
    expect(first).toBe('{"event":"attempt","ba');
    expect(JSON.parse(second)).toMatchObject({ event: 'run_started' });
  });

  it('holds no customer’s data', async () => {
    await carry('run', 'job.yaml', '--log-file', 'run.log');
    expect(await readFile(at('run.log'), 'utf8')).not.toMatch(/SO-1|Customer 1|"A1"|13800000001/);
  });

  it('adds nothing to a file that is no log, and a place that cannot be written is reported before anything is sent', async () => {
    const before = await readFile(at('orders.csv'));
    const wrong = await carry('run', 'job.yaml', '--log-file', 'orders.csv');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('orders.csv');
    expect(await readFile(at('orders.csv'))).toEqual(before);
    const folderNamed = await carry('run', 'job.yaml', '--log-file', '.');
    expect(folderNamed.code).toBe(2);
    expect(platform.seen).toEqual([]);
  });

  it('is written only when asked for', async () => {
    await carry('run', 'job.yaml', '--output', 'r.csv');
    expect((await readdir(folder)).sort()).toEqual(['.license-sync', 'job.yaml', 'orders.csv', 'r.csv']);
  });
});
