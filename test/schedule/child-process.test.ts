import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { type Child, childProcesses } from '../../src/schedule/child.js';

const SUMMARY = {
  run: 'r1',
  status: 'completed',
  rows: 3,
  counts: { succeeded: 2, skipped: 1 },
  output: 'a.xlsx',
};

/** Starts Node with a script in place of the program. */
function script(text: string, onLine: (line: string) => void = () => {}): Child {
  const start = childProcesses([process.execPath, '-e', text], { cwd: tmpdir(), env: process.env });
  return start([], onLine);
}

async function aLineOf(begin: (onLine: (line: string) => void) => Child): Promise<Child> {
  let child: Child | undefined;
  await new Promise<void>((resolve) => {
    child = begin(() => resolve());
  });
  return child!;
}

describe('a run’s process', () => {
  it('ends with its exit code and what it said', async () => {
    const lines: string[] = [];
    const text = `console.log(${JSON.stringify(JSON.stringify(SUMMARY))}); console.error('one\\n\\ntwo'); process.exitCode = 1`;
    expect(await script(text, (it) => lines.push(it)).ended).toEqual({ exitCode: 1, summary: SUMMARY });
    expect(lines).toEqual(['one', 'two']);
  });

  it('may say of several runs', async () => {
    const said = {
      status: 'completed',
      rows: 4,
      counts: { succeeded: 4 },
      runs: [{ run: 'r1' }, { run: 'r2' }],
    };
    const text = `console.log(${JSON.stringify(JSON.stringify(said))})`;
    expect((await script(text).ended).summary).toEqual({ ...said, run: 'r2', runs: 2 });
  });

  it.each([
    ['nothing', ''],
    ['something else', 'console.log("done"); console.log("[1]"); console.log("3")'],
    ['half an object', 'process.stdout.write("{\\"run\\":")'],
  ])('may say %s', async (_what, text) => {
    expect(await script(text).ended).toEqual({ exitCode: 0 });
  });

  it('may say far too much', async () => {
    const text = `
      const big = 'x'.repeat(1024 * 1024);
      for (let i = 0; i < 40; i += 1) process.stdout.write(big);
      process.stdout.write('\\n' + ${JSON.stringify(JSON.stringify(SUMMARY))});
      for (let i = 0; i < 5000; i += 1) process.stderr.write('fault ' + i + ' ' + 'y'.repeat(5000) + '\\n');`;
    const lines: string[] = [];
    const before = process.memoryUsage().heapUsed;
    expect(await script(text, (it) => lines.push(it)).ended).toEqual({ exitCode: 0, summary: SUMMARY });
    expect(lines).toHaveLength(501);
    expect(lines.at(-1)).toBe('…');
    expect(Math.max(...lines.map((it) => it.length))).toBeLessThanOrEqual(2000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('killed ends as a shell would report it', async () => {
    const child = await aLineOf((onLine) =>
      script('console.error("up"); setInterval(() => {}, 1000)', onLine),
    );
    child.kill();
    expect(await child.ended).toEqual({ exitCode: 137, signal: 'SIGKILL' });
    // It has already exited; the signal has no effect.
    child.interrupt();
    child.kill();
  });

  it('is interrupted once for each time it is asked', async () => {
    const text = `
      let asked = 0;
      process.on('SIGINT', () => { asked += 1; if (asked === 2) process.exit(130); console.error('first'); });
      console.error('up'); setInterval(() => {}, 1000)`;
    const lines: string[] = [];
    let reported = (): void => {};
    const child = await aLineOf((onLine) =>
      script(text, (it) => {
        lines.push(it);
        onLine(it);
        reported();
      }),
    );
    const first = new Promise<void>((resolve) => {
      reported = resolve;
    });
    child.interrupt();
    await first;
    child.interrupt();
    expect(await child.ended).toEqual({ exitCode: 130 });
    expect(lines).toEqual(['up', 'first']);
  });

  it('that leaves a process behind which holds its output open is not waited for', async () => {
    const text = `
      const { spawn } = require('node:child_process');
      const behind = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      behind.unref();
      console.error(behind.pid);
      console.log(${JSON.stringify(JSON.stringify(SUMMARY))}); process.exitCode = 6`;
    const lines: string[] = [];
    const child = script(text, (it) => lines.push(it));
    expect(await child.ended).toEqual({ exitCode: 6, summary: SUMMARY });
    // It is still there, so that this doesn't fail.
    process.kill(Number(lines[0]), 'SIGKILL');
    child.kill();
  });

  it('that cannot be started is reported, and ends with 5', async () => {
    const lines: string[] = [];
    const start = childProcesses(['/no/such/program'], { cwd: tmpdir(), env: {} });
    expect(await start(['run'], (it) => lines.push(it)).ended).toEqual({ exitCode: 5 });
    expect(lines.join()).toContain('ENOENT');
  });
});
