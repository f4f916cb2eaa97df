import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES, type Role } from '../../../src/model/console.js';
import { mayDo } from '../../../src/people/identity.js';
import { startConsole, type TestConsole } from '../../support/console.js';
import { ADDRESSED, isOpen, isOwn } from '../../support/console-routes.js';

let fixture: TestConsole;
const tokens = new Map<Role, string>();

beforeAll(async () => {
  fixture = await startConsole();
  // The last admin can't be removed, so that one more is there.
  for (const role of ROLES) tokens.set(role, await fixture.addPerson(`a-${role}`, [role]));
});
afterAll(() => fixture.close());

/** A stream that stays open is not waited for. */
async function statusOf(at: string, method: string, headers: Record<string, string>): Promise<number> {
  const leaving = new AbortController();
  const body = method === 'get' ? {} : { body: '{}' };
  const init = { method: method.toUpperCase(), headers: { 'content-type': 'application/json', ...headers } };
  const { status } = await fixture.ask(at, { ...init, ...body, signal: leaving.signal });
  leaving.abort();
  return status;
}

const table = ADDRESSED.filter(({ route }) => !isOpen(route));

describe('each endpoint', () => {
  it.each(table)('$name reports nothing to the user who is not signed in', async ({ at, route }) => {
    expect(await statusOf(at, route.method, {})).toBe(401);
    expect(
      await statusOf(at, route.method, { cookie: `license-sync-${fixture.served.port}=${'A'.repeat(43)}` }),
    ).toBe(401);
    expect(await statusOf(at, route.method, { authorization: 'Basic YWRtaW46YWRtaW4=' })).toBe(401);
  });

  it('that changes something names which act it is', () => {
    const unnamed = table.filter(
      ({ route }) => route.method !== 'get' && route.act === undefined && !isOwn(route),
    );
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  });

  describe.each(ROLES)('asked by a %s', (role) => {
    it.each(table)('$name', async ({ at, route }) => {
      const status = await statusOf(at, route.method, { authorization: `Bearer ${tokens.get(role)}` });
      if (mayDo([role], route.act ?? 'read')) expect([401, 403]).not.toContain(status);
      else expect(status).toBe(403);
    });
  });

  it('refused leaves a line of the audit, which names who and what', async () => {
    const lines = await fixture.ledger.audit.page({ who: 'a-viewer', limit: 1000 });
    const wanted = new Set(
      table.flatMap(({ route }) => (route.act && !mayDo(['viewer'], route.act) ? [route.act] : [])),
    );
    expect(new Set(lines.filter(({ act }) => act === 'denied').map(({ detail }) => detail.act))).toEqual(
      wanted,
    );
  });
});

describe('a role that is taken away', () => {
  it('no longer exists with the next request', async () => {
    const token = await fixture.addPerson('temp', ['admin']);
    const all = (): Promise<Response> =>
      fixture.ask('/api/v1/sessions?whose=all', { headers: { authorization: `Bearer ${token}` } });
    expect((await all()).status).toBe(200);
    await fixture.ledger.people.remove('temp', 'test');
    expect((await all()).status).toBe(401);
  });
});

describe('sessions of others', () => {
  it('are shown to admins, and ended by them alone', async () => {
    const as = (role: Role) => ({ authorization: `Bearer ${tokens.get(role)}` });
    const cookie = await fixture.signIn();
    const { items } = (await (
      await fixture.ask('/api/v1/sessions?whose=all', { headers: as('admin') })
    ).json()) as { items: { id: string; who: string }[] };
    const local = items.find(({ who }) => who.startsWith('os:'))!;
    expect(JSON.stringify(items)).not.toContain(cookie.split('=')[1]);
    expect((await fixture.ask('/api/v1/sessions?whose=all', { headers: as('maker') })).status).toBe(403);
    const end = (role: Role) =>
      fixture.ask(`/api/v1/sessions/${local.id}`, { method: 'DELETE', headers: as(role) });
    expect((await end('checker')).status).toBe(403);
    expect((await fixture.ask('/api/v1/session', { headers: { cookie } })).status).toBe(200);
    expect((await end('admin')).status).toBe(204);
    expect((await fixture.ask('/api/v1/session', { headers: { cookie } })).status).toBe(401);
    expect((await end('admin')).status).toBe(404);
  });
});
