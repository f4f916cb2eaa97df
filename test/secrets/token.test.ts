import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program } from '../../src/cli/program.js';
import { type Ended, licenseSyncAlone } from '../support/command.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { leftBehind, placesOf } from '../support/left-behind.js';
import { orderJob, orderRows } from '../support/orders.js';

/** With every character that some writer of JSON, addresses or pages escapes. */
const TOKEN = 'eyJ0b2t/bi1z+M2NyZXQ&9f3a==';

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-secrets-'));
  await writeFile(at('orders.csv'), orderRows(24));
  await writeFile(at('job.yaml'), orderJob());
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const escaped = (text: string): string =>
  text.replace(/[=+&/]/g, (it) => `\\u00${it.charCodeAt(0).toString(16)}`);

/** Every way in which a platform may show the header it was sent. */
const ECHOES: readonly ((seen: Seen) => Answer)[] = [
  ordersDone,
  (seen) => {
    const orders = (seen.body.orderList as { sequence: number }[]).map(({ sequence }) => ({
      sequence,
      licenseOrderId: `LO-${seen.authorization}`,
      customerId: seen.authorization,
    }));
    return { body: { code: 0, message: seen.authorization, data: orders } };
  },
  (seen) => ({
    status: 299,
    body: { code: '20001', message: seen.authorization, cause: seen.authorization },
  }),
  (seen) => ({ text: `{"code":"13004","message":"${escaped(seen.authorization)}","cause":""}` }),
  (seen) => ({ body: { code: seen.authorization, message: '', cause: '' } }),
  (seen) => ({ body: { code: '1', message: JSON.stringify({ sent: seen.authorization }), cause: '' } }),
  (seen) => ({ body: { code: '500', message: `try again, ${seen.authorization}`, cause: '' } }),
  (seen) => ({ text: `<html>${seen.authorization.replaceAll('&', '&amp;')} is not welcome</html>` }),
  (seen) => ({ status: 500, text: `trace: authorization=${encodeURIComponent(seen.authorization)}` }),
  (seen) => ({ status: 502, text: seen.authorization, headers: { 'retry-after': seen.authorization } }),
  (seen) => ({
    body: { code: 0, message: '', data: [{ sequence: 99, licenseOrderId: seen.authorization }] },
  }),
  (seen) => ({ body: { code: 0, message: '', data: seen.authorization } }),
  (seen) => ({ text: `{"code":0,"${seen.authorization}` }),
  (seen) => ({ status: 400, body: { code: '400', message: `bad header ${seen.authorization}` } }),
  (seen) => ({ status: 302, body: {}, headers: { location: `/login?token=${seen.authorization}` } }),
];

async function withPlatform(
  answer: (seen: Seen, count: number) => Answer,
  work: (platform: FakePlatform) => Promise<void>,
): Promise<void> {
  const platform = await new FakePlatform(answer).start();
  try {
    await work(platform);
  } finally {
    await platform.stop();
  }
}

async function configure(url: string, token: string): Promise<void> {
  await writeFile(
    at('license-sync.yaml'),
    `version: 1\ndefaultConnection: p\nconnections:\n  p: { baseUrl: "${url}", appKey: app, token: ${token} }\n`,
  );
}

/** Where the token stands, in what was printed and in what was left behind. */
async function shownBy(ends: readonly Ended[]): Promise<string[]> {
  const printed = ends.map((it, index) => ({
    place: `printed by command ${index}`,
    bytes: Buffer.from(it.stdout + it.stderr),
  }));
  return [...(await placesOf(TOKEN, printed)), ...(await placesOf(TOKEN, leftBehind(folder)))];
}

const COMMON = ['--log-file', 'run.log', '--set', 'run.stopAfterFailures=100', '--set', 'run.retries=1'];

describe('the token', () => {
  // The places where the token is kept are not below the folder that is searched.
  let keep: string;
  beforeEach(async () => {
    keep = await mkdtemp(path.join(tmpdir(), 'license-sync-keep-'));
    await writeFile(path.join(keep, 'token'), `${TOKEN}\n`, { mode: 0o600 });
  });
  afterEach(async () => {
    await rm(keep, { recursive: true, force: true });
  });

  // The way is over once the token is read, so two of the echoes are enough for the others.
  it.each([
    ['env', ECHOES],
    ['file', [ECHOES[1]!, ECHOES.at(-1)!]],
    ['command', [ECHOES[1]!, ECHOES.at(-1)!]],
  ])('given by %s reaches the platform and nothing else', async (way, echoes) => {
    const env: Record<string, string> = way === 'env' ? { LICENSE_TOKEN: TOKEN } : {};
    const file = path.join(keep, 'token');
    const token = {
      env: '{ env: LICENSE_TOKEN }',
      file: `{ file: "${file}" }`,
      command: `{ command: ["${process.execPath}", -p, "fs.readFileSync('${file}', 'utf8')"] }`,
    }[way] as string;
    const answer = (seen: Seen, count: number): Answer => echoes[(count - 1) % echoes.length]!(seen);
    await withPlatform(answer, async (platform) => {
      await configure(platform.url, token);
      const carry = (...args: string[]) => licenseSyncAlone(args, { cwd: folder, env });
      // One at a time, so that every echo is met before the redirect stops the run.
      const first = await carry(
        'run',
        'job.yaml',
        '--concurrency',
        '1',
        '--output',
        'a.xlsx',
        '--json',
        ...COMMON,
      );
      expect(platform.seen.every((it) => it.authorization === `Bearer ${TOKEN}`)).toBe(true);
      expect(platform.seen.length).toBeGreaterThanOrEqual(echoes.length);
      expect(first.code).toBe(6);
      expect(JSON.parse(first.stdout)).toMatchObject({ status: 'stopped' });
      const ends = [
        first,
        await carry('resume', '--output', 'b.csv', '--log-file', 'run.log'),
        await carry('resume', '--output', 'c.ndjson'),
      ];
      expect(ends[1]?.stdout).toContain('b.csv');
      if (way === 'env') {
        const { run } = JSON.parse(first.stdout) as { run: string };
        ends.push(await carry('runs', 'show', run), await carry('runs', '--json'), await carry('doctor'));
        expect(ends.at(-1)?.stdout).toContain('request');
      }
      expect(await shownBy(ends)).toEqual([]);
      // The search does find what is there: the token where it is kept, and the mark where it was shown.
      if (way !== 'env') expect(await placesOf(TOKEN, leftBehind(keep))).toEqual([file]);
      expect(await readFile(at('b.csv'), 'utf8')).toContain('[redacted]');
      const marked = await placesOf('[redacted]', leftBehind(folder));
      expect(marked.some((it) => it.includes('a.xlsx!'))).toBe(true);
      expect(marked.some((it) => it.includes('ledger.db!attempts'))).toBe(true);
      expect(marked.some((it) => it.endsWith('run.log'))).toBe(true);
    });
  });

  it('is not reported by an error of the program itself, caught or not', async () => {
    // Replaces a defect: an error that contains the whole request, thrown while it is on its way.
    const defect = path.join(keep, 'defect.mjs');
    await writeFile(
      defect,
      `import { subscribe } from 'node:diagnostics_channel';
       subscribe('undici:client:sendHeaders', ({ headers, request }) => {
         const error = Object.assign(new Error('defect: ' + headers), { headers, request });
         if (process.env.DEFECT === 'rejected') Promise.reject(error);
         else if (process.env.DEFECT === 'text') Promise.reject('defect: ' + headers);
         else setImmediate(() => { throw error; });
       });`,
    );
    await withPlatform(ordersDone, async (platform) => {
      await configure(platform.url, '{ env: LICENSE_TOKEN }');
      const ends: Ended[] = [];
      for (const kind of ['thrown', 'rejected', 'text']) {
        const env = { LICENSE_TOKEN: TOKEN, DEFECT: kind, NODE_OPTIONS: `--import=file://${defect}` };
        const end = await licenseSyncAlone(['run', 'job.yaml', '--json', '--log-file', 'run.log'], {
          cwd: folder,
          env,
        });
        expect(end.code).toBe(5);
        expect(end.stderr).toContain('defect: ');
        expect(end.stderr).toContain('Bearer [redacted]');
        ends.push(end);
      }
      expect(await shownBy(ends)).toEqual([]);
    });
  });

  it('is not taken from a file that others can read, and nothing is sent', async () => {
    const file = path.join(keep, 'token');
    await withPlatform(ordersDone, async (platform) => {
      await configure(platform.url, `{ file: "${file}" }`);
      for (const mode of [0o640, 0o604, 0o660]) {
        await chmod(file, mode);
        const end = await licenseSyncAlone(['run', 'job.yaml'], { cwd: folder });
        expect(end.code).toBe(2);
        expect(end.stderr).toContain('chmod 600');
        expect(await shownBy([end])).toEqual([]);
      }
      expect(platform.seen).toEqual([]);
      await chmod(file, 0o600);
      const end = await licenseSyncAlone(['resume', '--json'], { cwd: folder });
      expect(JSON.parse(end.stdout)).toMatchObject({ counts: { succeeded: 24 } });
    });
  });

  it('has no flag that would put it into the list of processes', () => {
    const all = (of: Command): Command[] => [of, ...of.commands.flatMap((it) => all(it as Command))];
    const commands = all(program()).filter((it) => it.name() !== 'sandbox');
    expect(commands.length).toBeGreaterThan(8);
    expect(commands.flatMap((it) => it.options).filter((it) => /token|secret/i.test(it.flags))).toEqual([]);
  });
});
