import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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
      console_!.child.kill(signal);
      const { code, stderr } = await console_!.ended;
      await endless;
      expect({ code, stderr: stderr.replace(/^a new ledger was created.*\n/, '') }).toEqual({
        code: 0,
        stderr: '',
      });
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

  it.runIf(process.platform === 'linux')('opens the browser without its token in arguments', async () => {
    const bin = path.join(folder, 'bin');
    await mkdir(bin);
    await writeFile(path.join(bin, 'xdg-open'), `#!/bin/sh\necho "$@" > "${folder}/opened"\n`);
    await chmod(path.join(bin, 'xdg-open'), 0o755);
    const env = { PATH: `${bin}:${process.env.PATH}`, TMPDIR: folder };
    const address = (await begin(['--open'], env)).slice('console '.length).trim();
    const opened = () => readFile(path.join(folder, 'opened'), 'utf8').catch(() => '');
    await expect.poll(opened).toMatch(/^file:.*\n$/);
    const page = fileURLToPath((await opened()).trim());
    expect(await opened()).not.toContain(new URL(address).searchParams.get('token'));
    expect((await stat(page)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(page))).mode & 0o777).toBe(0o700);
    const target = /content="0; url=([^"]+)"/.exec(await readFile(page, 'utf8'))?.[1];
    expect(target).toBe(address);
    // The token works once, and its page is removed with it.
    expect((await fetch(target!, { redirect: 'manual' })).headers.get('location')).toBe('/');
    await expect.poll(() => stat(page).catch(() => 'removed')).toBe('removed');
    expect((await fetch(target!, { redirect: 'manual' })).headers.get('location')).toContain('link_used');
  });

  it.runIf(process.platform === 'linux')('removes the page of an unused token at its end', async () => {
    await begin(['--open'], { TMPDIR: folder });
    const pages = async () => (await readdir(folder)).filter((it) => it.startsWith('license-sync-open-'));
    await expect.poll(pages).toHaveLength(1);
    console_!.child.kill('SIGTERM');
    await console_!.ended;
    expect(await pages()).toEqual([]);
  });
});
