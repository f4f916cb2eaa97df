import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Running, start } from '../support/command.js';

let folder: string;
let console_: Running | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-console-'));
});
afterEach(async () => {
  console_?.child.kill('SIGKILL');
  await console_?.ended;
  await rm(folder, { recursive: true, force: true });
});

/** Starts it, and waits for the line that it prints. */
async function begin(args: readonly string[] = [], env: Record<string, string> = {}): Promise<string> {
  console_ = start(['console', ...args], { cwd: folder, env });
  const { child, ended } = console_;
  const line = new Promise<string>((resolve) => child.stdout?.once('data', (text) => resolve(String(text))));
  return Promise.race([line, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
}

describe('license-sync console', () => {
  it('prints its address, the same in each language, and nothing else', async () => {
    const printed = await begin(['--lang', 'zh']);
    expect(printed).toMatch(/^console http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n$/);
    const answer = await fetch(printed.slice('console '.length).trim(), { redirect: 'manual' });
    expect(answer.status).toBe(303);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends with 0 by %s, though pages are open',
    async (signal) => {
      const address = (await begin()).slice('console '.length).trim();
      const cookie = (await fetch(address, { redirect: 'manual' })).headers.get('set-cookie') ?? '';
      // Kept alive, and one that never ends its request.
      await (await fetch(`${new URL(address).origin}/api/v1/session`, { headers: { cookie } })).text();
      const endless = fetch(`${new URL(address).origin}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new ReadableStream({ start: (it) => it.enqueue(new TextEncoder().encode('{')) }),
        duplex: 'half',
      } as RequestInit).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 200));
      const began = performance.now();
      console_!.child.kill(signal);
      const { code, stderr } = await console_!.ended;
      await endless;
      expect({ code, stderr: stderr.replace(/^a new ledger was made.*\n/, '') }).toEqual({
        code: 0,
        stderr: '',
      });
      expect(performance.now() - began).toBeLessThan(10_000);
    },
  );

  it('is refused with 2 where it can’t be served', async () => {
    const { port } = new URL((await begin()).slice('console '.length));
    const taken = await start(['console', '--port', port], { cwd: folder }).ended;
    expect([taken.code, taken.stdout]).toEqual([2, '']);
    expect(taken.stderr).toContain('EADDRINUSE');
    const clear = await start(['console', '--host', '0.0.0.0'], { cwd: folder }).ended;
    expect([clear.code, clear.stdout]).toEqual([2, '']);
    expect(clear.stderr).toContain('console.tls');
  });

  it.runIf(process.platform === 'linux')('opens the browser when asked', async () => {
    const bin = path.join(folder, 'bin');
    await mkdir(bin);
    await writeFile(path.join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" > "${folder}/opened"\n`);
    await chmod(path.join(bin, 'xdg-open'), 0o755);
    const printed = await begin(['--open'], { PATH: `${bin}:${process.env.PATH}` });
    const opened = () => readFile(path.join(folder, 'opened'), 'utf8').catch(() => '');
    await expect.poll(async () => `console ${await opened()}`).toBe(printed);
  });
});
