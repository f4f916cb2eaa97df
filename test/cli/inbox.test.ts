import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ended, licenseSync, start } from '../support/command.js';
import { FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

let folder: string;
let platform: FakePlatform;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-inbox-'));
  platform = await new FakePlatform(ordersDone).start();
  await mkdir(at('inbox'));
  await writeJob();
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

function writeJob(extra = '', pattern = 'inbox/*.csv'): Promise<void> {
  return writeFile(at('job.yaml'), orderJob({ extra }).replace('file: orders.csv', `file: "${pattern}"`));
}

/** Lays a file into the folder, written long ago. */
async function drop(name: string, content: string): Promise<void> {
  await writeFile(at(`inbox/${name}`), content);
  const then = new Date(Date.now() - 60_000);
  await utimes(at(`inbox/${name}`), then, then);
}

const environment = (more: Record<string, string> = {}) => ({
  cwd: folder,
  env: {
    LICENSE_SYNC_BASE_URL: platform.url,
    LICENSE_SYNC_TOKEN: 's3cret-token',
    LICENSE_SYNC_APP_KEY: 'app',
    ...more,
  },
});
const call = (...args: string[]): Promise<Ended> => licenseSync(args, environment());
const orderOf = (seen: Seen): string => String(seen.body.channelOrderId);
const sent = (): string[] => platform.seen.map(orderOf);

interface Said {
  readonly status: string;
  readonly rows: number;
  readonly counts: Record<string, number>;
  readonly runs: readonly Record<string, unknown>[];
  readonly moved: readonly Record<string, unknown>[];
  readonly left: readonly { readonly file: string; readonly reason: string }[];
  readonly reason?: string;
  readonly error?: { readonly code: string };
}
const said = (end: Ended): Said => JSON.parse(end.stdout) as Said;

/** Files of the input folder, run ids as `RUN`. */
async function files(): Promise<string[]> {
  const entries = await readdir(at('inbox'), { recursive: true, withFileTypes: true });
  return (
    entries
      .filter((it) => !it.isDirectory())
      .map((it) => path.relative(at('inbox'), path.join(it.parentPath, it.name)))
      .map((it) => it.replace(/\d{8}-\d{6}-[0-9a-f]{6}/, 'RUN'))
      // Tested in reasons.test.ts.
      .filter((it) => !it.endsWith('.reason.txt'))
      .sort()
  );
}

describe('run over an input folder', () => {
  it('prints one object for all, with an object for each run', async () => {
    await drop('a.csv', orderRows(2, 1));
    await drop('b.csv', orderRows(2, 3).replace('A3,5', 'A3,five'));
    await drop('c.csv', orderRows(2, 1));
    await drop('d.csv', 'Order,Customer,Asset,Nodes\n"never closed\n');
    await drop('e.csv', orderRows(1, 9));
    await drop('~$e.csv', 'lock');
    const end = await call('run', 'job.yaml', '--json');
    expect(end.code).toBe(3);
    const it = said(end);
    expect(it).toMatchObject({
      job: 'orders',
      operation: 'order.new_buy',
      connection: 'env',
      status: 'invalid',
      rows: 4,
      counts: { succeeded: 2, invalid: 1, not_sent: 1 },
      requests: 2,
      retries: 0,
      durationMs: expect.any(Number),
    });
    expect(it.runs).toMatchObject([
      { status: 'completed', rows: 2, input: at('inbox/a.csv'), movedTo: at('inbox/done/a.csv') },
      { status: 'invalid', rows: 2, input: at('inbox/b.csv'), movedTo: at('inbox/failed/b.csv') },
      {
        status: 'invalid',
        rows: 0,
        input: at('inbox/d.csv'),
        movedTo: at('inbox/failed/d.csv'),
        error: { code: expect.stringMatching(/^source\./), message: expect.stringContaining('d.csv') },
      },
    ]);
    const [first, second] = it.runs;
    expect(first?.output).toBe(at(`inbox/done/a-${first?.run}.xlsx`));
    expect((await readSheet(String(second?.output))).map((line) => line.status)).toEqual([
      'invalid',
      'not_sent',
    ]);
    expect(it.moved).toEqual([
      {
        file: at('inbox/c.csv'),
        movedTo: at('inbox/done/c.csv'),
        run: first?.run,
        reason: expect.stringContaining(String(first?.run)),
      },
    ]);
    expect(it.left).toEqual([{ file: at('inbox/e.csv'), reason: expect.stringContaining('~$e.csv') }]);
    expect(end.stderr).toContain('never');
    expect(sent().sort()).toEqual(['SO-1', 'SO-2']);
  });

  it('says the same in words, and when no file fits', async () => {
    await drop('a.csv', orderRows(1));
    await drop('b.csv', orderRows(1));
    const first = await call('run', 'job.yaml');
    expect(first.code).toBe(0);
    expect(first.stdout).toContain(`${at('inbox/a.csv')}\nrun `);
    expect(first.stdout).toContain(`  input moved to ${at('inbox/done/b.csv')}\n`);
    expect(first.stdout).toContain('runs 1, only moved 1, left 0\n');
    const none = await call('run', 'job.yaml', '--json');
    expect(none.code).toBe(0);
    expect(said(none)).toMatchObject({ status: 'completed', rows: 0, runs: [], moved: [], left: [] });
    expect(said(none).reason).toBe(`no file matches ${at('inbox/*.csv')}`);
    await rm(at('inbox'), { recursive: true });
    const missing = await call('run', 'job.yaml', '--json');
    expect(missing.code).toBe(2);
    expect(said(missing).error?.code).toBe('inbox.no_folder');
  });

  it('takes one file by name as any job does; plans are of one file; a check moves none', async () => {
    await drop('a.csv', orderRows(1, 1));
    await drop('b.csv', orderRows(1, 2));
    const plan = await call('plan', 'job.yaml');
    expect(plan.code).toBe(2);
    expect(plan.stderr).toContain('--input');
    const one = await call('run', 'job.yaml', '--input', 'inbox/a.csv', '--output', 'a.csv', '--json');
    expect(said(one)).toMatchObject({ status: 'completed', counts: { succeeded: 1 } });
    const check = await call('validate', 'job.yaml', '--output', 'checks/{input}.csv', '--json');
    expect(said(check).runs.map((it) => it.output)).toEqual([at('checks/a.csv'), at('checks/b.csv')]);
    expect(await files()).toEqual(['a.csv', 'b.csv']);
    const shared = await call('run', 'job.yaml', '--output', 'all.csv');
    expect(shared.code).toBe(2);
    expect(shared.stderr).toContain('all-{run}.csv');
    expect(sent()).toEqual(['SO-1']);
  });

  it.skipIf(process.platform === 'win32')('is not led astray by the names of files', async () => {
    const names = ['a\nb.csv', 'a..%2f..%2fx.csv', 'x\u001b[31m.csv', '-rf.csv', '$&{run}{job}.csv'];
    for (const [index, name] of names.entries()) await drop(name, orderRows(1, index + 1));
    await drop('bad\u001b[31m.csv', 'Order,Customer,Asset,Nodes\n"never closed\n');
    const end = await call('run', 'job.yaml');
    expect(end.code).toBe(3);
    expect(end.stdout + end.stderr).not.toContain('\u001b');
    expect(end.stdout).not.toContain('a\nb.csv');
    expect((await files()).filter((it) => it.endsWith('.csv')).sort()).toEqual(
      [...names.map((it) => path.join('done', it)), path.join('failed', 'bad\u001b[31m.csv')].sort(),
    );
    expect((await readdir(folder)).sort()).toEqual(['.license-sync', 'inbox', 'job.yaml']);
    expect((await readdir(at('inbox'))).sort()).toEqual(['done', 'failed']);
  });

  it('reports each file’s run by itself', async () => {
    const reported: Record<string, unknown>[] = [];
    platform.answer = (seen) => {
      if (seen.path !== '/hook') return ordersDone(seen);
      reported.push(seen.body);
      return { body: {} };
    };
    await writeJob(`notify:\n  - { on: always, webhook: { url: "${platform.url}/hook" } }\n`);
    await drop('a.csv', orderRows(1, 1));
    await drop('b.csv', orderRows(1, 2).replace(',5', ',five'));
    await drop('c.csv', orderRows(1, 1));
    const end = await call('run', 'job.yaml', '--json');
    expect(end.stderr).not.toContain('warning');
    expect(reported).toMatchObject([
      { run: said(end).runs[0]?.run, exitCode: 0, input: at('inbox/a.csv') },
      { run: said(end).runs[1]?.run, exitCode: 3, input: at('inbox/b.csv') },
    ]);
  });
});

describe('a command over an input folder that does not come to its end', () => {
  it('lets what is in flight end at Ctrl-C; resume moves the file, the next start takes the others', async () => {
    await drop('a.csv', orderRows(20, 1));
    await drop('b.csv', orderRows(1, 50));
    platform.answer = (seen, count) => {
      if (count === 4) child.kill('SIGINT');
      return ordersDone(seen);
    };
    const { child, ended } = start(['run', 'job.yaml', '--json', '--concurrency', '1'], environment());
    const first = await ended;
    expect(first.code).toBe(130);
    expect(said(first)).toMatchObject({ status: 'interrupted' });
    expect(said(first).left.map((it) => path.basename(it.file))).toEqual(['a.csv', 'b.csv']);
    platform.answer = ordersDone;
    const resumed = await call('resume', '--json');
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      counts: { succeeded: 20 },
      movedTo: at('inbox/done/a.csv'),
    });
    expect(await files()).toEqual(['b.csv', 'done/a-RUN.xlsx', 'done/a.csv']);
    expect(said(await call('run', 'job.yaml', '--json')).counts).toEqual({ succeeded: 1 });
    expect(sent()).toHaveLength(21);
    expect(new Set(sent()).size).toBe(21);
  });

  it.each(['reply-received:2', 'before-rename', 'before-move'])(
    'is killed at %s: the next start sends no order a second time and moves the file',
    async (point) => {
      await drop('a.csv', orderRows(4));
      const args = ['run', 'job.yaml', '--json', '--concurrency', '1', '--set', 'safety.duplicates=send'];
      const killed = await licenseSync(args, environment({ LICENSE_SYNC_CRASH_AT: point }));
      expect(killed.signal).toBe('SIGKILL');
      expect(await files()).toContain('a.csv');
      const end = await licenseSync(args, environment());
      // Whether the second order was executed, is unknown to a process that got no reply.
      const outcome = point.startsWith('reply') ? 'failed' : 'done';
      expect(end, end.stderr).toMatchObject({ code: outcome === 'done' ? 0 : 6 });
      expect(await files()).toEqual([`${outcome}/a-RUN.xlsx`, `${outcome}/a.csv`]);
      expect(sent().sort()).toEqual(['SO-1', 'SO-2', 'SO-3', 'SO-4']);
      expect(said(end).runs).toHaveLength(point === 'before-move' ? 0 : 1);
    },
  );

  it('leaves its files to another one that is at work on them, and names its run', async () => {
    await drop('a.csv', orderRows(2, 1));
    await drop('b.csv', orderRows(2, 11));
    let second: Promise<Ended> | undefined;
    platform.answer = async (seen) => {
      second ??= call('run', 'job.yaml', '--json');
      await second;
      return ordersDone(seen);
    };
    const first = await call('run', 'job.yaml', '--json');
    const other = (await second) as Ended;
    expect([first.code, other.code]).toEqual([0, 0]);
    expect(said(other)).toMatchObject({ runs: [], moved: [] });
    expect(said(other).left.map((it) => path.basename(it.file))).toEqual(['a.csv', 'b.csv']);
    expect(said(other).left[0]?.reason).toContain(String(said(first).runs[0]?.run));
    expect(sent().sort()).toEqual(['SO-1', 'SO-11', 'SO-12', 'SO-2']);
    expect((await files()).filter((it) => it.endsWith('.csv'))).toEqual(['done/a.csv', 'done/b.csv']);
  });
});
