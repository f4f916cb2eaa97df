import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { FakePlatform, ordersMadeAnew } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder: string;
let platform: FakePlatform;
let env: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-revert-'));
  platform = await new FakePlatform(ordersMadeAnew()).start();
  env = {
    LICENSE_SYNC_BASE_URL: platform.url,
    LICENSE_SYNC_TOKEN: 'token-of-the-test',
    LICENSE_SYNC_APP_KEY: 'app',
  };
  await writeFile(path.join(folder, 'orders.csv'), orderRows(12));
  await writeFile(path.join(folder, 'job.yaml'), orderJob());
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const call = (args: readonly string[], more: Record<string, string> = {}) =>
  licenseSync(args, { cwd: folder, env: { ...env, ...more } });

async function reported(...args: string[]): Promise<Record<string, never> & { run: string; plan: string }> {
  return JSON.parse((await call([...args, '--json'])).stdout);
}

/** Licence orders that were to be revoked, one for each time that it was sent. */
const revoked = (): readonly string[] =>
  platform.seen.flatMap(({ body }) =>
    (body.orderList as { orderType: string; srcLicenseOrderId: string }[])
      .filter((it) => it.orderType === 'delete_asset')
      .map((it) => it.srcLicenseOrderId),
  );

describe('a plan that takes a run back, killed while it is applied', () => {
  it.each([
    'after-intent:3',
    'headers-sent:4',
    'reply-received:5',
    'outcome-written:6',
    'report:2',
    'before-rename:1',
  ])('at %s revokes nothing twice, and what was undone for certain can be ordered again', async (point) => {
    const { run } = await reported('run', 'job.yaml', '--concurrency', '1');
    const { plan } = await reported('revert', run);
    const killed = await call(['apply', plan, '--yes'], { LICENSE_SYNC_CRASH_AT: point });
    expect(killed.signal).toBe('SIGKILL');
    const resumed = await reported('resume', plan, '--yes');
    const { succeeded = 0, unknown = 0 } = resumed.counts as unknown as Record<string, number>;
    expect(succeeded + unknown).toBe(12);
    expect(unknown).toBeLessThanOrEqual(1);
    expect(new Set(revoked()).size).toBe(revoked().length);
    const again = await reported('run', 'job.yaml');
    expect(again.counts).toEqual({ succeeded, ...(unknown > 0 ? { skipped: unknown } : {}) });
    // What is uncertain stays until it is resolved; all else was reverted.
    const second = await reported('revert', run);
    expect(second).toMatchObject({ plan: null, reverts: run, counts: { skipped: 12 } });
  });
});

describe('what a plan would change', () => {
  it('is reported by operation, the first ten, and all with --all; plain where no colours are shown', async () => {
    const { stdout } = await call(['plan', 'job.yaml']);
    const lines = stdout.split('\n');
    expect(lines).toContain('  + 12 new (order.new_buy)');
    expect(lines).toContain(
      '      row 2: channelOrderId SO-1, customerName Customer 1, crmCustomerId CRM1, enterpriseGlobalId E1, assetNos A1 (1)',
    );
    expect(lines.filter((it) => it.startsWith('      row '))).toHaveLength(10);
    expect(lines).toContain('      … and 2 more; --all shows them');
    expect(stdout).not.toContain('\u001b[');
    const all = await call(['validate', 'job.yaml', '--all']);
    expect(all.stdout.split('\n').filter((it) => it.startsWith('      row '))).toHaveLength(12);
    expect((await call(['validate', 'job.yaml', '--quiet'])).stdout).not.toContain('+ 12 new');
    const chinese = await call(['validate', 'job.yaml', '--lang', 'zh']);
    expect(chinese.stdout).toContain('  + 新增 12 项（新购下单（order.new_buy））');
  });

  it('is not named as reverted before the plan is applied', async () => {
    const { run } = await reported('run', 'job.yaml');
    const { stdout } = await call(['revert', run]);
    expect(stdout).toContain(`  reverts run ${run} once it is applied; nothing was sent\n`);
    const planned = (await call(['runs', 'show', run])).stdout;
    expect(planned).toMatch(/^revert planned +\S+$/m);
    expect(planned).not.toContain('reverted by');
    const chinese = (await call(['runs', 'show', run, '--lang', 'zh'])).stdout;
    expect(chinese).toContain('回退计划（未执行）');
    const plan = /^revert planned +(\S+)$/m.exec(planned)![1]!;
    expect((await reported('apply', plan, '--yes')).counts).toEqual({ succeeded: 12 });
    const applied = (await call(['runs', 'show', run])).stdout;
    expect(applied).toMatch(/^reverted by +\S+ \(12\/12\)$/m);
    expect(applied).not.toContain('revert planned');
  });

  it('names what is revoked, and what is skipped and why', async () => {
    const { run } = await reported('run', 'job.yaml');
    const { stdout } = await call(['revert', run, '--row', '2']);
    expect(stdout).toContain(
      '  - 1 revoked (order.delete_asset)\n      row 2: srcLicenseOrderId LO-SO-1-1, ',
    );
    const again = await call(['validate', 'job.yaml']);
    expect(again.stdout).toContain('  = 12 rows skipped\n      12 × run ');
    expect(again.stdout).toContain('not sent again (row 2-11, …)\n');
  });
});
