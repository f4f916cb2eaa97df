import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAs, startConsole, type TestConsole } from '../../support/console.js';
import { ADDRESSED, isOpen } from '../../support/console-routes.js';

let fixture: TestConsole;
let cookie: string;
let own: string;

beforeAll(async () => {
  fixture = await startConsole();
  cookie = await fixture.signIn();
  own = `127.0.0.1:${fixture.served.port}`;
});
afterAll(() => fixture.close());

describe('a name that leads here, and is not the console’s (DNS rebinding)', () => {
  it.each([
    ['another name', 'evil.example'],
    ['the name with the right port', 'evil.example:PORT'],
    ['a name that begins like ours', '127.0.0.1.evil.example:PORT'],
    ['a name that ends like ours', 'evil-localhost:PORT'],
    ['our address with another port', '127.0.0.1:1'],
    ['our address without its port', '127.0.0.1'],
    ['the address that means any', '0.0.0.0:PORT'],
  ])('is refused, signed in or not: %s', async (_, name) => {
    const host = name.replace('PORT', String(fixture.served.port));
    for (const at of ['/', '/runs', '/api/v1/session', '/api/v1/openapi.json', `/?token=x`]) {
      const answer = await askAs(fixture, at, { headers: { host, cookie } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toContain('os:');
    }
  });

  it('is required: a request without one is refused', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(fixture.served.port, '127.0.0.1', () => socket.write('GET / HTTP/1.0\r\n\r\n'));
      let text = '';
      socket.setEncoding('utf8').on('data', (more) => {
        text += more;
      });
      socket.on('end', () => resolve(text)).on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it('does not count when a client says that a proxy was asked by ours', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': own, cookie };
    expect((await askAs(fixture, '/api/v1/session', { headers })).status).toBe(421);
  });

  it('is known by each of its own names', async () => {
    for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
      const headers = { host: `${name}:${fixture.served.port}`, cookie };
      expect((await askAs(fixture, '/api/v1/session', { headers })).status).toBe(200);
    }
  });
});

describe('a write that another page caused', () => {
  const foreign: readonly (readonly [string, (port: number) => Record<string, string>])[] = [
    ['no origin at all', () => ({})],
    ['another site', () => ({ origin: 'https://evil.example' })],
    ['another port of this machine', (port) => ({ origin: `http://127.0.0.1:${port + 1}` })],
    ['another name of this machine', (port) => ({ origin: `http://localhost:${port}` })],
    ['another scheme', (port) => ({ origin: `https://127.0.0.1:${port}` })],
    ['a page without an origin', () => ({ origin: 'null' })],
    [
      'what its browser calls of another site',
      (port) => ({ origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'cross-site' }),
    ],
  ];
  const writes = ADDRESSED.filter(({ route }) => route.method !== 'get' && !isOpen(route));

  it.each(foreign)('is refused at each endpoint: %s', async (_, headersOf) => {
    const headers = { cookie, 'content-type': 'application/json', ...headersOf(fixture.served.port) };
    for (const { name, route, at } of writes) {
      const answer = await askAs(fixture, at, { method: route.method.toUpperCase(), headers, body: '{}' });
      expect(`${name}: ${answer.status} ${answer.text}`).toMatch(/: 403 /);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'console.foreign_origin' });
    }
    expect((await askAs(fixture, '/api/v1/session', { headers: { cookie } })).status).toBe(200);
  });

  it('is refused where it would sign the browser in as another user', async () => {
    const headers = { origin: 'https://evil.example', 'content-type': 'application/json' };
    const body = JSON.stringify({ token: await fixture.addPerson('mallory', ['viewer']) });
    const answer = await askAs(fixture, '/api/v1/session', { method: 'POST', headers, body });
    expect(answer.status).toBe(403);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('is not taken in the types that forms can send', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const headers = { origin: `http://${own}`, 'content-type': type };
      const answer = await askAs(fixture, '/api/v1/session', {
        method: 'POST',
        headers,
        body: '{"token":"x"}',
      });
      expect(answer.status).toBe(415);
    }
  });

  it('is not allowed by any answer: nothing is shared with other origins', async () => {
    const headers = {
      cookie,
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    for (const method of ['OPTIONS', 'GET']) {
      const answer = await askAs(fixture, '/api/v1/session', { method, headers });
      expect(Object.keys(answer.headers).filter((it) => it.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('a read that another page caused', () => {
  it('is refused, also from another port of this machine, where the cookie goes along', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const answer = await askAs(fixture, '/api/v1/session', { headers: { cookie, 'sec-fetch-site': site } });
      expect(answer.status).toBe(403);
      expect(answer.text).not.toContain('os:');
    }
  });
});
