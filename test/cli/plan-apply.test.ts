import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder: string;
let platform: FakePlatform;
let env: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-plan-'));
  platform = await new FakePlatform(ordersDone).start();
  env = {
    LICENSE_SYNC_BASE_URL: platform.url,
    LICENSE_SYNC_TOKEN: 'token-of-the-test',
    LICENSE_SYNC_APP_KEY: 'app',
  };
  await writeFile(path.join(folder, 'orders.csv'), orderRows(6));
  await writeFile(path.join(folder, 'job.yaml'), orderJob());
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const call = (...args: string[]) => licenseSync(args, { cwd: folder, env });

async function makePlan(): Promise<string> {
  const end = await call('plan', 'job.yaml', '--json');
  expect(end.code, end.stderr).toBe(0);
  const said = JSON.parse(end.stdout) as { plan: string; counts: unknown };
  expect(said.counts).toEqual({ valid: 6 });
  return said.plan;
}

describe('a kept plan', () => {
  it('sends nothing until it is applied, then exactly what was planned, and only once', async () => {
    const plan = await makePlan();
    expect(platform.seen).toHaveLength(0);
    const applied = await call('apply', plan, '--json');
    expect(applied.code).toBe(0);
    expect(JSON.parse(applied.stdout)).toMatchObject({
      run: plan,
      status: 'completed',
      counts: { succeeded: 6 },
    });
    const again = await call('apply', plan);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('was executed already');
    expect(platform.seen).toHaveLength(6);
  });

  it.each([
    ['maxItems', 'maxInFlight: 2', 'safety: { maxItems: 3 }\n', ['--max-items', '9']],
    ['a missing confirmation', 'confirm: always', '', ['--yes']],
  ])('can be applied again, once, when it was refused by %s', async (_why, connection, safety, then) => {
    const file = `version: 1\ndefaultConnection: p\nconnections:\n  p: { baseUrl: "${platform.url}", token: { env: LICENSE_SYNC_TOKEN }, appKey: app, ${connection} }\n`;
    await writeFile(path.join(folder, 'license-sync.yaml'), file);
    await writeFile(path.join(folder, 'job.yaml'), `${orderJob()}${safety}`);
    const plan = await makePlan();
    expect((await call('apply', plan)).code).toBe(4);
    expect((await call('apply', plan)).code).toBe(4);
    expect(platform.seen).toHaveLength(0);
    const ends = await Promise.all([call('apply', plan, ...then), call('apply', plan, ...then)]);
    expect(ends.map((it) => it.code).sort(), ends.map((it) => it.stderr).join()).toEqual([0, 2]);
    expect(platform.seen).toHaveLength(6);
    const again = await call('apply', plan, ...then);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('was executed already')]);
    expect(platform.seen).toHaveLength(6);
  });

  it('is still refused when its input changed after it was refused by a limit', async () => {
    await writeFile(path.join(folder, 'job.yaml'), `${orderJob()}safety: { maxItems: 3 }\n`);
    const plan = await makePlan();
    expect((await call('apply', plan)).code).toBe(4);
    await appendFile(path.join(folder, 'orders.csv'), 'SO-9,Nine,A9,1\n');
    const end = await call('apply', plan, '--max-items', '9');
    expect([end.code, end.stderr]).toEqual([2, expect.stringContaining('orders.csv')]);
    expect(platform.seen).toHaveLength(0);
  });

  it('is resumed, not applied again, after its first request; and cannot be applied after it was pruned', async () => {
    const plan = await makePlan();
    platform.answer = () => ({ status: 401, body: {} });
    expect((await call('apply', plan)).code).toBe(4);
    const { length } = platform.seen;
    expect(length).toBeGreaterThan(0);
    platform.answer = ordersDone;
    const again = await call('apply', plan, '--yes');
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(`license-sync resume ${plan}`)]);
    expect(platform.seen).toHaveLength(length);
    const other = await makePlan();
    expect((await call('runs', 'prune', '--older-than', '0m')).code).toBe(0);
    const gone = await call('apply', other);
    expect(gone.code).toBe(2);
    expect(gone.stderr).toContain('was pruned');
  });

  it('is executed by one of two applies at once', async () => {
    const plan = await makePlan();
    const ends = await Promise.all([call('apply', plan), call('apply', plan)]);
    expect(ends.map((it) => it.code).sort()).toEqual([0, 2]);
    expect(platform.seen).toHaveLength(6);
  });

  it.each([
    ['the input', () => appendFile(path.join(folder, 'orders.csv'), 'SO-9,Nine,A9,1\n'), 'orders.csv'],
    ['the job', () => appendFile(path.join(folder, 'job.yaml'), '# changed\n'), 'job.yaml'],
  ])('is refused when %s changed', async (_what, change, named) => {
    const plan = await makePlan();
    await change();
    const end = await call('apply', plan);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain(named);
    expect(platform.seen).toHaveLength(0);
  });

  it.each([['orders.csv'], ['job.yaml']])(
    'takes %s from the ledger where it does not lie there any more: a plan is applied from any machine',
    async (file) => {
      const plan = await makePlan();
      await rm(path.join(folder, file));
      const end = await call('apply', plan);
      expect(end.stderr).not.toContain('license-sync: ');
      expect(end.code).toBe(0);
      expect(platform.seen).toHaveLength(6);
    },
  );

  it.each([
    ['a fragment', 'defaults: { run: { retries: 1 } }\nmaps: { lock: { assetNos: Lock } }\n'],
    ['a default', 'defaults: { run: { retries: 2 } }\nmaps: { lock: { assetNos: Asset } }\n'],
    ['(gone) all', ''],
  ])(
    'is refused when %s of license-sync.yaml changed, not when anything else there did',
    async (_what, then) => {
      const settings = (text: string) =>
        writeFile(path.join(folder, 'license-sync.yaml'), `version: 1\n${text}`);
      const counted = 'defaults: { run: { retries: 1 } }\nmaps: { lock: { assetNos: Asset } }\n';
      await settings(counted);
      await writeFile(path.join(folder, 'job.yaml'), orderJob().replace('assetNos: Asset', 'use: lock'));
      const plan = await makePlan();
      await settings(then);
      const end = await call('apply', plan);
      expect(end.code).toBe(2);
      expect(end.stderr).toContain('license-sync.yaml changed');
      expect(platform.seen).toHaveLength(0);
      await settings(`# moved by a line\n${counted}ledgerPatience: 5s\n`);
      expect((await call('apply', plan)).code).toBe(0);
      expect(platform.seen).toHaveLength(6);
    },
  );

  it('is refused when the connection changed, or when it is too old', async () => {
    const plan = await makePlan();
    const old = await call('apply', plan, '--max-age', '0m');
    expect(old.code).toBe(2);
    expect(old.stderr).toContain('--max-age');
    env = { ...env, LICENSE_SYNC_APP_KEY: 'another' };
    const other = await call('apply', plan);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('env changed');
    expect(platform.seen).toHaveLength(0);
  });

  it('is no plan when it is a run, or when rows are invalid', async () => {
    await writeFile(path.join(folder, 'orders.csv'), orderRows(2).replace('A1,5', 'A1,five'));
    const end = await call('plan', 'job.yaml', '--json');
    expect(end.code).toBe(3);
    const said = JSON.parse(end.stdout) as { run: string; plan?: string };
    expect(said.plan).toBeUndefined();
    expect((await call('apply', said.run)).code).toBe(2);
    expect((await call('apply', 'no-such-plan')).code).toBe(2);
    expect(platform.seen).toHaveLength(0);
  });
});

describe('a canary of nothing', () => {
  it('is a mistake, reported before anything is planned', async () => {
    const end = await call('run', 'job.yaml', '--canary', '0');
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('must be a whole number, 1 or greater');
    expect(platform.seen).toHaveLength(0);
  });
});
