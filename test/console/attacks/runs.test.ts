import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planJob, runJob } from '../../../src/api/index.js';
import { startConsole, type TestConsole } from '../../support/console.js';
import { ADDRESSED } from '../../support/console-routes.js';
import { FakePlatform, ordersDone } from '../../support/fake-platform.js';
import { runStart } from '../../support/ledger-samples.js';
import { orderJob, orderRows } from '../../support/orders.js';

const TOKEN = 'platform-token-that-nobody-may-see-42';
const MARKUP = '<img src=x onerror=alert(1)>';
let platform: FakePlatform;
let fixture: TestConsole;
let cookie: string;
let run: string;
let plan: string;
/** Of the one who made the plan. */
let maker: string;

const settings = (): string => `version: 1
defaultConnection: production
connections:
  production: { baseUrl: "${platform.url}", appKey: app, token: { env: LICENSE_TOKEN }, approval: required }
  open: { baseUrl: "${platform.url}", appKey: app, token: { env: LICENSE_TOKEN } }
`;

beforeAll(async () => {
  platform = await new FakePlatform(ordersDone).start();
  const env = { LICENSE_TOKEN: TOKEN };
  fixture = await startConsole({ settings: settings(), env });
  await writeFile(
    path.join(fixture.folder, 'orders.yaml'),
    orderJob().replace('normal_recover_usbkey', 'cloud_account'),
  );
  const rows = orderRows(3).replace('Customer 2', MARKUP).replace('Customer 3', "=HYPERLINK('http://evil')");
  await writeFile(path.join(fixture.folder, 'orders.csv'), rows);
  cookie = await fixture.signIn();
  const file = path.join(fixture.folder, 'orders.yaml');
  ({ run } = await runJob(file, { cwd: fixture.folder, env, connection: 'open' }));
  await writeFile(path.join(fixture.folder, 'orders.csv'), orderRows(2, 20));
  maker = await fixture.addPerson('wang', ['maker'], { subject: 'sub-wang' });
  ({ run: plan } = await planJob(file, {
    cwd: fixture.folder,
    env: { ...env, LICENSE_SYNC_USER_TOKEN: maker },
  }));
});
afterAll(async () => {
  await fixture.close();
  await platform.stop();
});

const post = (at: string, token: string, body: unknown): Promise<Response> =>
  fixture.ask(`/api/v1${at}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('what is shown of runs', () => {
  const reads = ADDRESSED.filter(
    ({ route }) =>
      route.method === 'get' && !('events' in (route.answer ?? {}) && route.path.endsWith('/events')),
  );

  it.each(reads.map(({ name, route }) => [name, route.path]))(
    'never holds the token of the platform: %s',
    async (_, path_) => {
      for (const id of [run, plan]) {
        const at = path_
          .replace('{run}', id)
          .replace('{row}', '3')
          .replaceAll(/\{\w+\}/g, 'production');
        const answer = await fixture.ask(`/api/v1${at}`, { headers: { cookie } });
        const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
        expect(text).not.toContain(TOKEN);
        expect(text).not.toContain(maker);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      }
    },
  );

  it('is data where cells hold markup, and files to keep, not pages of this origin', async () => {
    const rows = await fixture.ask(`/api/v1/runs/${run}/rows`, { headers: { cookie } });
    expect(rows.headers.get('content-type')).toBe('application/json');
    const report = await fixture.ask(`/api/v1/runs/${run}/report`, { headers: { cookie } });
    expect(report.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(await report.text()).not.toContain(MARKUP);
    const result = await fixture.ask(`/api/v1/runs/${run}/result?format=csv`, { headers: { cookie } });
    expect(result.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(await result.text()).not.toMatch(/(?:^|,)"?=HYPERLINK/m);
  });

  it('is followed by some pages of a session, not by thousands', async () => {
    // One that continues: this process holds its lock.
    const live = runStart('20261121-020311-4f9a21', {
      kind: 'run',
      job: 'live',
      connection: 'production',
      settings: (await fixture.ledger.runs.get(run))!.settings,
    });
    await fixture.ledger.runs.create(live);
    await fixture.ledger.lock(live.job, live.scope, live.id);
    const leaving = new AbortController();
    const follow = (): Promise<number> =>
      fixture
        .ask(`/api/v1/runs/${live.id}/events`, { headers: { cookie }, signal: leaving.signal })
        .then(({ status }) => status);
    const statuses = await Promise.all(Array.from({ length: 200 }, follow));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((it) => it === 200).length).toBeLessThanOrEqual(24);
    // Others are answered in the meantime.
    expect((await fixture.ask('/api/v1/session', { headers: { cookie } })).status).toBe(200);
    leaving.abort();
  });
});

describe('a plan', () => {
  it('cannot be approved by a user who made it, under another name with the same subject either', async () => {
    expect((await post(`/plans/${plan}/request`, maker, {})).status).toBe(200);
    await fixture.addPerson('chef', ['admin']);
    await fixture.ledger.people.remove('wang', 'test');
    const second = await fixture.addPerson('wang-two', ['checker', 'admin'], { subject: 'sub-wang' });
    const refused = await post(`/plans/${plan}/approve`, second, {});
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    const { approval } = (await (
      await fixture.ask(`/api/v1/plans/${plan}`, { headers: { cookie } })
    ).json()) as {
      approval: { state: string };
    };
    expect(approval.state).toBe('waiting');
    const before = platform.seen.length;
    const sent = await post(`/plans/${plan}/send`, second, { items: 2, connection: 'production' });
    expect(sent.status).toBeGreaterThanOrEqual(400);
    expect(platform.seen.length).toBe(before);
  });
});
