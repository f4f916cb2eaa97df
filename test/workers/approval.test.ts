import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { serverUrl } from '../support/postgres/shared-server.js';
import { World } from './world.js';

/** Four orders for a connection that says nothing of approvals. */
async function fixture(): Promise<{ readonly platform: FakePlatform; readonly world: World }> {
  const platform = await new FakePlatform(ordersDone).start();
  const world = await World.make({
    server: await serverUrl(),
    orders: orderRows(4),
    leaseMs: 1000,
    slots: 2,
    settings: `connections:
  office: { baseUrl: "${platform.url}", appKey: k, token: { env: OFFICE_TOKEN } }
`,
    job: orderJob({ extra: 'connection: office\n' }),
    platform: { environment: { OFFICE_TOKEN: 'any' }, stop: () => platform.stop() },
  });
  return { platform, world };
}

it('a worker sends nothing that was planned and applied without, nor what another connection to its host requires one for', async () => {
  const { platform, world } = await fixture();
  try {
    const planned = await world.run(['plan', 'job.yaml', '--json']);
    const { run: plan } = JSON.parse(planned.stdout);
    const applied = await world.run(['apply', plan, '--queue', '--yes']);
    expect(applied.code, applied.stderr).toBe(0);
    const settings = path.join(world.folder, 'license-sync.yaml');
    const more = `  audited: { baseUrl: "${platform.url}/v2", appKey: k, token: { env: OFFICE_TOKEN }, approval: required }\n`;
    await writeFile(settings, (await readFile(settings, 'utf8')) + more);
    const worker = await world.run(['worker', '--once']);
    expect(worker.code, worker.stderr).toBe(0);
    const ended = await world.wait(plan);
    expect(ended.code).toBe(4);
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'stopped', counts: { not_sent: 4 } });
    const audit = await world.run(['audit', '--json']);
    expect(audit.stdout).toContain('"policy_keep"');
    // The host is known to the ledger now: settings that leave the policy out are no way round it.
    await writeFile(settings, (await readFile(settings, 'utf8')).replace(more, ''));
    const again = await world.run(['submit', 'job.yaml', '--json', '--yes']);
    expect(again.code, again.stderr).toBe(4);
    expect(platform.seen).toHaveLength(0);
  } finally {
    await world.remove();
  }
});

it('a worker sends nothing that its own settings want an approval for, whatever those of the submitter said', async () => {
  const { platform, world } = await fixture();
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
    expect(ended.stdout).toContain('requires another user’s approval');
    expect(platform.seen).toHaveLength(0);
  } finally {
    await world.remove();
  }
});
