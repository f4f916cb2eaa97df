import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { selfSigned } from '../support/certificate.js';
import { askAs, startConsole, type TestConsole } from '../support/console.js';

const HOUR = 3_600_000;
let folder: string;
let fixture: TestConsole | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-tls-'));
  const { cert, key } = selfSigned(
    'licences.example.com',
    new Date(Date.now() - HOUR),
    new Date(Date.now() + HOUR),
  );
  await writeFile(path.join(folder, 'cert.pem'), cert);
  await writeFile(path.join(folder, 'key.pem'), key);
});
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
  await rm(folder, { recursive: true, force: true });
});

const settings = (...lines: string[]): string => ['version: 1', 'console:', ...lines].join('\n');
const tls = (): string => `  tls: { cert: "${folder}/cert.pem", key: "${folder}/key.pem" }`;

/** By TLS, without looking at the certificate. */
function askByTls(at: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const port = fixture!.served.port;
    get({ host: '127.0.0.1', port, path: at, headers, rejectUnauthorized: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (more: string) => {
        text += more;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    }).on('error', reject);
  });
}

describe('a console beyond this machine', () => {
  it('is not served in the clear', async () => {
    await expect(startConsole({ host: '0.0.0.0' })).rejects.toMatchObject({
      code: 'console.needs_tls',
      exitCode: 2,
    });
    await expect(startConsole({ host: '::' })).rejects.toMatchObject({ code: 'console.needs_tls' });
  });

  it('is served by TLS to people, and not to the user who sits at the machine', async () => {
    fixture = await startConsole({ host: '0.0.0.0', settings: settings(tls()) });
    expect(fixture.served.url).toMatch(/^https:\/\/[^/]+:\d+\/$/);
    expect(fixture.served.notes.map(({ code }) => code)).toEqual(['console.nobody_yet']);
    const host = `licences.example.com:${fixture.served.port}`;
    const ways = await askByTls('/api/v1/sign-in', { host });
    expect(JSON.parse(ways.text)).toMatchObject({ token: true, link: false });
    const token = await fixture.addPerson('wang', ['maker']);
    const me = await askByTls('/api/v1/session', { host, authorization: `Bearer ${token}` });
    expect(JSON.parse(me.text)).toMatchObject({ who: 'wang' });
    expect((await askByTls('/', { host: `evil.example:${fixture.served.port}` })).status).toBe(421);
  });

  it('does not take the session of a user of its machine, though the ledger has it', async () => {
    const alone = await startConsole();
    const [, secret] = (await alone.signIn()).split('=');
    fixture = await startConsole({
      settings: settings('  trustedProxy: true'),
      ledger: `${alone.folder}/.license-sync/ledger.db`,
    });
    const host = `localhost:${fixture.served.port}`;
    const me = await askAs(fixture, '/api/v1/session', {
      headers: { host, cookie: `__Host-license-sync=${secret}` },
    });
    expect(me.status).toBe(401);
    await alone.close();
  });

  it('names which of the files of its certificate is not what it should be', async () => {
    const wrong = settings(`  tls: { cert: "${folder}/cert.pem", key: "${folder}/none.pem" }`);
    await expect(startConsole({ host: '0.0.0.0', settings: wrong })).rejects.toMatchObject({
      code: 'console.bad_certificate',
      exitCode: 2,
    });
  });
});

describe('a console behind a proxy', () => {
  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'licences.example.com' };
  const start = async (...more: string[]): Promise<TestConsole> => {
    fixture = await startConsole({ settings: settings('  url: https://licences.example.com', ...more) });
    return fixture;
  };

  it('prints its public address, without a token, and is known by it', async () => {
    const it_ = await start('  trustedProxy: [127.0.0.0/8]');
    expect(it_.served.url).toBe('https://licences.example.com/');
    expect((await askAs(it_, '/', { headers: proxied })).status).toBe(200);
    const foreign = { ...proxied, 'x-forwarded-host': 'evil.example' };
    expect((await askAs(it_, '/', { headers: foreign })).status).toBe(421);
  });

  it('signs people in by cookies that go by TLS only, and takes writes of its own pages', async () => {
    const it_ = await start('  trustedProxy: [127.0.0.0/8]');
    const token = await it_.addPerson('wang', ['maker']);
    const post = (origin: string) =>
      askAs(it_, '/api/v1/session', {
        method: 'POST',
        headers: { ...proxied, origin, 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      });
    expect((await post('http://licences.example.com')).status).toBe(403);
    const answer = await post('https://licences.example.com');
    expect(answer.status).toBe(204);
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-license-sync=.*; SameSite=Strict; Secure$/);
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('refuses what came past it, or reached it in the clear', async () => {
    const it_ = await start('  trustedProxy: [10.0.0.0/8]');
    const past = await askAs(it_, '/api/v1/session', { headers: proxied });
    expect([past.status, JSON.parse(past.text).code]).toEqual([403, 'console.past_proxy']);
    await it_.close();
    const other = await start('  trustedProxy: true');
    const clear = await askAs(other, '/', { headers: { ...proxied, 'x-forwarded-proto': 'http' } });
    expect([clear.status, JSON.parse(clear.text).code]).toEqual([403, 'console.in_the_clear']);
  });

  it('counts attempts to sign in by the address that the proxy has seen, not by what a client says', async () => {
    const it_ = await start('  trustedProxy: true');
    const attempt = (from: string) =>
      askAs(it_, '/api/v1/session', {
        headers: { ...proxied, 'x-forwarded-for': from, authorization: 'Bearer wrong' },
      }).then(({ status }) => status);
    for (let n = 0; n < 10; n++) expect(await attempt(`1.2.3.${n}, 203.0.113.7`)).toBe(401);
    expect(await attempt('9.9.9.9, 203.0.113.7')).toBe(429);
    expect(await attempt('203.0.113.8')).toBe(401);
  });
});

describe('the settings of a console', () => {
  const refused = (...lines: string[]) =>
    expect(startConsole({ settings: settings(...lines) })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/license-sync\.yaml:\d+:\d+/),
    });

  it('are reported with their place when they are wrong', async () => {
    await refused('  url: http://licences.example.com');
    await refused('  url: https://licences.example.com/path');
    await refused('  trustedProxy: [300.1.2.3]');
    await refused('  trustedProxy: false');
    await refused('  uploadLimit: 5');
    await refused('  sessionAge: 3 days');
    await refused('  tsl: { cert: a, key: b }');
    await refused('  oidc: { issuer: "http://id.example.com", clientId: a }');
    await refused('  oidc: { issuer: "https://id.example.com", clientId: a, clientSecret: inlined }');
  });

  it('need the secret of an OpenID client to be there', async () => {
    const oidc = '  oidc: { issuer: "https://id.example.com", clientId: a, clientSecret: { env: NOT_SET } }';
    await expect(startConsole({ settings: settings(oidc) })).rejects.toMatchObject({
      code: 'console.client_secret',
      exitCode: 2,
    });
  });
});
