import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Notification } from '../../src/model/connection.js';
import { afterRun } from '../../src/notify/after-run.js';
import { rememberSecret } from '../../src/util/secrets.js';
import { following, runOver } from './parts.js';

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function command(argv: readonly string[], timeoutMs = 10_000): Notification {
  return { on: 'always', target: { kind: 'command', argv, timeoutMs } };
}

const node = (script: string, ...args: string[]): readonly string[] => [
  process.execPath,
  '-e',
  script,
  ...args,
];

/** Of a shell, `$0` being a file for the number of a process. */
const shell = (script: string): readonly string[] => ['/bin/sh', '-c', script, at('pid')];

describe('a command', () => {
  it('gets the summary on its stdin, its arguments untouched by a shell', async () => {
    const script = `
      const fs = require('node:fs');
      fs.writeFileSync(process.argv[1], JSON.stringify({ args: process.argv.slice(2), stdin: fs.readFileSync(0, 'utf8') }));`;
    const argv = node(script, at('told'), '$HOME; rm *', '{job}');
    const { parts, events } = following({ notify: [command(argv)] });
    const over = runOver();
    await afterRun(over, parts);
    const { args, stdin } = JSON.parse(await readFile(at('told'), 'utf8'));
    expect(args).toEqual(['$HOME; rm *', '{job}']);
    expect(JSON.parse(stdin)).toMatchObject({ ...over.summary, exitCode: 1 });
    expect(events).toEqual([{ event: 'notified', to: process.execPath, attempts: 1 }]);
  });

  it('finds the run in its environment, and no credential', async () => {
    const script = `require('node:fs').writeFileSync(process.argv[1], JSON.stringify(process.env))`;
    const env = {
      PATH: process.env.PATH,
      LICENSE_TOKEN: 'tok-1',
      ALSO_THE_TOKEN: 'tok-1',
      HOOK_SECRET: 'hook-1',
      UNSET: '',
      KEPT: 'kept',
    };
    const withheld = ['LICENSE_SYNC_TOKEN', 'LICENSE_TOKEN', 'HOOK_SECRET'];
    const notify = [command(node(script, at('env')))];
    await afterRun(runOver(), following({ notify, env, withheld }).parts);
    const seen = JSON.parse(await readFile(at('env'), 'utf8'));
    expect(seen).toMatchObject({
      LICENSE_SYNC_RUN: '20261121-020311-4f9a21',
      LICENSE_SYNC_JOB: 'orders',
      LICENSE_SYNC_STATUS: 'completed',
      LICENSE_SYNC_EXIT_CODE: '1',
      LICENSE_SYNC_OUTPUT: '/data/results/"November".xlsx',
      KEPT: 'kept',
      UNSET: '',
    });
    expect(JSON.stringify(seen)).not.toMatch(/tok-1|hook-1|ALSO_THE_TOKEN/);
  });

  it('is given no credential that this process fetched', async () => {
    rememberSecret('platform-token-0123');
    const summary = { ...runOver().summary, reason: 'refused: platform-token-0123' };
    const argv = ['/bin/sh', '-c', 'cat > "$0"', at('told')];
    await afterRun(runOver({ summary }), following({ notify: [command(argv)] }).parts);
    expect(JSON.parse(await readFile(at('told'), 'utf8')).reason).toBe('refused: [redacted]');
  });

  it('of a run that never was has empty variables rather than none', async () => {
    const script = `require('node:fs').writeFileSync(process.argv[1], JSON.stringify(process.env))`;
    const { run: _, ...over } = runOver({ exitCode: 3, summary: { status: 'invalid' } });
    await afterRun(over, following({ notify: [command(node(script, at('env')))] }).parts);
    expect(JSON.parse(await readFile(at('env'), 'utf8'))).toMatchObject({
      LICENSE_SYNC_RUN: '',
      LICENSE_SYNC_OUTPUT: '',
      LICENSE_SYNC_STATUS: 'invalid',
      LICENSE_SYNC_EXIT_CODE: '3',
    });
  });

  it('that reads nothing is as good as any', async () => {
    const summary = { ...runOver().summary, reason: 'x'.repeat(1_000_000) };
    const { parts, events } = following({ notify: [command(node('process.exit(0)'))] });
    await afterRun(runOver({ summary }), parts);
    expect(events.map((it) => it.event)).toEqual(['notified']);
  });

  it.each([
    ['fails', node('process.exit(7)'), /exited with 7;/],
    ['is killed', node('process.kill(process.pid, "SIGKILL"); setTimeout(() => {}, 9000)'), /SIGKILL/],
    ['is not there', ['/no/such/program', 's3cret-argument'], /\/no\/such\/program.*ENOENT/],
  ])('that %s is warned about, without its arguments', async (_what, argv, said) => {
    const { parts, warnings } = following({ notify: [command(argv)] });
    await afterRun(runOver(), parts);
    expect(warnings()).toEqual([expect.stringMatching(said)]);
    expect(warnings().join()).not.toMatch(/s3cret|process\./);
  });

  it('that may not be executed, or cannot be named to the system, is warned about', async () => {
    await writeFile(at('plain'), '#!/bin/sh\n');
    await chmod(at('plain'), 0o644);
    const { parts, warnings } = following({ notify: [command([at('plain')]), command(['a\0b'])] });
    await afterRun(runOver(), parts);
    expect(warnings().sort()).toEqual(
      [expect.stringContaining('EACCES'), expect.stringContaining('ERR_INVALID_ARG_VALUE')].sort(),
    );
  });

  const isAlive = (id: number): boolean => {
    try {
      process.kill(id, 0);
      return true;
    } catch {
      return false;
    }
  };
  const expectGone = (id: number): Promise<void> => expect.poll(() => isAlive(id)).toBe(false);

  it('is heard, but not without end, nor with a secret of ours', async () => {
    rememberSecret('s3cret-of-the-hook');
    const printed: string[] = [];
    const said = `console.log('s3cret-of-the-hook'); console.error('aloud'); process.stdout.write('end');`;
    const quiet = following({ notify: [command(node(said))], printed: (line) => printed.push(line) });
    await afterRun(runOver(), quiet.parts);
    expect(printed.sort()).toEqual(['[redacted]', 'aloud', 'end']);
    expect(quiet.warnings()).toEqual([]);

    const flood = `for (;;) require('node:fs').writeSync(1, 'again and again\\n'.repeat(1000))`;
    const flooded: string[] = [];
    const { parts, warnings } = following({
      notify: [command(node(flood), 3_000)],
      printed: (line) => flooded.push(line),
    });
    await afterRun(runOver(), parts);
    expect(flooded.at(-1)).toBe('…');
    expect(flooded.join('\n').length).toBeLessThanOrEqual(64 * 1024 + 20);
    expect(warnings()).toEqual([expect.stringContaining('had not exited after 3 s')]);
  });

  it('that takes too long is ended, with what it started', async () => {
    const { parts, warnings } = following({
      notify: [command(shell('sleep 60 & echo $! > "$0"; wait'), 2_000)],
    });
    await afterRun(runOver(), parts);
    expect(warnings()).toEqual([expect.stringMatching(/had not exited after 2 s.*timeout/)]);
    await expectGone(Number(await readFile(at('pid'), 'utf8')));
  });

  it('that will not listen is killed', async () => {
    const notify = [command(shell('trap "" TERM; echo $$ > "$0"; sleep 60; sleep 60'), 2_000)];
    const { parts, warnings } = following({ notify });
    await afterRun(runOver(), parts);
    expect(warnings()).toHaveLength(1);
    await expectGone(Number(await readFile(at('pid'), 'utf8')));
  });

  it('is ended at once when we are to stop', async () => {
    const { parts, stop, warnings } = following({
      notify: [command(node('setTimeout(() => {}, 60000)'), 60_000)],
    });
    setTimeout(() => stop.abort(), 200);
    await afterRun(runOver(), parts);
    expect(warnings()).toEqual([expect.stringContaining('stopped before')]);
  });
});
