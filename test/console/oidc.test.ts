import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startConsole, type TestConsole } from '../support/console.js';
import { type OpenIdProvider, SmallBrowser, startOpenIdProvider } from '../support/openid-provider.js';

let provider: OpenIdProvider;
let fixture: TestConsole;
let browser: SmallBrowser;

const start = (secret: string): Promise<TestConsole> =>
  startConsole({
    settings: [
      'version: 1',
      'console:',
      '  oidc:',
      `    issuer: ${provider.issuer}`,
      `    clientId: ${provider.client.id}`,
      '    clientSecret: { env: CONSOLE_SECRET }',
    ].join('\n'),
    env: { CONSOLE_SECRET: secret },
  });

beforeEach(async () => {
  provider = await startOpenIdProvider();
  fixture = await start(provider.client.secret);
  browser = new SmallBrowser();
});
afterEach(async () => {
  await fixture.close();
  await provider.close();
});

const me = (): Promise<Response> =>
  fixture.ask('/api/v1/session', { headers: { cookie: browser.cookies(new URL(fixture.origin).host) } });

describe('signing in at an OpenID provider', () => {
  it('is offered, and lets in whom the subject was added for', async () => {
    expect(await (await fixture.ask('/api/v1/sign-in')).json()).toMatchObject({ oidc: '/auth/oidc' });
    provider.serve(fixture.origin);
    await fixture.addPerson('wang', ['maker'], { subject: 'sub-wang' });
    provider.next = 'sub-wang';
    const { url, answer } = await browser.open(`${fixture.origin}/auth/oidc`);
    expect([url.href, answer.status]).toEqual([`${fixture.origin}/`, 200]);
    expect(await (await me()).json()).toMatchObject({ who: 'wang', roles: ['maker'], signedInBy: 'oidc' });
  });

  it('asks by a code with PKCE, state and nonce', async () => {
    provider.serve(fixture.origin);
    const { url } = await browser.open(`${fixture.origin}/auth/oidc`, (it) => it.origin === provider.issuer);
    const asked = Object.fromEntries(url.searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid',
      redirect_uri: `${fixture.origin}/auth/callback`,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]?.length).toBeGreaterThan(40);
    expect(url.href).not.toContain(provider.client.secret);
  });

  it('refuses a subject that was added for no user, and keeps it for the audit', async () => {
    provider.serve(fixture.origin);
    provider.next = 'sub-stranger';
    const { url } = await browser.open(`${fixture.origin}/auth/oidc`);
    expect(url.pathname + url.search).toBe('/sign-in?problem=console.subject_unknown');
    expect((await me()).status).toBe(401);
    const [line] = await fixture.ledger.audit.page({ limit: 1 });
    expect(line).toMatchObject({ act: 'denied', detail: { subject: 'sub-stranger' } });
    const words = await fixture.ask('/api/v1/sign-in?problem=console.subject_unknown&lang=zh');
    expect(await words.json()).toMatchObject({
      problem: { text: expect.stringContaining('提供方已识别您的身份') },
    });
  });

  it('accepts a redirect once, and only in the browser that began it', async () => {
    provider.serve(fixture.origin);
    await fixture.addPerson('wang', ['maker'], { subject: 'sub-wang' });
    provider.next = 'sub-wang';
    const isBack = (url: URL): boolean => url.pathname === '/auth/callback';
    const { url: back } = await browser.open(`${fixture.origin}/auth/oidc`, isBack);
    const stranger = new SmallBrowser();
    expect((await stranger.open(back.href)).url.search).toBe('?problem=console.flow_over');
    expect(stranger.cookies(back.host)).toBe('');
    expect((await browser.open(back.href)).url.pathname).toBe('/');
    expect((await me()).status).toBe(200);
    expect((await browser.open(back.href)).url.search).toBe('?problem=console.flow_over');
  });

  it('says what is wrong with a provider to the user who runs the console, without the secret', async () => {
    const { url } = await browser.open(`${fixture.origin}/auth/oidc`);
    expect(url.search).toBe('?problem=console.provider_away');
    await fixture.close();
    fixture = await start('not-the-secret-98765');
    provider.serve(fixture.origin);
    const refused = await new SmallBrowser().open(`${fixture.origin}/auth/oidc`);
    expect(refused.url.search).toBe('?problem=console.provider_refused');
    expect(fixture.reported.join()).toContain('invalid_client');
    expect(fixture.reported.join()).not.toContain('not-the-secret-98765');
  });
});
