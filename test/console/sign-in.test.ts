import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsole, type TestConsole } from '../support/console.js';

let it_: TestConsole;
let cookie: string;

beforeAll(async () => {
  it_ = await startConsole();
  cookie = await it_.signIn();
});
afterAll(() => it_.close());

describe('the printed address', () => {
  it('signs in once, by a cookie that scripts and other pages do not get', async () => {
    expect(cookie).toMatch(/^license-sync-\d+=[\w-]{43}$/);
    const mine = await it_.ask('/api/v1/session', { headers: { cookie } });
    expect(await mine.json()).toMatchObject({ who: expect.stringMatching(/^os:.+@.+/), signedInBy: 'link' });
    const again = await fetch(it_.served.url, { redirect: 'manual' });
    expect(again.headers.get('set-cookie')).toBeNull();
    expect(again.headers.get('location')).toBe('/sign-in?problem=console.link_used');
  });

  it('is needed: without it the pages hold no data, and the interface answers 401', async () => {
    const refused = await it_.ask('/api/v1/session');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.json()).toMatchObject({ status: 401, code: 'console.signed_out' });
    expect((await it_.ask('/')).status).toBe(200);
  });
});
