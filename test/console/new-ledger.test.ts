import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runJob } from '../../src/api/index.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { type RunsFixture, runsFixture } from '../support/runs-fixture.js';

let platform: FakePlatform;
let fixture: RunsFixture;
let env: Record<string, string>;

beforeEach(async () => {
  platform = await new FakePlatform(ordersDone).start();
  // An address of this machine that is not a loopback address.
  const address = platform.url.replace('127.0.0.1', '0.0.0.0');
  env = { TOKEN: 'token-of-the-test' };
  const connection = `{ baseUrl: "${address}", allowInsecureHttp: true, appKey: app, token: { env: TOKEN } }`;
  const settings = `version: 1\ndefaultConnection: office\nconnections:\n  office: ${connection}\n`;
  fixture = await runsFixture({ settings, env });
  const job = orderJob().replace('normal_recover_usbkey', 'cloud_account');
  await writeFile(path.join(fixture.folder, 'orders.yaml'), job);
  await writeFile(path.join(fixture.folder, 'orders.csv'), orderRows(3));
});

afterEach(async () => {
  await fixture.close();
  await platform.stop();
});

it('a plan is not sent from a ledger that is new to a platform that this user has sent to with another one', async () => {
  const other = path.join(fixture.folder, 'other.db');
  const own = { ...process.env, ...env } as Record<string, string>;
  const first = await runJob('orders.yaml', { cwd: fixture.folder, env: own, ledger: other });
  expect(first.status).toBe('completed');
  const plan = await fixture.run('plan');
  const sent = await fixture.ask('POST', `/plans/${plan}/send`, { items: 3, connection: 'office' });
  expect(sent.status).toBe(202);
  await fixture.over(plan);
  expect(await fixture.get(`/plans/${plan}`)).toMatchObject({ refused: expect.stringContaining(other) });
  expect(platform.seen).toHaveLength(3);
});
