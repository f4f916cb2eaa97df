import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderRows } from '../support/orders.js';
import { serverUrl } from '../support/postgres/shared-server.js';
import { World } from './world.js';

const OFFICE = (url: string) => `connections:
  office: { baseUrl: "${url}", appKey: k, token: { env: OFFICE_TOKEN } }
`;

it('a worker sends nothing that its own settings want an approval for, whatever those of the submitter said', {
  timeout: 120_000,
}, async () => {
  const platform = await new FakePlatform(ordersDone).start();
  const world = await World.make({
    server: await serverUrl(),
    orders: orderRows(4),
    leaseMs: 1000,
    slots: 2,
    settings: OFFICE(platform.url),
    job: 'connection: office\n',
    platform: { environment: { OFFICE_TOKEN: 'any' }, stop: () => platform.stop() },
  });
  try {
    const run = await world.submit(['--yes']);
    const settings = path.join(world.folder, 'license-sync.yaml');
    const before = await readFile(settings, 'utf8');
    await writeFile(settings, before.replace(' } }', ' }, approval: required }'));
    const worker = await world.run(['worker', '--once']);
    expect(worker.code, worker.stderr).toBe(0);
    const ended = await world.wait(run);
    expect(ended.code).toBe(4);
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'stopped', counts: { not_sent: 4 } });
    expect(ended.stdout).toContain('wants a second person to approve');
    expect(platform.seen).toHaveLength(0);
  } finally {
    await world.remove();
  }
});
