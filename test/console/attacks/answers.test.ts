import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAs, startConsole, type TestConsole } from '../../support/console.js';
import { ADDRESSED } from '../../support/console-routes.js';

const TOKEN = 'platform-token-that-nobody-may-see-42';
let fixture: TestConsole;
let cookie: string;

beforeAll(async () => {
  fixture = await startConsole({
    settings: [
      'version: 1',
      'defaultConnection: production',
      'connections:',
      '  production: { baseUrl: "http://127.0.0.1:9", appKey: app, token: { env: LICENSE_TOKEN } }',
    ].join('\n'),
    env: { LICENSE_TOKEN: TOKEN },
  });
  cookie = await fixture.signIn();
});
afterAll(() => fixture.close());

/** Sends bytes as they are; gives all that comes back until the connection ends. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(fixture.served.port, '127.0.0.1', () => socket.write(text));
    let heard = '';
    socket.setEncoding('utf8').on('data', (more) => {
      heard += more;
    });
    socket.on('close', () => resolve(heard)).on('error', reject);
  });
}

describe('every answer', () => {
  const others = [
    ['a page', 'GET', '/'],
    ['the page of a run', 'GET', '/runs/20261121-020311-4f9a21'],
    ['a page that signs in', 'GET', '/sign-in'],
    ['a used address', 'GET', '/?token=wrong'],
    ['a file that is not there', 'GET', '/assets/none.js'],
    ['an endpoint that is not there', 'GET', '/api/v1/none'],
    ['a method that is not there', 'PUT', '/api/v1/session'],
    ['the document', 'GET', '/api/v1/openapi.json'],
    ['a provider that is not there', 'GET', '/auth/oidc'],
  ] as const;
  const all = [
    ...others,
    ...ADDRESSED.map(({ name, route, at }) => [name, route.method.toUpperCase(), at] as const),
  ];

  it.each(all)('keeps other pages out, and the token of the platform in: %s', async (_, method, at) => {
    const leaving = new AbortController();
    const origin = method === 'DELETE' && at === '/api/v1/session' ? 'https://evil.example' : fixture.origin;
    const headers = { cookie, origin, 'content-type': 'application/json' };
    const body = method === 'GET' ? {} : { body: '{}' };
    const answer = await fixture.ask(at, { method, headers, ...body, signal: leaving.signal });
    const reported = Object.fromEntries(answer.headers);
    expect(reported).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(reported['content-security-policy']).toContain("default-src 'self'");
    expect(reported['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(reported['content-security-policy']).not.toContain('unsafe');
    if (at.startsWith('/api/')) expect(reported['cache-control']).toBe('no-store');
    const isStream = reported['content-type']?.startsWith('text/event-stream') === true;
    expect(isStream ? '' : await answer.text()).not.toContain(TOKEN);
    expect(JSON.stringify(reported)).not.toContain(TOKEN);
    leaving.abort();
  });

  it('to what is no HTTP keeps other pages out, too', async () => {
    for (const text of [
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
      'GET \\..\\x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ]) {
      const answer = (await raw(text)).toLowerCase();
      expect(answer).toMatch(/^http\/1\.1 4\d\d /);
      expect(answer).toContain('nosniff');
      expect(answer).toContain("frame-ancestors 'none'");
    }
  });

  it('to two requests in one (smuggled) is a refusal', async () => {
    const both = 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n';
    const answer = await raw(
      `POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1:${fixture.served.port}\r\n${both}\r\n0\r\n\r\nGET /`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

describe('files of the pages', () => {
  it('are those that were built, and no others: no path leads out', async () => {
    for (const at of [
      '/assets/../../package.json',
      '/assets/..%2f..%2fpackage.json',
      '/..%5c..%5cpackage.json',
      '/assets/%2e%2e/%2e%2e/%2e%2e/package.json',
      '//etc/passwd',
      '/assets//etc/passwd.json',
      '/package.json',
      '/../child.cjs',
      '/child.cjs',
      '/%00.js',
    ]) {
      const { status, text } = await askAs(fixture, at, {});
      expect(text).not.toMatch(/root:|"name": "license-sync"|require\(/);
      if (status === 200) expect(text).toMatch(/^<!doctype html>/i);
    }
  });

  it('are sent packed, and kept by the browser as long as their name stands', async () => {
    const page = await fixture.ask('/runs', { headers: { 'accept-encoding': 'br' } });
    expect(page.headers.get('content-encoding')).toBe('br');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>|<style|\son\w+=|\sstyle=/);
    const [script = ''] = /(?<=<script[^>]* src=")[^"]+/.exec(html) ?? [];
    const file = await fixture.ask(script);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const known = { 'if-none-match': page.headers.get('etag') ?? '' };
    expect((await fixture.ask('/runs', { headers: known })).status).toBe(304);
  });
});

describe('what is said back of a request', () => {
  it('is text, never a page: markup in names stays what it was', async () => {
    const markup = '<img src=x onerror=alert(1)>';
    const answer = await fixture.ask(`/api/v1/sessions?whose=${encodeURIComponent(markup)}`, {
      headers: { cookie },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    const words = await fixture.ask(`/api/v1/sign-in?problem=${encodeURIComponent(markup)}`);
    expect(await words.text()).not.toContain('onerror');
    const lost = await fixture.ask(`/sign-in?problem=${encodeURIComponent(markup)}`);
    expect(await lost.text()).not.toContain('onerror');
  });

  it('leads nowhere else: no address that is given is followed', async () => {
    for (const at of [
      '//evil.example/?token=x',
      '/\\evil.example?token=x',
      '/runs?token=x&next=https://evil.example',
    ]) {
      const { headers } = await askAs(fixture, at, { headers: { cookie } });
      expect(String(headers.location ?? '/')).toMatch(/^\/(?:$|sign-in)/);
    }
  });
});
