import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ended, licenseSync, start } from '../support/command.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';
import { until } from '../support/until.js';

const PROGRAM = fileURLToPath(new URL('../../bin/license-sync.js', import.meta.url));

let folder: string;
let platform: FakePlatform;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-stop-'));
  platform = await new FakePlatform(ordersDone).start();
  await writeFile(at('job.yaml'), orderJob());
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const env = (): Record<string, string> => ({
  LICENSE_SYNC_BASE_URL: platform.url,
  LICENSE_SYNC_TOKEN: 's3cret-token',
  LICENSE_SYNC_APP_KEY: 'app',
});

const begin = (...args: string[]) => start(args, { cwd: folder, env: env() });
const carry = (...args: string[]): Promise<Ended> => licenseSync(args, { cwd: folder, env: env() });
const sent = (): string[] => platform.seen.map((it) => String(it.body.channelOrderId));

interface Said {
  readonly status: string;
  readonly rows: number;
  readonly counts: Readonly<Record<string, number>>;
}
const said = (end: Ended): Said => JSON.parse(end.stdout) as Said;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('output that no process reads', () => {
  it.each(['stdout', 'stderr', 'both'])('does not harm the run (%s closed)', async (which) => {
    await writeFile(at('orders.csv'), orderRows(30));
    const { child, ended } = begin('run', 'job.yaml', '--json', '--output', 'result.csv');
    if (which !== 'stderr') child.stdout?.destroy();
    if (which !== 'stdout') child.stderr?.destroy();
    expect((await ended).code).toBe(0);
    expect((await readFile(at('result.csv'), 'utf8')).split('\r\n').filter(Boolean)).toHaveLength(31);
    expect(sent()).toHaveLength(30);
  });

  it('is reported on stderr when it meets a full disk, and the result stands', async () => {
    if (!existsSync('/dev/full')) return console.log('skipped: this system has no /dev/full');
    await writeFile(at('orders.csv'), orderRows(3));
    const end = await shell('exec "$0" "$1" --lang zh run job.yaml --output result.csv > /dev/full', [
      process.execPath,
      PROGRAM,
    ]);
    expect(end.stderr).toContain('标准输出（ENOSPC）');
    expect(existsSync(at('result.csv'))).toBe(true);
  });
});

describe('signals', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s lets what is in flight end, writes the result, and can be resumed',
    async (signal) => {
      await writeFile(at('orders.csv'), orderRows(60));
      platform.answer = async (seen, count) => {
        if (count === 10) child.kill(signal);
        await pause(30);
        return ordersDone(seen);
      };
      const { child, ended } = begin('run', 'job.yaml', '--json', '--concurrency', '3', '--output', 'a.xlsx');
      const end = await ended;
      expect(end.code).toBe(130);
      expect(said(end)).toMatchObject({ status: 'interrupted', rows: 60 });
      const { succeeded = 0, not_sent: notSent = 0 } = said(end).counts;
      expect(succeeded).toBe(platform.seen.length);
      expect(succeeded + notSent).toBe(60);
      expect(await readSheet(at('a.xlsx'))).toHaveLength(60);
      const again = await carry('resume', '--json');
      expect(said(again)).toMatchObject({ status: 'completed', counts: { succeeded: 60 } });
      expect(new Set(sent()).size).toBe(60);
      expect(sent()).toHaveLength(60);
    },
  );

  it('a second Ctrl-C leaves at once; what was in flight is unknown, the rest is sent by resume', async () => {
    await writeFile(at('orders.csv'), orderRows(20));
    platform.answer = (seen, count) => (count > 8 ? 'hang' : ordersDone(seen));
    const { child, ended } = begin('run', 'job.yaml', '--concurrency', '2', '--log-file', 'run.log');
    let reported = '';
    child.stderr?.on('data', (text) => {
      reported += String(text);
    });
    await until(() => platform.seen.length === 10);
    child.kill('SIGINT');
    await until(() => reported.includes('stopping'));
    const pressed = performance.now();
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(performance.now() - pressed).toBeLessThan(20_000);
    const lines = (await readFile(at('run.log'), 'utf8')).trimEnd().split('\n');
    expect(lines.map((it) => JSON.parse(it) as Record<string, unknown>).at(-1)).toMatchObject({
      event: 'stopping',
      cause: 'interrupted',
    });
    platform.answer = ordersDone;
    const again = await carry('resume', '--json');
    expect(again.code).toBe(6);
    expect(said(again).counts).toEqual({ succeeded: 18, unknown: 2 });
    expect(new Set(sent()).size).toBe(20);
    expect(sent()).toHaveLength(20);
  });

  it('the first Ctrl-C is the first even when the run is stopping already', async () => {
    await writeFile(at('orders.csv'), orderRows(20));
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    platform.answer = async (seen, count) => {
      if (count === 1) await held;
      return count === 2 ? { status: 401, body: {} } : ordersDone(seen);
    };
    const { child, ended } = begin(
      'run',
      'job.yaml',
      '--concurrency',
      '2',
      '--json',
      '--log-file',
      'run.log',
    );
    await until(() => platform.seen.length === 2);
    await until(() => existsSync(at('run.log')));
    await until(async () => (await readFile(at('run.log'), 'utf8')).includes('"stopping"'));
    child.kill('SIGINT');
    await pause(300);
    release();
    const end = await ended;
    expect(end.code).toBe(4);
    expect(said(end).counts).toEqual({ succeeded: 1, not_sent: 19 });
  });
});

/** Runs a command on a terminal of its own and types something at its question. */
const ON_TERMINAL = `
import os, pty, select, sys, time
typed, argv = sys.argv[1].encode().decode('unicode_escape').encode(), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(argv[0], argv)
shown, answered, until = b'', False, time.time() + 25
while time.time() < until:
    if select.select([terminal], [], [], 0.1)[0]:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    if b'[y/N]' in shown and not answered:
        answered = True
        os.write(terminal, typed)
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

describe('a question on the terminal', () => {
  it.each([
    ['Ctrl-C interrupts the run', '\\x03', 130, 'interrupted', 0],
    ['the end of input is a no', '\\x04', 4, 'stopped', 0],
    ['anything but yes is a no', 'perhaps\\r', 4, 'stopped', 0],
    ['yes goes on', 'y\\r', 0, 'completed', 3],
  ])('%s', async (_title, typed, code, status, requests) => {
    const python = await shell('python3 -c "import pty, os; os.waitstatus_to_exitcode"', []);
    if (python.code !== 0) return console.log('skipped: no python3 here to make a terminal with');
    await writeFile(at('orders.csv'), orderRows(3));
    await writeFile(at('job.yaml'), orderJob({ operation: 'order.delete_asset' }));
    await writeFile(at('on-terminal.py'), ON_TERMINAL);
    const args = ['on-terminal.py', typed, process.execPath, PROGRAM, 'run', 'job.yaml', '--output', 'r.csv'];
    const end = await shell('exec python3 "$0" "$@"', args);
    expect(end.stdout).toContain(status);
    expect(end.code).toBe(code);
    expect(platform.seen).toHaveLength(requests);
    expect(existsSync(at('r.csv'))).toBe(true);
  });
});

describe('a ledger that cannot be used', () => {
  beforeEach(async () => {
    await writeFile(at('orders.csv'), orderRows(40));
    expect((await carry('validate', 'job.yaml', '--quiet')).code).toBe(0);
  });

  const ledger = (): string => at('.license-sync/ledger.db');

  it('in use by another program: exit 2, and nothing is sent', async () => {
    const other = new DatabaseSync(ledger());
    other.exec('BEGIN EXCLUSIVE');
    const end = await carry('run', 'job.yaml');
    other.exec('ROLLBACK');
    other.close();
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(/in use by another program/);
    expect(platform.seen).toEqual([]);
  });

  it('damaged: exit 5, nothing is sent, nothing in it is changed', async () => {
    const file = await open(ledger(), 'r+');
    await file.write(Buffer.alloc(6000, 0xa5), 0, 6000, 4096);
    await file.close();
    const before = await readFile(ledger());
    const end = await carry('run', 'job.yaml');
    expect(end.code).toBe(5);
    expect(end.stderr).toMatch(/damaged/);
    expect(await readFile(ledger())).toEqual(before);
    expect(platform.seen).toEqual([]);
  });

  it('from a newer program: exit 2, with the advice to update', async () => {
    const db = new DatabaseSync(ledger());
    db.exec('PRAGMA user_version = 900');
    db.close();
    const end = await carry('run', 'job.yaml');
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(/newer license-sync.*900.*update/s);
    expect(platform.seen).toEqual([]);
  });
});

/** A POSIX shell in the test's folder; `$0`, `$1`, … are what is given. */
function shell(script: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', script, ...args], {
      cwd: folder,
      env: { ...process.env, ...env() },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => {
      stdout += String(text);
    });
    child.stderr.on('data', (text) => {
      stderr += String(text);
    });
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** The program with no file allowed to grow beyond so many KiB, which looks to it like a disk that is full. */
function onFullDisk(kib: number, ...args: string[]): Promise<Ended> {
  // POSIX counts blocks of 512 bytes.
  return shell(`ulimit -f ${kib * 2} && exec "$0" "$@"`, [process.execPath, PROGRAM, ...args]);
}

async function limitsWork(): Promise<boolean> {
  const end = await shell('ulimit -f 2 && head -c 4096 /dev/zero > limit-probe', ['probe']);
  const kept = (await stat(at('limit-probe')).catch(() => undefined))?.size ?? 0;
  await rm(at('limit-probe'), { force: true });
  return end.code !== 0 && kept <= 1024;
}

/** A full disk is played by a limit on the size of files, which some systems don't keep. */
async function needsLimits(test: { skip(note: string): void }): Promise<void> {
  if (!(await limitsWork())) test.skip('this system cannot limit the size of files');
}

const REFUSED: Answer = { status: 401, body: {} };

describe('a disk that is full', () => {
  it('at the intent: nothing more is sent, and resume completes the run', async (test) => {
    await needsLimits(test);
    await writeFile(at('orders.csv'), orderRows(300));
    platform.answer = () => REFUSED;
    expect((await carry('run', 'job.yaml', '--concurrency', '1', '--output', 'a.csv')).code).toBe(4);
    platform.seen.length = 0;
    platform.answer = ordersDone;
    const end = await onFullDisk(400, 'resume', '--concurrency', '4', '--json', '--output', 'b.csv');
    expect(end.code).toBe(5);
    expect(end.stderr).toMatch(/ledger .* could not be written.*resume/s);
    const sentThen = platform.seen.length;
    expect(sentThen).toBeGreaterThan(4);
    expect(sentThen).toBeLessThan(300);
    const { rows, counts } = said(end);
    expect(rows).toBe(300);
    expect(counts.succeeded! + counts.unknown! + counts.not_sent!).toBe(300);
    expect(counts.succeeded! + counts.unknown!).toBeGreaterThanOrEqual(sentThen);
    expect(counts.succeeded).toBeLessThanOrEqual(sentThen);
    await pause(300);
    expect(platform.seen).toHaveLength(sentThen);
    const again = await carry('resume', '--json', '--output', 'b.csv');
    const { succeeded = 0, unknown = 0 } = said(again).counts;
    expect(succeeded + unknown).toBe(300);
    // Only what was on its way when the ledger could no longer take its outcome.
    expect(unknown).toBeLessThanOrEqual(4);
    expect(new Set(sent()).size).toBe(sent().length);
    // An intent may be whole on the disk although its commit failed: nothing left by it, and it counts as perhaps sent.
    expect(sent().length).toBeGreaterThanOrEqual(300 - unknown);
  });

  it('at the report: no half file is left, the ledger keeps all, and resume writes it', async (test) => {
    await needsLimits(test);
    const long = orderRows(500).replaceAll('Customer ', `${'客户'.repeat(200)} `);
    await writeFile(at('orders.csv'), long);
    platform.answer = (seen: Seen, count) => (count === 500 ? REFUSED : ordersDone(seen));
    const first = await carry('run', 'job.yaml', '--json', '--output', 'a.xlsx');
    expect(said(first).counts).toEqual({ succeeded: 499, not_sent: 1 });
    platform.answer = ordersDone;
    const end = await onFullDisk(300, 'resume', '--json', '--output', 'out/b.csv');
    expect(end.code).toBe(5);
    expect(end.stdout + end.stderr).toMatch(/disk is full.*ledger contains every outcome.*resume/s);
    expect(said(end).counts).toEqual({ succeeded: 500 });
    expect(await readdir(at('out'))).toEqual([]);
    const count = platform.seen.length;
    const again = await carry('resume', '--json', '--output', 'out/b.csv');
    expect(again.code).toBe(0);
    expect(said(again)).toMatchObject({ status: 'completed', counts: { succeeded: 500 } });
    expect(platform.seen).toHaveLength(count);
    expect(await readdir(at('out'))).toEqual(['b.csv']);
  });

  it('at the log: it is reported once, and the run continues to its end', async (test) => {
    await needsLimits(test);
    await writeFile(at('orders.csv'), orderRows(30));
    await writeFile(at('run.log'), `${JSON.stringify({ old: 'x'.repeat(1020 * 1024) })}\n`);
    const end = await onFullDisk(
      1024,
      'run',
      'job.yaml',
      '--json',
      '--output',
      'a.csv',
      '--log-file',
      'run.log',
    );
    expect(end.code).toBe(0);
    expect(said(end).counts).toEqual({ succeeded: 30 });
    expect(end.stderr.match(/run\.log can no longer be written/g)).toHaveLength(1);
  });
});
