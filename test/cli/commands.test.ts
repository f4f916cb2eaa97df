import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSyncAlone, start } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

const JOBS = fileURLToPath(new URL('../../jobs/', import.meta.url));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-cli-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
/** The samples are not run with a ledger next to them. */
const ownLedger = () => ({ LICENSE_SYNC_LEDGER: at('.license-sync/ledger.db') });

async function withPlatform<T>(
  platform: FakePlatform,
  work: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  await platform.start();
  try {
    return await work({
      LICENSE_SYNC_BASE_URL: platform.url,
      LICENSE_SYNC_TOKEN: 's3cret-token-0123456789',
      LICENSE_SYNC_APP_KEY: 'app',
    });
  } finally {
    await platform.stop();
  }
}

describe('the program', () => {
  it('helps, for each command with examples', async () => {
    const help = await licenseSyncAlone(['--help'], { cwd: folder });
    expect(help.code).toBe(0);
    for (const name of ['run', 'validate', 'resume', 'runs', 'operations', 'schema', 'sandbox', 'template']) {
      expect(help.stdout).toContain(`  ${name}`);
    }
    const run = await licenseSyncAlone(['run', '--help'], { cwd: folder });
    expect(run.stdout).toContain('Examples:');
  });

  it.each([
    [['ruin']],
    [['run']],
    [['run', 'x.yaml', '--max-items', 'many']],
    [['run', 'no-such.yaml']],
    [['resume']],
  ])('calls %j a usage error', async (args) => {
    const end = await licenseSyncAlone(args, { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).not.toBe('');
  });

  it('runs a sample and prints one JSON object, marked SANDBOX', async () => {
    const output = at('result.xlsx');
    const end = await licenseSyncAlone(
      ['run', path.join(JOBS, 'new-buy.yaml'), '--json', '--output', output],
      { cwd: folder, env: ownLedger() },
    );
    expect(end.code).toBe(0);
    const said = JSON.parse(end.stdout) as Record<string, unknown>;
    expect(said).toMatchObject({
      job: 'new-buy',
      operation: 'order.new_buy',
      connection: 'sandbox',
      status: 'completed',
      output,
    });
    expect(end.stdout + end.stderr).toContain('SANDBOX');
    expect(
      (await readSheet(output)).every((it) => it.status === 'succeeded' && it.licenseOrderId !== ''),
    ).toBe(true);
    const again = await licenseSyncAlone(
      ['run', path.join(JOBS, 'new-buy.yaml'), '--json', '--output', at('again.xlsx')],
      { cwd: folder, env: ownLedger() },
    );
    expect(JSON.parse(again.stdout)).toMatchObject({ requests: 0, counts: { skipped: said.rows } });
    const runs = await licenseSyncAlone(['runs', '--json'], { cwd: folder });
    expect((JSON.parse(runs.stdout) as { run: string }[]).map((it) => it.run)).toContain(said.run);
    const exported = await licenseSyncAlone(
      ['runs', 'export', String(said.run), '--output', at('again.csv')],
      {
        cwd: folder,
      },
    );
    expect(exported.code).toBe(0);
    expect((await readFile(at('again.csv'), 'utf8')).split('\r\n')[0]).toMatch(
      /^\ufeffrow,status,licenseOrderId,code,message,/,
    );
  });

  it('reports all errors of a job file in one go, with places', async () => {
    await writeFile(
      at('job.yaml'),
      'version: 1\nname: x\noperatoin: order.new_buy\nsource: { file: a.csv }\nrun: { concurency: 3 }\n',
    );
    const end = await licenseSyncAlone(['validate', at('job.yaml')], { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(/job\.yaml:3:1 .*operation/s);
    expect(end.stderr).toMatch(/job\.yaml:5:8 .*concurrency/s);
  });

  it('refuses invalid input with exit 3 and a JSON object', async () => {
    await writeFile(at('orders.csv'), 'Order,Customer,Asset,Nodes\nSO-1,"One,A1,5\n');
    await writeFile(at('job.yaml'), orderJob());
    const end = await licenseSyncAlone(['validate', at('job.yaml'), '--connection', 'sandbox', '--json'], {
      cwd: folder,
    });
    expect(end.code).toBe(3);
    expect(JSON.parse(end.stdout)).toMatchObject({ status: 'invalid', counts: {} });
    expect(end.stderr).toContain('orders.csv');
    expect(end.stderr).not.toContain('inputs');
  });

  it('keeps the token out of everything that it leaves behind', async () => {
    const platform = new FakePlatform((seen) => ({
      body: { code: '1', message: `you sent ${seen.authorization}`, cause: '' },
    }));
    await withPlatform(platform, async (env) => {
      await writeFile(at('orders.csv'), orderRows(3));
      await writeFile(at('job.yaml'), orderJob());
      const end = await licenseSyncAlone(['run', at('job.yaml'), '--json', '--output', at('result.csv')], {
        cwd: folder,
        env,
      });
      expect(end.code).toBe(1);
      const left = [end.stdout, end.stderr, await readFile(at('result.csv'), 'utf8')];
      for (const name of ['ledger.db', 'ledger.db-wal']) {
        left.push(await readFile(at(path.join('.license-sync', name)), 'latin1').catch(() => ''));
      }
      expect(left.join('\n')).not.toContain('s3cret-token-0123456789');
      expect((await stat(at('.license-sync'))).mode & 0o777).toBe(0o700);
      expect((await stat(at('.license-sync/ledger.db'))).mode & 0o777).toBe(0o600);
    });
  });

  it('continues after kill -9, and sends no order twice', async () => {
    let kill = (): void => {};
    const platform = new FakePlatform((seen, count) => {
      if (count === 40) kill();
      return ordersDone(seen);
    });
    await withPlatform(platform, async (env) => {
      await writeFile(at('orders.csv'), orderRows(200));
      await writeFile(at('job.yaml'), orderJob());
      const first = start(['run', at('job.yaml'), '--concurrency', '4'], { cwd: folder, env });
      kill = () => first.child.kill('SIGKILL');
      expect((await first.ended).signal).toBe('SIGKILL');
      const end = await licenseSyncAlone(['resume', '--json', '--output', at('result.xlsx')], {
        cwd: folder,
        env,
      });
      const said = JSON.parse(end.stdout) as { counts: Record<string, number>; rows: number };
      expect(said.rows).toBe(200);
      expect((said.counts.succeeded ?? 0) + (said.counts.unknown ?? 0)).toBe(200);
      expect(said.counts.unknown ?? 0).toBeLessThanOrEqual(4);
      expect(end.code).toBe(said.counts.unknown ? 6 : 0);
      const orders = platform.seen.map((it) => it.body.channelOrderId);
      expect(new Set(orders).size).toBe(orders.length);
      const told = new Map((await readSheet(at('result.xlsx'))).map((it) => [it.Order, it.status]));
      for (const order of orders) expect(['succeeded', 'unknown']).toContain(told.get(String(order)));
    });
  });

  it('stops at the first Ctrl-C with its results written, and can be resumed', async () => {
    let interrupt = (): void => {};
    const platform = new FakePlatform(async (seen, count) => {
      if (count === 20) interrupt();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return ordersDone(seen);
    });
    await withPlatform(platform, async (env) => {
      await writeFile(at('orders.csv'), orderRows(100));
      await writeFile(at('job.yaml'), orderJob());
      const first = start(['run', at('job.yaml'), '--json', '--concurrency', '2', '--output', at('a.xlsx')], {
        cwd: folder,
        env,
      });
      interrupt = () => first.child.kill('SIGINT');
      const end = await first.ended;
      expect(end.code).toBe(130);
      const said = JSON.parse(end.stdout) as { counts: Record<string, number> };
      expect((said.counts.succeeded ?? 0) + (said.counts.not_sent ?? 0)).toBe(100);
      expect(await readSheet(at('a.xlsx'))).toHaveLength(100);
      const again = await licenseSyncAlone(['resume', '--json'], { cwd: folder, env });
      expect(JSON.parse(again.stdout)).toMatchObject({ status: 'completed', counts: { succeeded: 100 } });
      expect(platform.seen).toHaveLength(100);
    });
  });

  it('uses a sandbox that is being served', async () => {
    const served = start(['sandbox', '--port', '0', '--json'], { cwd: folder });
    const ready = await new Promise<string>((resolve) =>
      served.child.stdout?.once('data', (text) => resolve(String(text))),
    );
    const { url } = JSON.parse(ready) as { url: string };
    const end = await licenseSyncAlone(
      ['run', path.join(JOBS, 'asset-lock.yaml'), '--json', '--output', at('r.xlsx')],
      { cwd: folder, env: { LICENSE_SYNC_LEDGER: at('elsewhere/ledger.db') } },
    );
    expect(JSON.parse(end.stdout)).toMatchObject({ status: 'completed' });
    const stats = await fetch(`${url}/sandbox/stats`, { headers: { authorization: 'Bearer any' } });
    expect(await stats.json()).toMatchObject({ requests: expect.toSatisfy((it: number) => it > 0) });
    served.child.kill('SIGTERM');
    expect((await served.ended).code).toBe(0);
  });
});

describe('committed files that are made', () => {
  it('job.schema.json is what `schema` prints', async () => {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const end = await licenseSyncAlone(['schema', '--check', 'job.schema.json'], { cwd: root });
    expect(end.stderr).toBe('');
    expect(end.code).toBe(0);
  });
});
