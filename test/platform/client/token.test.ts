import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenSource } from '../../../src/model/connection.js';
import { newNonce } from '../../../src/platform/client/request-target.js';
import { resolveToken, Token } from '../../../src/platform/client/token.js';
import { redactor } from '../../../src/util/secrets.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'token-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function value(source: TokenSource, env: NodeJS.ProcessEnv = {}): Promise<string> {
  return (await resolveToken(source, 'production', env)).reveal();
}

async function tokenFile(text: string | Buffer, mode = 0o600): Promise<TokenSource> {
  const file = path.join(folder, newNonce());
  await writeFile(file, text);
  await chmod(file, mode);
  return { kind: 'file', path: file };
}

const node = (script: string): TokenSource => ({ kind: 'command', argv: [process.execPath, '-e', script] });

describe('a token', () => {
  it('comes from the environment, a file or a command', async () => {
    expect(await value({ kind: 'env', name: 'T' }, { T: 'abc.DEF-1' })).toBe('abc.DEF-1');
    expect(await value(await tokenFile('abc\n'))).toBe('abc');
    expect(await value(await tokenFile('abc\r\n'))).toBe('abc');
    expect(await value(node('console.log(" abc ")'))).toBe('abc');
    expect(await value({ kind: 'sandbox' })).not.toBe('');
  });

  it('reaches the command without a shell', async () => {
    const argv = [process.execPath, '-e', 'console.log(process.argv[1].length)', '$(echo a b); `x`'];
    expect(await value({ kind: 'command', argv })).toBe('16');
  });

  it('ends a command that waits for input instead of hanging', async () => {
    const script = 'process.stdin.on("data", () => {}).on("end", () => console.log("abc"))';
    expect(await value(node(script))).toBe('abc');
  });

  it.skipIf(process.platform === 'win32').each([0o640, 0o604, 0o660, 0o610])(
    'is not taken from a file that others can reach (%o)',
    async (mode) => {
      await expect(value(await tokenFile('abc', mode))).rejects.toMatchObject({
        kind: 'usage',
        detail: { code: 'platform.token_file_open' },
      });
    },
  );

  it.skipIf(process.platform === 'win32')(
    'is not waited for in a pipe that no process writes to',
    async () => {
      const pipe = path.join(folder, 'pipe');
      execFileSync('mkfifo', ['-m', '600', pipe]);
      await expect(value({ kind: 'file', path: pipe })).rejects.toMatchObject({
        kind: 'usage',
        detail: { code: 'platform.token_file', params: { reason: 'a pipe' } },
      });
    },
  );

  it.each(['two words', 'line\nbreak', 'tab\t', 'Bearer abc', 'naïve', '\ufeffabc', 'nul\0'])(
    'is not %j, which the message does not repeat',
    async (text) => {
      const failed = await value({ kind: 'env', name: 'T' }, { T: text }).catch((error: Error) => error);
      expect(failed).toMatchObject({ kind: 'usage', detail: { code: 'platform.token_malformed' } });
      expect((failed as Error).message).not.toContain(text);
    },
  );

  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  it.each([
    ['UTF-8 with a byte order mark', '\ufeffabc', 'platform.token_encoding'],
    ['UTF-16', utf16('abc\r\n'), 'platform.token_encoding'],
    ['UTF-16, big-endian', utf16('abc').swap16(), 'platform.token_encoding'],
    ['UTF-16 without a mark', Buffer.from('abc', 'utf16le'), 'platform.token_encoding'],
    ['JSON', '{"access_token":"abc"}', 'platform.token_json'],
    ['JSON of several lines', '{\n  "access_token": "abc"\n}\n', 'platform.token_json'],
    ['a list', '["abc"]', 'platform.token_json'],
    ['a text in quotes', '"abc"\n', 'platform.token_json'],
    ['a variable', 'LICENSE_TOKEN=abc\n', 'platform.token_assignment'],
    ['a variable of a shell', 'export LICENSE_TOKEN="abc"\n', 'platform.token_assignment'],
    ['a variable with blanks', 'token = abc', 'platform.token_assignment'],
    ['two variables', 'APP_KEY=1\nTOKEN=abc==\n', 'platform.token_assignment'],
  ])('in a file is not %s, which the message does not repeat', async (_what, content, code) => {
    const failed = await value(await tokenFile(content)).catch((error: Error) => error);
    expect(failed).toMatchObject({ kind: 'usage', detail: { code } });
    expect((failed as Error).message).not.toContain('abc');
  });

  it.each(['abc=', 'YWJj==', 'a.b-c_d~e+f/g==', 'x_1='])(
    'may end in the padding of Base64: %s',
    async (text) => {
      expect(await value(await tokenFile(`${text}\n`))).toBe(text);
    },
  );

  it('is missed with a word on where it was looked for', async () => {
    await expect(value({ kind: 'env', name: 'NO_TOKEN' })).rejects.toThrow('NO_TOKEN');
    await expect(value({ kind: 'file', path: '/no/such/file' })).rejects.toThrow('/no/such/file (ENOENT)');
    await expect(value({ kind: 'file', path: folder })).rejects.toMatchObject({ kind: 'usage' });
    await expect(value(await tokenFile('\n'))).rejects.toThrow('empty');
    await expect(value({ kind: 'command', argv: ['no-such-program'] })).rejects.toThrow('no-such-program');
    await expect(value({ kind: 'command', argv: [] })).rejects.toMatchObject({ kind: 'usage' });
    await expect(value(node(''))).rejects.toThrow('empty');
  });

  it('is not reported by a command that failed, nor are its arguments', async () => {
    const failed = await value(node('console.log("s3cret"); process.exit(3)')).catch((error: Error) => error);
    expect(String(failed)).toContain('(3)');
    expect(inspect(failed, { depth: 9 })).not.toContain('s3cret');
  });

  it('is missed with what the command wrote to standard error, without its output and its arguments', async () => {
    const script =
      'console.log("t0p-s3cret"); console.error("login expired: t0p-s3cret, run corp-login\\n" + process.argv[1]); process.exit(3)';
    const argv = [process.execPath, '-e', script, 'pass-word'];
    const failed = await value({ kind: 'command', argv }).catch((error: Error) => error);
    expect(String(failed)).toContain('(3: login expired: …, run corp-login …); it must');
    expect(inspect(failed, { depth: 9 })).not.toMatch(/t0p-s3cret|pass-word/);
    const silent = await value(node('process.exitCode = 3; console.error("x".repeat(9000))')).catch(String);
    expect(silent.length).toBeLessThan(700);
  });

  it('does not show itself', () => {
    const token = new Token('s3cret');
    const shown = [
      String(token),
      `${token}`,
      JSON.stringify({ token }),
      inspect({ token }, { showHidden: true }),
    ];
    expect(shown.join()).not.toContain('s3cret');
    expect(token.reveal()).toBe('s3cret');
  });
});

describe('redactor', () => {
  it('replaces every form of every secret', () => {
    const redact = redactor([new Token('a/b+c=d"e').reveal(), 'a/b+c=d"e-longer']);
    const text = [
      'a/b+c=d"e',
      encodeURIComponent('a/b+c=d"e'),
      encodeURIComponent('a/b+c=d"e').toLowerCase(),
      JSON.stringify('a/b+c=d"e'),
      'a\\/b+c=d\\"e',
      'a/b+c=d"e-longer',
      'else',
    ].join(' ');
    const r = '[redacted]';
    expect(redact(text)).toBe(`${r} ${r} ${r} "${r}" ${r} ${r} else`);
  });

  it.each([
    ['as servers that escape for web pages write JSON', 'abc+/d\\u003d\\u003D'],
    ['in JSON within JSON', 'abc\\\\u002b/d\\\\u003d\\\\u003d'],
    ['in a web page', 'abc&#43;/d&#x3d;&#x3D;'],
    ['with some of it escaped as in an address', 'abc%2B/d%3d='],
  ])('finds a secret %s', (_how, text) => {
    expect(redactor(['abc+/d=='])(`<${text}>`)).toBe('<[redacted]>');
  });

  it('is not slowed down by a reply made of escapes', () => {
    for (const piece of ['\\', '&#0', '%', 'a\\u00']) redactor(['"a/b=c&d'])(piece.repeat(1_000_000));
  });

  it('leaves the text alone when there is no secret', () => {
    expect(redactor(['', new Token('').reveal()])('text')).toBe('text');
  });
});

it('makes nonces of 128 bits that differ', () => {
  const made = Array.from({ length: 1_000 }, newNonce);
  expect(new Set(made).size).toBe(1_000);
  expect(made.every((it) => /^[0-9a-f]{32}$/.test(it))).toBe(true);
});
