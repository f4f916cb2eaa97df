import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { serverUrl } from '../support/postgres/shared-server.js';

it('two people and a worker: submit stops at a plan, which is asked for, approved, applied to the queue and sent', async () => {
  const platform = await new FakePlatform(ordersDone).start();
  const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-approved-'));
  const connection = `office: { baseUrl: "${platform.url}", appKey: k, token: { env: OFFICE_TOKEN }, approval: required }`;
  const files = {
    'license-sync.yaml': `version: 1\nconnections:\n  ${connection}\n`,
    'job.yaml': orderJob({ extra: 'connection: office\n' }),
    'orders.csv': orderRows(4),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const ledger = `${await serverUrl()}?schema=a_${randomBytes(6).toString('hex')}`;
  const as = (token: string | undefined, more: Record<string, string> = {}) => {
    const env = {
      LICENSE_SYNC_LEDGER: ledger,
      TMPDIR: folder,
      LICENSE_SYNC_USER_TOKEN: token ?? '',
      ...more,
    };
    return (...args: string[]) => licenseSync(args, { cwd: folder, env });
  };
  const added = async (name: string, role: string, by?: string): Promise<string> => {
    const { stdout, stderr } = await as(by)('people', 'add', name, '--role', role);
    expect(stdout, stderr).not.toBe('');
    return stdout.trim();
  };
  try {
    const chen = await added('chen', 'admin');
    // Neither of the two has the platform's token.
    const [wang, li] = [as(await added('wang', 'maker', chen)), as(await added('li', 'checker', chen))];
    const submitted = await wang('submit', 'job.yaml', '--yes', '--json');
    expect(submitted.code, submitted.stderr).toBe(4);
    const { run: plan, needsApproval } = JSON.parse(submitted.stdout);
    expect(needsApproval).toBe(true);
    expect((await wang('apply', plan, '--queue', '--yes')).code).toBe(4);
    expect((await wang('request', plan, '--comment', 'orders of November')).code).toBe(0);
    expect((await wang('approve', plan)).code).toBe(4);
    expect((await li('approve', plan, '--max-age', '1h')).code).toBe(0);
    // Without the queue the platform's token is missing; that doesn't use up the approval.
    expect((await wang('apply', plan, '--yes')).code).toBe(2);
    const queued = await wang('apply', plan, '--queue', '--yes', '--json');
    expect(queued.code, queued.stderr).toBe(0);
    expect(platform.seen).toHaveLength(0);
    const worker = await as(undefined, { OFFICE_TOKEN: 'any' })('worker', '--once');
    expect(worker.code, worker.stderr).toBe(0);
    expect(platform.seen).toHaveLength(4);
    expect((await wang('apply', plan, '--queue', '--yes')).code).toBe(2);
    const acts = (
      JSON.parse((await li('audit', '--run', plan, '--json')).stdout) as { act: string; who: string }[]
    ).map((it) => `${it.who} ${it.act}`);
    expect(acts).toEqual([
      'wang submit',
      'wang denied',
      'wang request',
      'wang denied',
      'li approve',
      'wang apply',
    ]);
  } finally {
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
