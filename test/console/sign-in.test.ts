import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/util/clock.js';
import { cookieOf, startConsole, type TestConsole } from '../support/console.js';

let fixture: TestConsole;

beforeEach(async () => {
  fixture = await startConsole();
});
afterEach(() => fixture.close());

const byToken = (token: string, headers: Record<string, string> = {}): Promise<Response> =>
  fixture.ask('/api/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: fixture.origin, ...headers },
    body: JSON.stringify({ token }),
  });
const mine = (headers: Record<string, string>): Promise<Response> =>
  fixture.ask('/api/v1/session', { headers });
const acts = async (): Promise<string[]> => {
  const lines = await fixture.ledger.audit.page({ limit: 100 });
  return lines.map(({ who, act }) => `${who.replace(/^os:.*/, 'os')} ${act}`).reverse();
};

const denials = async () => {
  const lines = await fixture.ledger.audit.page({ limit: 100 });
  return lines
    .filter(({ act }) => act === 'denied')
    .map(({ who, detail }) => ({ who, detail }))
    .reverse();
};

describe('the printed address', () => {
  it('signs in once, by a cookie that scripts and other pages do not get', async () => {
    const answer = await fetch(fixture.served.url, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe('/');
    expect(answer.headers.get('set-cookie')).toMatch(
      /^license-sync-\d+=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    const me = await mine({ cookie: cookieOf(answer) });
    expect(await me.json()).toMatchObject({ who: expect.stringMatching(/^os:.+@.+/), signedInBy: 'link' });
    const again = await fetch(fixture.served.url, { redirect: 'manual' });
    expect(again.headers.get('set-cookie')).toBeNull();
    expect(again.headers.get('location')).toBe('/sign-in?problem=console.link_used');
  });

  it('continues for a user who opens it again in the same browser', async () => {
    const cookie = await fixture.signIn();
    const again = await fetch(fixture.served.url, { redirect: 'manual', headers: { cookie } });
    expect(again.headers.get('location')).toBe('/');
  });

  it('is needed: without it the pages hold no data, and the interface answers 401', async () => {
    for (const at of ['/api/v1/session', '/api/v1/runs', '/api/v1/nothing']) {
      const refused = await fixture.ask(at);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('content-type')).toBe('application/problem+json');
      expect(await refused.json()).toMatchObject({ status: 401, code: 'console.signed_out' });
    }
    const page = await fixture.ask('/');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });
});

describe('an API token', () => {
  it('lets programs ask, as the person that it was given to', async () => {
    const token = await fixture.addPerson('wang', ['maker']);
    const me = await mine({ authorization: `Bearer ${token}` });
    expect(await me.json()).toMatchObject({ who: 'wang', roles: ['maker'], signedInBy: 'bearer' });
  });

  it('signs a browser in, for no longer than it holds itself', async () => {
    const token = await fixture.addPerson('wang', ['checker'], { expiresAt: Date.now() + 600_000 });
    const answer = await byToken(token);
    expect(answer.status).toBe(204);
    const [age] = /(?<=Max-Age=)\d+/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
    expect(Number(age)).toBeLessThanOrEqual(600);
    const me = await mine({ cookie: cookieOf(answer) });
    expect(await me.json()).toMatchObject({ who: 'wang', roles: ['checker'], signedInBy: 'token' });
    expect(await acts()).toEqual(expect.arrayContaining(['wang sign_in']));
  });

  it('that is unknown or has expired is refused, and a line of the audit', async () => {
    const old = await fixture.addPerson('li', ['maker'], { expiresAt: Date.now() - 1 });
    for (const token of ['wrong', old]) {
      const refused = await mine({ authorization: `Bearer ${token}` });
      expect(refused.status).toBe(401);
      expect(await refused.json()).toMatchObject({ code: 'console.bad_token' });
      expect((await byToken(token)).status).toBe(401);
    }
    expect((await acts()).filter((it) => it.endsWith(' denied'))).toHaveLength(4);
    // No user is named who wasn't there.
    const from = '127.0.0.1';
    expect(await denials()).toEqual([
      { who: 'unknown', detail: { act: 'sign_in', why: 'token_unknown', from } },
      { who: 'unknown', detail: { act: 'sign_in', why: 'token_unknown', from } },
      { who: 'li', detail: { act: 'sign_in', why: 'token_expired', from } },
      { who: 'li', detail: { act: 'sign_in', why: 'token_expired', from } },
    ]);
  });

  it('is tried ten times a minute; then one waits, but not a user who is signed in', async () => {
    const token = await fixture.addPerson('wang', ['maker']);
    const cookie = cookieOf(await byToken(token));
    for (let n = 0; n < 10; n++) expect((await byToken(`wrong-${n}`)).status).toBe(401);
    const late = await byToken(token);
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await mine({ cookie })).status).toBe(200);
  });
});

describe('a session', () => {
  it('ends when the browser signs out, for everyone who has its cookie', async () => {
    const cookie = await fixture.signIn();
    const out = await fixture.ask('/api/v1/session', {
      method: 'DELETE',
      headers: { cookie, origin: fixture.origin },
    });
    expect(out.status).toBe(204);
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
    expect((await mine({ cookie })).status).toBe(401);
    expect(await acts()).toEqual(['os sign_in', 'os sign_out']);
  });

  it('ends when it is revoked in the ledger, from anywhere', async () => {
    const cookie = cookieOf(await byToken(await fixture.addPerson('wang', ['maker'])));
    expect((await mine({ cookie })).status).toBe(200);
    await fixture.ledger.sessions.revokeOf('wang', Date.now());
    expect((await mine({ cookie })).status).toBe(401);
  });

  it('of a person who was removed is over, also for another of the same name', async () => {
    await fixture.addPerson('chef', ['admin']);
    const cookie = cookieOf(await byToken(await fixture.addPerson('wang', ['maker'])));
    await fixture.ledger.people.remove('wang', 'test');
    const refused = await mine({ cookie });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ code: 'people.person_gone' });
    await fixture.addPerson('wang', ['admin']);
    expect((await mine({ cookie })).status).toBe(401);
  });

  it('is not used by a page that another user loaded', async () => {
    const cookie = cookieOf(await byToken(await fixture.addPerson('周 Wei', ['maker'])));
    const asUser = (user: string) => mine({ cookie, 'x-user': encodeURIComponent(user) });
    expect((await asUser('周 Wei')).status).toBe(200);
    const other = await asUser('Li Na');
    expect([other.status, await other.json()]).toMatchObject([401, { code: 'console.other_user' }]);
  });

  it('expires', async () => {
    const cookie = await fixture.signIn();
    const clock = vi.spyOn(systemClock, 'now').mockReturnValue(Date.now() + 12 * 3_600_000 + 1);
    try {
      expect((await mine({ cookie })).status).toBe(401);
    } finally {
      clock.mockRestore();
    }
  });
});
