import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../support/console.js';
import { COMPARED, NIGHTLY } from '../support/console-jobs.js';

const SETTINGS = `version: 1
defaultConnection: sandbox
connections:
  production:
    baseUrl: https://localhost:1
    token: { env: PLATFORM_TOKEN }
    approval: { operations: [order.*], above: 100 }
    requestsPerSecond: 5
`;
let fixture: TestConsole;
let cookie: string;

beforeEach(async () => {
  fixture = await startConsole({ settings: SETTINGS, env: { PLATFORM_TOKEN: 's3cret-of-the-platform' } });
  await mkdir(path.join(fixture.folder, 'jobs'));
  await writeFile(path.join(fixture.folder, 'jobs/nightly.yaml'), NIGHTLY);
  await writeFile(path.join(fixture.folder, 'jobs/compared.yaml'), COMPARED);
  await writeFile(
    path.join(fixture.folder, 'jobs/wrong.yaml'),
    'version: 1\nname: wrong\noperation: order.steal\nmap: {}\n',
  );
  await writeFile(path.join(fixture.folder, 'locks.csv'), 'Lock\n8000000001\n');
  await writeFile(path.join(fixture.folder, 'customers.csv'), 'Customer,Group\nC-1,Blue Group\n');
  cookie = await fixture.signIn();
});

afterEach(() => fixture.close());

const get = async (at: string) => {
  const answer = await fixture.ask(`/api/v1${at}`, { headers: { cookie } });
  // biome-ignore lint/suspicious/noExplicitAny: any answer of the API
  return { status: answer.status, body: (await answer.json()) as any };
};
const send = (method: string, at: string, body?: unknown) =>
  fixture.ask(`/api/v1${at}`, {
    method,
    headers: { cookie, origin: fixture.origin, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

test('a job of several steps is one of them', async () => {
  const steps = `version: 1
name: onboard
connection: sandbox
source: { file: ../locks.csv }
steps:
  - name: numbers
    operation: asset.numbers
    map: { size: { value: 1 } }
`;
  await writeFile(path.join(fixture.folder, 'jobs/onboard.yaml'), steps);
  const { items } = (await get('/jobs')).body;
  expect(items).toContainEqual(expect.objectContaining({ file: 'jobs/onboard.yaml', operation: 'steps' }));
});

test('the jobs of the folder are reported, a wrong one with what is wrong', async () => {
  const { items } = (await get('/jobs')).body;
  expect(items.map((it: { file: string; kind: string }) => [it.file, it.kind])).toEqual([
    ['jobs/compared.yaml', 'reconcile'],
    ['jobs/nightly.yaml', 'run'],
    ['jobs/wrong.yaml', 'run'],
  ]);
  expect(items[1]).toMatchObject({ name: 'nightly', operation: 'asset.lock', connection: 'sandbox' });
  expect(items[2].problem).toContain('jobs/wrong.yaml');
});

test('connections are reported with their rules and without a credential', async () => {
  const { body } = await get('/connections');
  expect(body.items).toContainEqual(
    expect.objectContaining({
      name: 'production',
      host: 'localhost:1',
      approval: { operations: ['order.*'], above: 100 },
      requestsPerSecond: 5,
    }),
  );
  expect(JSON.stringify(body)).not.toMatch(/s3cret|PLATFORM_TOKEN/);
  const checked = await send('POST', '/connections/sandbox/doctor');
  expect(await checked.json()).toMatchObject({ ok: true, steps: expect.arrayContaining([]) });
});

test('findings of a connection contain no folders of the console’s machine and nothing about the token', async () => {
  for (const name of ['sandbox', 'production']) {
    const { steps } = (await (await send('POST', `/connections/${name}/doctor`)).json()) as {
      steps: { message: string }[];
    };
    const texts = steps.map((it) => it.message).join('\n');
    expect(texts).toContain('license-sync.yaml');
    expect(texts).not.toContain(path.dirname(fixture.folder));
    expect(texts).not.toMatch(/(^|[\s(])\/(?!order\/api)|s3cret|characters/);
  }
});

test('a template comes as a workbook in the language that is asked for', async () => {
  const { items } = (await get('/templates')).body;
  expect(items).toContainEqual(expect.objectContaining({ operation: 'order.new_buy', nested: true }));
  const answer = await fixture.ask('/api/v1/templates/asset.lock.xlsx?lang=zh', { headers: { cookie } });
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="asset.lock.xlsx"');
  expect(
    Buffer.from(await answer.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK');
  expect((await get('/templates/order.steal.xlsx')).status).toBe(400);
});

test('a schedule is paused, continues, and runs now', async () => {
  expect((await get('/schedules')).body.items).toMatchObject([
    { job: 'nightly', file: 'jobs/nightly.yaml', cron: '0 2 * * *' },
  ]);
  expect(await (await send('POST', '/schedules/nightly/pause')).json()).toMatchObject({
    paused: { by: expect.stringMatching(/^os:/) },
  });
  expect(await fixture.ledger.schedule.paused('nightly')).toMatchObject({
    who: expect.stringMatching(/^os:/),
  });
  expect(await (await send('POST', '/schedules/nightly/continue')).json()).not.toHaveProperty('paused');
  const started = await send('POST', '/schedules/nightly/run');
  expect(started.status).toBe(202);
  const { run } = (await started.json()) as { run: string };
  await expect.poll(async () => (await fixture.ledger.runs.get(run))?.state).toBe('completed');
  expect(await readFile(path.join(fixture.folder, 'out.csv'), 'utf8')).toContain('8000000001');
  expect((await send('POST', '/schedules/weekly/run')).status).toBe(400);
});

test('the audit is filtered by action and last day, and exported as a whole without formulas', async () => {
  const entries = 1_100;
  for (let n = 0; n < entries; n += 1)
    await fixture.ledger.audit.append({ who: '=1+2', act: n % 2 ? 'import' : 'stop', detail: { n } });
  const filtered = (await get('/audit?act=stop&who=%3D1%2B2&limit=500')).body;
  expect(filtered.items.length).toBe(500);
  expect(new Set(filtered.items.map((it: { act: string }) => it.act))).toEqual(new Set(['stop']));
  expect(filtered.acts).toContainEqual({ act: 'stop', name: 'stop' });
  const today = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  expect((await get(`/audit?act=stop&since=${today}&until=${today}`)).body.items.length).toBe(50);
  expect((await get('/audit?until=2026-01-01')).body.items).toEqual([]);
  const csv = await fixture.ask('/api/v1/audit/csv?act=stop', { headers: { cookie } });
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
  const lines = (await csv.text()).trimEnd().split('\r\n');
  expect(lines.length).toBe(1 + entries / 2);
  expect(lines[0]).toMatch(/^\ufeff?#,/);
  expect(lines[1]).toMatch(/^\d+,[\d-]{10}T[\d:.]+Z,'=1\+2,stop,,n: 0$/);
  expect(lines.at(-1)).toContain(`n: ${entries - 2}`);
  expect((await get('/audit/csv?since=tomorrow')).status).toBe(400);
});

test('a comparison reports the rows that are not in sync, field by field', async () => {
  const begun = await send('POST', '/reconciliations', { job: 'compared' });
  const { run } = (await begun.json()) as { run: string };
  await expect.poll(async () => (await fixture.ledger.runs.get(run))?.state).toBe('completed');
  const { body } = await get(`/reconciliations/${run}`);
  expect(body.run).toMatchObject({ run, job: 'compared', state: 'completed' });
  expect(body.drift).toMatchObject([{ line: 2, row: 2, status: expect.any(String) }]);
  expect((await get('/reconciliations/20260101-000000-aaaaaa')).status).toBe(404);
});

test('people come and go with their tokens, and the audit reports it', async () => {
  const added = await send('POST', '/people', { name: 'ada', roles: ['admin'] });
  expect(added.status).toBe(201);
  const { token, person } = (await added.json()) as { token: string; person: unknown };
  expect(person).toMatchObject({ name: 'ada', roles: ['admin'] });
  expect(
    (await fixture.ask('/api/v1/people', { headers: { authorization: `Bearer ${token}` } })).status,
  ).toBe(200);
  const renewed = (await (await send('POST', '/people/ada/token', { expires: '90d' })).json()) as {
    person: { tokenExpires?: string };
  };
  expect(
    (await fixture.ask('/api/v1/people', { headers: { authorization: `Bearer ${token}` } })).status,
  ).toBe(401);
  expect(renewed.person.tokenExpires).toBeDefined();
  // Who gave the access cannot confirm it.
  const own = expect.stringMatching(/^os:/);
  const until = expect.any(String);
  expect((await get('/people')).body.items[0].unconfirmed).toEqual([{ by: own, until }]);
  expect((await send('POST', '/people/ada/confirm')).status).toBe(409);
  await fixture.addPerson('wang', ['checker']);
  await fixture.addPerson('li', ['maker']);
  const people = async () => (await get('/people')).body.items;
  expect(await people()).toMatchObject([
    { name: 'ada' },
    // A maker approves nothing.
    { name: 'li' },
    { name: 'wang', unconfirmed: [{ by: 'test', until }] },
  ]);
  expect((await people())[1]).not.toHaveProperty('unconfirmed');
  const confirmed = await send('POST', '/people/wang/confirm');
  expect(await confirmed.json()).toEqual({ name: 'wang', by: own });
  expect((await people())[2]).not.toHaveProperty('unconfirmed');
  for (const name of ['wang', 'li']) expect((await send('DELETE', `/people/${name}`)).status).toBe(204);
  expect((await send('POST', '/people/nobody/confirm')).status).toBe(400);
  expect((await send('DELETE', '/people/ada')).status).toBe(204);
  expect((await get('/people')).body).toEqual({ items: [] });
  const audit = (await get('/audit?limit=9')).body;
  expect(audit.items.map((it: { act: string }) => it.act)).toEqual([
    'people_remove',
    'people_remove',
    'people_remove',
    'people_confirm',
    'people_add',
    'people_add',
    // The token that had ended was tried.
    'denied',
    'people_token',
    'people_add',
  ]);
  expect(JSON.stringify(audit)).not.toContain(token);
  expect((await get('/audit/check')).body).toEqual({ sound: expect.any(Number) });
});

test('roles change with a new token, sessions end, and policies of hosts are lifted', async () => {
  await fixture.addPerson('chen', ['admin']);
  await fixture.addPerson('li', ['maker']);
  const rolesOf = async () => (await fixture.ledger.people.get('li'))?.roles;
  const changed = await send('POST', '/people/li/token', { roles: ['checker'], expires: '8h' });
  expect(await changed.json()).toMatchObject({ person: { name: 'li', roles: ['checker'] } });
  expect(await rolesOf()).toEqual(['checker']);
  const [line] = await fixture.ledger.audit.page({ limit: 1 });
  expect(line).toMatchObject({ act: 'people_token', detail: { name: 'li', roles: ['checker'] } });
  // The user who gave the role is in the list, so that approvals of their plans stay refused.
  const own = expect.stringMatching(/^os:/);
  expect((await get('/people')).body.items[1].unconfirmed).toContainEqual({
    by: own,
    until: expect.any(String),
  });
  expect((await send('POST', '/people/li/token', { expires: '8h' })).status).toBe(200);
  expect(await rolesOf()).toEqual(['checker']);
  // The last admin stays.
  expect((await send('POST', '/people/chen/token', { roles: ['viewer'] })).status).toBe(400);
  expect((await fixture.ledger.people.get('chen'))?.roles).toEqual(['admin']);

  const now = Date.now();
  const times = { createdAt: now, seenAt: now, expiresAt: now + 60_000 };
  await fixture.ledger.sessions.begin({ id: 's1', who: 'li', person: 'li', via: 'token', ...times });
  const sessions = async () => (await get('/sessions?whose=all')).body.items;
  expect(await sessions()).toContainEqual(expect.objectContaining({ id: 's1', who: 'li', by: 'token' }));
  expect((await send('DELETE', '/sessions/s1')).status).toBe(204);
  expect(await sessions()).toMatchObject([{ who: own }]);

  expect((await get('/policies')).body).toEqual({ items: [] });
  expect((await send('DELETE', '/policies/licences.example.com')).status).toBe(400);
});
